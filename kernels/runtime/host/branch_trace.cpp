// Counts the branches that warps execute, and those at which their lanes part, from what single threads decided.
#include "kernels/runtime/host/branch_trace.hpp"

#include <algorithm>

namespace warpwright::host {

BranchTrace::Warp* BranchTrace::warps_of(std::size_t block_slot, std::size_t count) {
  if (block_slot >= warps_.size()) warps_.resize(block_slot + 1);
  auto& block = warps_[block_slot];
  constexpr std::size_t usual_history = 32;
  while (block.size() < count) {
    for (auto& history : block.emplace_back()) history.reserve(usual_history);
  }
  return block.data();
}

void BranchTrace::meet(std::size_t block_slot) {
  if (block_slot >= warps_.size()) return;
  for (Warp& warp : warps_[block_slot]) count(warp);
}

void BranchTrace::count(Warp& warp) {
  struct Lane {
    const Branch *next, *end;
  };
  std::array<Lane, 32> lanes;
  std::size_t left = 0;
  for (const auto& history : warp) {
    if (!history.empty()) lanes[left++] = {history.data(), history.data() + history.size()};
  }
  while (left > 0) {
    std::uint64_t first = lanes[0].next->place;
    for (std::size_t i = 1; i < left; ++i) first = std::min(first, lanes[i].next->place);
    std::uint32_t some = 0, common = ~std::uint32_t{0};  // bits of the outcomes
    for (std::size_t i = left; i-- > 0;) {
      Lane& lane = lanes[i];
      if (lane.next->place != first) continue;
      some |= lane.next->outcome;
      common &= lane.next->outcome;
      if (++lane.next == lane.end) lane = lanes[--left];
    }
    BranchCounts& counts = sites_[static_cast<std::uint32_t>(first)];
    ++counts.executed;
    counts.divergent += some != common ? 1 : 0;
  }
  for (auto& history : warp) history.clear();
}

}  // namespace warpwright::host

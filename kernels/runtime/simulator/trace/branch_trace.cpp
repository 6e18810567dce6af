// Counts branches of warps, and divergent ones, from the outcomes of single threads.
#include "kernels/runtime/simulator/trace/branch_trace.hpp"

#include <algorithm>
#include <cstring>

namespace warpwright::simulator {
namespace {

/// Whether all active lanes did the same as the first of them.
bool are_alike(const BranchTrace::Warp& warp, std::span<const Branch>& common) {
  const auto same = [](std::span<const Branch> a, std::span<const Branch> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  };
  for (const BranchTrace::Lane& lane : warp) {
    const auto branches = lane.branches();
    if (common.empty()) {
      common = branches;
    } else if (!branches.empty() && !same(common, branches)) {
      return false;
    }
  }
  return true;
}

}  // namespace

BranchTrace::Warp* BranchTrace::warps_of(std::size_t block_slot, std::size_t count) {
  if (block_slot >= warps_.size()) warps_.resize(block_slot + 1);
  auto& block = warps_[block_slot];
  if (block.size() < count) block.resize(count);
  return block.data();
}

void BranchTrace::restart() {
  for (auto& block : warps_) {
    for (Warp& warp : block) {
      for (Lane& lane : warp) lane.clear();
    }
  }
  known_.fill({});
  sites_.clear();
}

void BranchTrace::make_room(Warp& warp, unsigned lane) {
  if (warp[lane].branches().size() < longest_history) {
    warp[lane].grow();
  } else {
    count(warp);
  }
}

void BranchTrace::meet(std::size_t block_slot) {
  if (block_slot >= warps_.size()) return;
  for (Warp& warp : warps_[block_slot]) count(warp);
}

void BranchTrace::count(Warp& warp) {
  if (std::span<const Branch> common; are_alike(warp, common)) {
    for (const Branch& branch : common) ++counts_at(branch.place).executed;
    for (Lane& lane : warp) lane.clear();
    return;
  }
  std::array<std::span<const Branch>, 32> lanes;
  std::size_t left = 0;
  for (const Lane& lane : warp) {
    if (!lane.branches().empty()) lanes[left++] = lane.branches();
  }
  while (left > 0) {
    std::uint64_t first = lanes[0].front().place;
    for (std::size_t i = 1; i < left; ++i) first = std::min<std::uint64_t>(first, lanes[i].front().place);
    std::uint64_t some = 0, common = ~std::uint64_t{0};  // bits of the outcomes
    for (std::size_t i = left; i-- > 0;) {
      if (lanes[i].front().place != first) continue;
      some |= lanes[i].front().outcome;
      common &= lanes[i].front().outcome;
      lanes[i] = lanes[i].subspan(1);
      if (lanes[i].empty()) lanes[i] = lanes[--left];
    }
    BranchCounts& counts = counts_at(first);
    ++counts.executed;
    counts.divergent += some != common ? 1 : 0;
  }
  for (Lane& lane : warp) lane.clear();
}

}  // namespace warpwright::simulator

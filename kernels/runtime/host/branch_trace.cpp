// Counts the branches that warps execute, and those at which their lanes part, from what single threads decided.
#include "kernels/runtime/host/branch_trace.hpp"

#include <tuple>

namespace warpwright::host {

BranchTrace::Warp* BranchTrace::warps_of(std::size_t block_slot, std::size_t count) {
  if (block_slot >= warps_.size()) warps_.resize(block_slot + 1);
  auto& block = warps_[block_slot];
  if (count > block.size()) block.resize(count);
  return block.data();
}

void BranchTrace::meet(std::size_t block_slot) {
  if (block_slot >= warps_.size()) return;
  for (Warp& warp : warps_[block_slot]) count(warp);
}

void BranchTrace::count(Warp& warp) {
  std::array<std::size_t, 32> at{};
  const auto order = [](const Branch& branch) { return std::tie(branch.frame, branch.site); };
  for (;;) {
    const Branch* next = nullptr;
    for (std::size_t lane = 0; lane < warp.size(); ++lane) {
      if (at[lane] == warp[lane].size()) continue;
      const Branch& branch = warp[lane][at[lane]];
      if (next == nullptr || order(branch) < order(*next)) next = &branch;
    }
    if (next == nullptr) break;
    bool parts = false;
    for (std::size_t lane = 0; lane < warp.size(); ++lane) {
      if (at[lane] == warp[lane].size()) continue;
      const Branch& branch = warp[lane][at[lane]];
      if (order(branch) != order(*next)) continue;
      parts = parts || branch.outcome != next->outcome;
      ++at[lane];
    }
    BranchCounts& counts = sites_[next->site];
    ++counts.executed;
    counts.divergent += parts ? 1 : 0;
  }
  for (auto& history : warp) history.clear();
}

}  // namespace warpwright::host

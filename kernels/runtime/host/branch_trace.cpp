// Counts the branches that warps execute, and those at which their lanes part, from what single threads decided.
#include "kernels/runtime/host/branch_trace.hpp"

#include <tuple>

namespace warpwright::host {
namespace {

// Of one lane between two meetings of its block; a longer one is counted in parts, as if the warp had met.
constexpr std::size_t longest_history = std::size_t{1} << 16;

}  // namespace

BranchTrace::Warp& BranchTrace::warp_at(std::size_t block_slot, std::size_t warp) {
  if (block_slot >= warps_.size()) warps_.resize(block_slot + 1);
  auto& block = warps_[block_slot];
  if (warp >= block.size()) block.resize(warp + 1);
  return block[warp];
}

void BranchTrace::compare(std::size_t block_slot, std::size_t warp, unsigned lane, const void* site,
                          std::uint32_t frame) {
  warp_at(block_slot, warp)[lane].pending = {site, nullptr, frame};
}

void BranchTrace::enter(std::size_t block_slot, std::size_t warp, unsigned lane, const void* site) {
  Warp& lanes = warp_at(block_slot, warp);
  auto& [pending, history] = lanes[lane];
  if (pending.site == nullptr) return;
  history.push_back({pending.site, site, pending.frame});
  pending.site = nullptr;
  if (history.size() >= longest_history) count(lanes);
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
      if (at[lane] == warp[lane].history.size()) continue;
      const Branch& branch = warp[lane].history[at[lane]];
      if (next == nullptr || order(branch) < order(*next)) next = &branch;
    }
    if (next == nullptr) break;
    bool parts = false;
    for (std::size_t lane = 0; lane < warp.size(); ++lane) {
      if (at[lane] == warp[lane].history.size()) continue;
      const Branch& branch = warp[lane].history[at[lane]];
      if (order(branch) != order(*next)) continue;
      parts = parts || branch.outcome != next->outcome;
      ++at[lane];
    }
    BranchCounts& counts = sites_[next->site];
    ++counts.executed;
    counts.divergent += parts ? 1 : 0;
  }
  for (Lane& lane : warp) lane.history.clear();
}

}  // namespace warpwright::host

// What the plans of histograms have in common.
#pragma once

#include "kernels/block/binned_keys.hpp"
#include "kernels/histogram/finish.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::histogram {

/// in, and out: a 32-bit counter for each bin.
std::vector<Buffer> buffers(const Problem& problem);

/// The plan of an empty problem: the bins become 0, nothing is launched.
Plan empty_plan(const Problem& problem);

/// How a kernel counts.
struct Counting {
  std::string function;
  std::int64_t blocks = 1;
  int block_size = 0;
  std::int64_t shared_bytes = 0;  ///< dynamic
  histogram::finish finish = finish::atomic;
};

/// `function` counts the keys, with the arguments in, bins or rows, binning and number of keys; before it the bins are
/// zeroed, or behind it the rows are added up.
Plan counting_plan(const PlanRequest& request, const Counting& how);

/// Blocks of a grid that strides over the keys, `blocks_per_sm` on each SM: no more than there is work for.
std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block, int blocks_per_sm);

/// Keys that a block's threads load together.
template <class P>
std::int64_t keys_per_block(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening * p.vector_width;
}

template <class P>
std::vector<std::int64_t> tile_of(const P& p) {
  return {keys_per_block(p)};
}

/// Shapes with a row for each warp of merge_rows, and with two for one of them.
template <class P>
std::vector<std::vector<std::int64_t>> shapes_of_rows(const P& p, std::int64_t per_block) {
  constexpr std::int64_t kRows = merge_block / 32;
  if (p.finish == finish::atomic) return {};
  return {{kRows * per_block}, {kRows * per_block + 1}};
}

/// What all spaces require of loads, and those whose blocks set up bins of their own: all of them are resident.
template <class P>
SpaceOf<P>& with_rules_of_blocks(SpaceOf<P>& space) {
  return binned::with_rules_of_loads(space).require(
      "1024 threads an SM, or all that it holds", [](const P& p, const Surroundings& around) {
        const int threads = p.block_size * p.grid_blocks_per_sm;
        return threads == 1024 || threads == around.device.max_threads_per_sm;
      });
}

/// The values of the axis `finish`.
std::vector<std::pair<finish, std::string>> finishes();

}  // namespace warpwright::histogram

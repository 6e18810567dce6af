// Shared by the plans of histogram.
#pragma once

#include "kernels/block/binned_keys.hpp"
#include "kernels/histogram/finish.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::histogram {

/// The buffers of a problem: in, and out with a 32-bit counter per bin.
std::vector<Buffer> buffers(const Problem& problem);

/// The plan for an empty problem: sets the bins to 0, launches nothing.
Plan empty_plan(const Problem& problem);

/// The launch configuration of a counting kernel.
struct Counting {
  std::string function;
  std::int64_t blocks = 1;
  int block_size = 0;
  std::int64_t shared_bytes = 0;  ///< dynamic
  histogram::finish finish = finish::atomic;
};

/// `function` counts the keys; arguments are in, bins or rows, binning and the number of keys. The bins are zeroed
/// before it, or else the rows are summed after it.
Plan counting_plan(const PlanRequest& request, const Counting& how);

/// Number of blocks of a grid-stride launch: `blocks_per_sm` per SM, but no more than there is work for.
std::int64_t persistent_blocks(const Problem& problem, const Device& device, std::int64_t per_block, int blocks_per_sm);

/// Number of keys that a block's threads load together.
template <class P>
std::int64_t keys_per_block(const P& p) {
  return std::int64_t{p.block_size} * p.loads_in_flight * p.vector_width;
}

/// Atomics, unless the params say otherwise.
template <class P>
finish finish_of(const P& p) {
  if constexpr (requires { p.finish; })
    return p.finish;
  else
    return finish::atomic;
}

/// Shapes with one row for each warp of merge_rows, and with two rows for one of the warps.
template <class P>
std::vector<std::vector<std::int64_t>> shapes_of_rows(const P& p, std::int64_t per_block) {
  constexpr std::int64_t kRows = merge_block / 32;
  if (finish_of(p) == finish::atomic) return {};
  return {{kRows * per_block}, {kRows * per_block + 1}};
}

/// Constraints on loads, for all spaces; and for kernels whose blocks set up their own bins, which require that all
/// blocks are resident.
template <class P>
SpaceOf<P>& with_rules_of_blocks(SpaceOf<P>& space) {
  return binned::with_rules_of_loads(space).require(
      "1024 threads an SM, or all that it holds", [](const P& p, const Surroundings& around) {
        const int threads = p.block_size * p.grid_blocks_per_sm;
        return threads == 1024 || threads == around.device.max_threads_per_sm;
      });
}

/// The values of the axis `finish`.
std::vector<finish> finishes();

/// A kernel with a grid-stride loop.
template <class P>
struct CountingKernel {
  std::string name;
  SpaceOf<P> space;
  std::int64_t (*per_block)(const P&) = keys_per_block<P>;  ///< keys that a block counts before it strides
  std::function<std::int64_t(const P&, const Problem&)> shared_bytes = [](const P&, const Problem&) {
    return std::int64_t{0};
  };  ///< dynamic
  std::function<std::string(const P&, const Problem&, const Device&)> supports = {};
};

template <class P>
Kernel counting_kernel(const CountingKernel<P>& of) {
  return make_kernel<P>({
      .pattern = "histogram",
      .name = of.name,
      .default_params = {},
      .space = of.space,
      .plan =
          [of](const P& p, const PlanRequest& request) {
            return counting_plan(request, {.function = of.name,
                                           .blocks = persistent_blocks(request.problem, request.device, of.per_block(p),
                                                                       p.grid_blocks_per_sm),
                                           .block_size = p.block_size,
                                           .shared_bytes = of.shared_bytes(p, request.problem),
                                           .finish = finish_of(p)});
          },
      .tile = [of](const P& p) { return std::vector<std::int64_t>{of.per_block(p)}; },
      .edges = [of](const P& p, const Problem&) { return shapes_of_rows(p, of.per_block(p)); },
      .supports = of.supports,
      .loads_in_flight =
          [](const P& p) {
            if constexpr (requires { p.loads_ahead; })
              return p.loads_ahead ? 2 * p.loads_in_flight : p.loads_in_flight;
            else
              return p.loads_in_flight;
          },
      .deterministic = always_deterministic<P>,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::histogram

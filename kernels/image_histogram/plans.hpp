// Shared by plans and spaces of image_histogram.
#pragma once

#include "kernels/block/bin_copies.hpp"
#include "kernels/block/binned_keys.hpp"
#include "kernels/image_histogram/tiling.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/model/refusals.hpp"

namespace warpwright::image_histogram {

/// The buffers of a problem. in: the image; out: for each tile, row by row, a 32-bit counter per bin.
std::vector<Buffer> buffers(const Problem& problem);

/// The launch configuration of a counting kernel, whose blocks process tiles in turn.
struct Counting {
  std::string function;
  int block_size = 0;
  int blocks_per_sm = 0;          ///< blocks of the grid per SM, but no more than tiles
  std::int64_t shared_bytes = 0;  ///< dynamic
  bool adds = false;              ///< adds to bins that a step has zeroed
};

/// Launches `function` with the arguments in, out, binning and tiling. No launch for an empty image.
Plan counting_plan(const PlanRequest& request, const Counting& how);

/// The kernel `name` with the shared axes and those of `space`. copies(p) is the number of copies of the bins in a
/// block's shared memory; 0: none, it adds to the result.
template <class P>
Kernel tiles_kernel(const std::string& name, SpaceOf<P> space, int (*copies)(const P&),
                    block::copies_layout (*layout)(const P&)) {
  space.axis("loads_in_flight", &P::loads_in_flight, {1, 2, 4})
      .renamed("coarsening", "loads_in_flight")
      .axis("vector_width", &P::vector_width, {1, 2, 4, 8, 16})
      .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {2, 4, 8, 16, 32})
      .require("1024 to 4096 threads launched an SM", [](const P& p) {
        const int threads = p.block_size * p.grid_blocks_per_sm;
        return threads >= 1024 && threads <= 4096;
      });
  const auto bytes = [copies, layout](const P& p, const Problem& problem) {
    return copies(p) == 0 ? 0 : block::bytes_of_copies(copies(p), layout(p), problem.integer("bins"));
  };
  return make_kernel<P>({
      .pattern = "image_histogram",
      .name = name,
      .default_params = {},
      .space = binned::with_rules_of_loads(space),
      .plan =
          [name, copies, bytes](const P& p, const PlanRequest& request) {
            return counting_plan(request, {.function = name,
                                           .block_size = p.block_size,
                                           .blocks_per_sm = p.grid_blocks_per_sm,
                                           .shared_bytes = bytes(p, request.problem),
                                           .adds = copies(p) == 0});
          },
      // Blocks take a tile's vectors in turn across its rows, so edge shapes are multiples of vectors and of tiles
      // (edges).
      .tile =
          [](const P& p) {
            return std::vector<std::int64_t>{p.loads_in_flight, p.vector_width};
          },
      .edges = [](const P&, const Problem& problem) -> std::vector<std::vector<std::int64_t>> {
        const std::int64_t down = problem.integer("tile_y");
        const std::int64_t across = problem.integer("tile_x");
        return {{down, across}, {down + 1, across + 1}, {2 * down - 1, 2 * across}, {2 * down, 2 * across - 1}};
      },
      .supports = [bytes](const P& p, const Problem& problem, const Device& device) -> std::string {
        return too_much_shared(bytes(p, problem), device);
      },
      .loads_in_flight = [](const P& p) { return p.loads_in_flight; },
      .deterministic = always_deterministic<P>,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

/// The same for kernels with an axis `layout`.
template <class P>
Kernel copies_kernel(const std::string& name, SpaceOf<P> space, int (*copies)(const P&)) {
  space.axis("layout", &P::layout, block::layouts())
      .require("at least one copy", [copies](const P& p) { return copies(p) > 0; })
      .require("a single copy has one layout",
               [copies](const P& p) { return copies(p) > 1 || p.layout == block::copies_layout::interleaved; });
  return tiles_kernel<P>(name, std::move(space), copies, [](const P& p) { return p.layout; });
}

}  // namespace warpwright::image_histogram

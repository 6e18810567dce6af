// What the kernels with copies of the bins in shared memory have in common.
#pragma once

#include "kernels/histogram/copies.cuh"
#include "kernels/histogram/plans.hpp"

namespace warpwright::histogram {

/// The values of the axis `layout`.
inline std::vector<std::pair<layout, std::string>> layouts() {
  return {{layout::interleaved, "warpwright::histogram::layout::interleaved"},
          {layout::apart, "warpwright::histogram::layout::apart"}};
}

inline std::int64_t bytes_of_copies(int copies, layout how, const Problem& problem) {
  return 4 * std::int64_t{
                 words_of_copies(static_cast<unsigned>(copies), how, static_cast<unsigned>(problem.integer("bins")))};
}

/// The kernel `name` with copies(p) copies of the bins a block; `space` has the axes of its own. `refuses` says what it
/// does not solve for other reasons than shared memory.
template <class P>
Kernel copies_kernel(
    const std::string& name, SpaceOf<P> space, int (*copies)(const P&),
    std::string (*refuses)(const P&, const Problem&, const Device&) = [](const P&, const Problem&, const Device&) {
      return std::string();
    }) {
  space.axis("layout", &P::layout, layouts())
      .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8, 16})
      .axis("finish", &P::finish, finishes())
      .require("at least one copy", [copies](const P& p) { return copies(p) > 0; })
      .require("a single copy has one layout",
               [copies](const P& p) { return copies(p) > 1 || p.layout == layout::interleaved; });
  return make_kernel<P>({
      .pattern = "histogram",
      .name = name,
      .default_params = {},
      .space = with_rules_of_blocks(space),
      .plan =
          [name, copies](const P& p, const PlanRequest& request) {
            return counting_plan(request, {.function = name,
                                           .blocks = persistent_blocks(request.problem, request.device,
                                                                       keys_per_block(p), p.grid_blocks_per_sm),
                                           .block_size = p.block_size,
                                           .shared_bytes = bytes_of_copies(copies(p), p.layout, request.problem),
                                           .finish = p.finish});
          },
      .tile = tile_of<P>,
      .edges = [](const P& p, const Problem&) { return shapes_of_rows(p, keys_per_block(p)); },
      .supports = [copies, refuses](const P& p, const Problem& problem, const Device& device) -> std::string {
        const std::string reason = refused_bytes(bytes_of_copies(copies(p), p.layout, problem), device);
        return reason.empty() ? refuses(p, problem, device) : reason;
      },
      .loads_in_flight = coarsening_in_flight<P>,
      .deterministic = always_deterministic<P>,
      .launch_axes = {"grid_blocks_per_sm"},
  });
}

}  // namespace warpwright::histogram

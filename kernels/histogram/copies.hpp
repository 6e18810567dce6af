// Shared by the kernels that keep copies of the bins in shared memory.
#pragma once

#include "kernels/block/bin_copies.hpp"
#include "kernels/histogram/plans.hpp"
#include "kernels/model/refusals.hpp"

namespace warpwright::histogram {

/// Makes the kernel `name` with copies(p) copies of the bins per block. `space` has its own axes. `refuses` returns
/// reasons for refusal other than shared memory.
template <class P>
Kernel copies_kernel(
    const std::string& name, SpaceOf<P> space, int (*copies)(const P&),
    std::string (*refuses)(const P&, const Problem&, const Device&) = [](const P&, const Problem&, const Device&) {
      return std::string();
    }) {
  space.axis("layout", &P::layout, block::layouts())
      .axis("grid_blocks_per_sm", &P::grid_blocks_per_sm, {1, 2, 4, 8, 16})
      .axis("finish", &P::finish, finishes())
      .require("at least one copy", [copies](const P& p) { return copies(p) > 0; })
      .require("a single copy has one layout",
               [copies](const P& p) { return copies(p) > 1 || p.layout == block::copies_layout::interleaved; });
  const auto bytes = [copies](const P& p, const Problem& problem) {
    return block::bytes_of_copies(copies(p), p.layout, problem.integer("bins"));
  };
  return counting_kernel<P>(
      {.name = name,
       .space = with_rules_of_blocks(space),
       .shared_bytes = bytes,
       .supports = [bytes, refuses](const P& p, const Problem& problem, const Device& device) -> std::string {
         const std::string reason = too_much_shared(bytes(p, problem), device);
         return reason.empty() ? refuses(p, problem, device) : reason;
       }});
}

}  // namespace warpwright::histogram

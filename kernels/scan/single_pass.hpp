// Shared by single-launch scans: each block takes a tile by a ticket, and each tile has a descriptor.
#pragma once

#include "kernels/scan/plans.hpp"
#include "kernels/scan/single_pass_tile.cuh"

namespace warpwright::scan {

/// Number of 64-bit words in the descriptor of a tile.
inline std::int64_t descriptor_words(ElementType type) {
  return static_cast<std::int64_t>(size_of(type)) / 4;
}

/// The axes of a tile; `blocks` tiles share an SM's shared memory.
template <class P, class Blocks>
SpaceOf<P> single_pass_space(std::vector<int> block_sizes, Blocks blocks) {
  auto axes = tile_space<P>(std::move(block_sizes), {4, 8, 12, 16, 24, 32});
  axes.axis("tile_scan", &P::tile_scan, {tile_scan::warp_shuffle, tile_scan::coarsened})
      .axis("bank_pad", &P::bank_pad, {0, 1})
      .require("padding is for what lies in shared memory",
               [](const P& p) { return p.bank_pad == 0 || p.tile_scan == tile_scan::coarsened; })
      .require("what lies in shared memory is a power of two", [](const P& p) {
        return p.tile_scan == tile_scan::warp_shuffle || (p.coarsening & (p.coarsening - 1)) == 0;
      });
  axes.require("shared memory holds the tiles", [blocks](const P& p, const Surroundings& around) {
    return fits_shared(tile_cost(p).elements, blocks(p), around);
  });
  return axes;
}

/// One launch of `function`(in, out, descriptors, counters, n) with one block per tile; the first counter is the
/// ticket. Descriptors and counters restore themselves.
template <class P>
Plan single_pass_plan(const P& p, const PlanRequest& request, const std::string& function, int counters) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  if (problem.elements() == 0) return plan;
  const std::int64_t tiles = divide_up(problem.elements(), tile_elements(p));
  const int shared = tile_cost(p).elements * static_cast<int>(size_of(problem.type()));
  plan.buffers.push_back({.name = "descriptors",
                          .role = Role::scratch,
                          .type = ElementType::u64,
                          .count = tiles * descriptor_words(problem.type()),
                          .self_restoring = true});
  plan.buffers.push_back(
      {.name = "counters", .role = Role::scratch, .type = ElementType::u32, .count = counters, .self_restoring = true});
  plan.steps.push_back({.what = Launch{.entry = request.entry(function, arguments(problem)),
                                       .grid = {.x = static_cast<std::uint32_t>(tiles)},
                                       .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                                       .shared_bytes = static_cast<std::uint32_t>(shared),
                                       .arguments = {pointer_to("in"), pointer_to("out"), pointer_to("descriptors"),
                                                     pointer_to("counters"), value(problem.elements())}}});
  return plan;
}

/// Inserts a timed step before the others that zeroes the descriptors, which then do not restore themselves.
inline void zero_descriptors_first(Plan& plan) {
  for (Buffer& buffer : plan.buffers)
    if (buffer.name == "descriptors") {
      buffer.self_restoring = false;
      plan.steps.insert(
          plan.steps.begin(),
          {.what = Memset{.buffer = buffer.name, .count = buffer.count, .value = value(std::uint64_t{0})}});
    }
}

/// Depth: the combinations within a tile, and one for every later tile.
template <class P>
double chain_depth(const P& p, const Problem& problem) {
  return tile_cost(p).depth + 2.0 + static_cast<double>(divide_up(problem.elements(), tile_elements(p)));
}

}  // namespace warpwright::scan

// Shared by the plans of scan.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/block/section.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::scan {

/// The buffers of a problem: in and out (same number of elements).
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::block::sum"
std::string operator_name(const Problem& problem);

/// "warpwright::scan::kind::inclusive"
std::string kind_name(const Problem& problem);

/// The leading template arguments of a scan of the problem.
std::vector<std::string> arguments(const Problem& problem);

/// How a three-kernel scan divides its problem into tiles, and how it is launched.
struct TileShape {
  std::int64_t tile = 0;  ///< elements
  int block_size = 0;
  int vector_width = 1;          ///< elements per access when prefixes are added
  int shared_elements = 0;       ///< of dynamic shared memory
  bool has_totals_pass = false;  ///< the first kernel, NAME_totals, writes only totals; the last is NAME_behind
};

/// `function` scans the tiles; their totals are scanned by the same kernel, level by level; then the prefix before each
/// tile is added.
Plan three_kernel_plan(const PlanRequest& request, const std::string& function, const TileShape& shape);

/// Number of levels of such a scan: tiles, tiles of their totals, ...
int levels(std::int64_t elements, std::int64_t tile);

/// Depth of such a scan, if a tile has `depth`.
double three_kernel_depth(const Problem& problem, std::int64_t tile, int depth);

/// Shapes at which the second level begins, is full, and has a second tile.
std::vector<std::vector<std::int64_t>> level_edges(std::int64_t tile);

/// Whether a block may have this many elements in dynamic shared memory, with `blocks` blocks per SM, in addition to
/// what it declares statically.
bool fits_shared(int elements, int blocks, const Surroundings& around);

/// The axes shared by all kernels with tiles; `coarsening` and `vector_width` are powers of two unless other values are
/// given.
template <class P>
SpaceOf<P> tile_space(std::vector<int> block_sizes, std::vector<int> coarsenings) {
  SpaceOf<P> space;
  space.axis("block_size", &P::block_size, std::move(block_sizes))
      .axis("coarsening", &P::coarsening, std::move(coarsenings))
      .axis("vector_width", &P::vector_width, {1, 2, 4})
      .require("whole vectors", [](const P& p) { return p.coarsening % p.vector_width == 0; })
      .require("at most 128 bytes held a thread", [](const P& p, const Surroundings& around) {
        return p.coarsening * static_cast<int>(size_of(around.type())) <= 128;
      });
  return space;
}

/// A three-kernel scan with tiles of block_size * coarsening elements and the given cost per tile. `has_totals_pass`:
/// the first kernel writes only totals.
template <class P>
Kernel section_kernel(const std::string& name, SpaceOf<P> space, std::function<block::section_cost(const P&)> cost,
                      bool has_totals_pass = false) {
  space.require("shared memory holds the section",
                [cost](const P& p, const Surroundings& around) { return fits_shared(cost(p).elements, 1, around); });
  return make_kernel<P>({
      .pattern = "scan",
      .name = name,
      .default_params = {},
      .space = std::move(space),
      .plan =
          [name, cost, has_totals_pass](const P& p, const PlanRequest& request) {
            return three_kernel_plan(request, name,
                                     {.tile = tile_elements(p),
                                      .block_size = p.block_size,
                                      .vector_width = p.vector_width,
                                      .shared_elements = cost(p).elements,
                                      .has_totals_pass = has_totals_pass});
          },
      .tile = tile_extents<P>,
      .depth = [cost](const P& p, const Problem& problem,
                      const Device&) { return three_kernel_depth(problem, tile_elements(p), cost(p).depth); },
      .edges = [](const P& p, const Problem&) { return level_edges(tile_elements(p)); },
      .loads_in_flight = [](const P& p) { return p.coarsening / p.vector_width; },
      .deterministic = always_deterministic<P>,
  });
}

}  // namespace warpwright::scan

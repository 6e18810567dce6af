// Tiles of single-launch scans: in registers, or in shared memory in three phases.
#pragma once

#include "kernels/block/coarsened.cuh"
#include "kernels/scan/register_tile.cuh"
#include "kernels/scan/section_tile.cuh"

namespace warpwright::scan {

/// How a tile is scanned.
enum class tile_scan {
  warp_shuffle,  ///< in registers
  coarsened      ///< in shared memory, in three phases
};

/// The shared memory of a tile of P, and the number of combinations between an element and a result, not counting the
/// prefix before the tile.
template <class P>
__host__ __device__ constexpr block::section_cost tile_cost(const P& p) {
  return p.tile_scan == tile_scan::coarsened
             ? block::coarsened_cost(p.block_size * p.coarsening, p.block_size, p.bank_pad)
             : register_tile_cost(p.coarsening, p.vector_width);
}

namespace detail {

template <class T, class Op, auto P, tile_scan By>
struct single_pass_tile {
  using type = register_tile<T, Op, P.block_size, P.coarsening, P.vector_width>;
};
template <class T, class Op, auto P>
struct single_pass_tile<T, Op, P, tile_scan::coarsened> {
  using section = block::coarsened<P.block_size * P.coarsening, P.block_size, P.bank_pad>;
  using type = section_tile<T, Op, P.block_size, P.vector_width, section>;
};

}  // namespace detail

/// The tile of block_size * coarsening elements that P.tile_scan asks for.
template <class T, class Op, auto P>
using single_pass_tile = typename detail::single_pass_tile<T, Op, P, P.tile_scan>::type;

}  // namespace warpwright::scan

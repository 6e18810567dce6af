// Shared by the plans of kernels in which warps process rows.
#pragma once

#include <algorithm>

#include "kernels/richardson/plans.hpp"
#include "kernels/richardson/warp_rows.cuh"

namespace warpwright::richardson {

/// Roundings of a sum over the lanes of a warp.
inline constexpr int kWarpLevels = 5;

/// Number of rows per block.
template <class P>
std::int64_t block_rows(const P& p) {
  return std::int64_t{p.block_size} / 32 * p.rows_per_warp;
}

/// Number of terms that a lane adds of this many in a row.
template <class P>
std::int64_t lane_terms(const P& p, std::int64_t terms) {
  return divide_up(terms, 32 * p.vector_width) * p.vector_width;
}

/// Adds the shared axes.
template <class P>
SpaceOf<P> with_warp_axes(SpaceOf<P> space) {
  return space.axis("rows_per_warp", &P::rows_per_warp, {1, 2, 4, 8})
      .renamed("coarsening", "rows_per_warp")
      .axis("vector_width", &P::vector_width, {1, 2, 4})
      .axis("unroll", &P::unroll, {1, 2, 4, 8})
      .axis("hint", &P::hint, {block::load_hint::plain, block::load_hint::read_only, block::load_hint::streaming})
      .require("accesses of 16 bytes at most",
               [](const P& p, const Surroundings& around) {
                 return p.vector_width * static_cast<int>(size_of(around.type())) <= 16;
               })
      .require("at most 128 registers of entries under way", [](const P& p, const Surroundings& around) {
        return p.rows_per_warp * p.unroll * p.vector_width * static_cast<int>(size_of(around.type())) <= 512;
      });
}

}  // namespace warpwright::richardson

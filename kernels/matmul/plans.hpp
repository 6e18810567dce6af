// What the pattern and the plans of matrix products have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/matmul/problems.hpp"
#include "kernels/matmul/product.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::matmul {

/// a, b and c of a problem, with what lies behind their rows.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::matmul::form::plain"
std::string form_name(const Problem& problem);

/// alpha and beta as an argument of type scale<Sum>.
ValueArgument scale_argument(ElementType sum, double alpha, double beta);

/// Most blocks of a grid's first dimension.
inline constexpr std::int64_t kMostBlocks = 0x7fffffff;
/// Most tiles of C: their numbers, times the rows of tiles of a group, are ints.
inline constexpr std::int64_t kMostTiles = std::int64_t{1} << 27;

/// The plan that launches `function`(a, b, c, extents, scale) of the kernel, so many blocks of that size. None for an
/// empty C; over no terms for alpha = 0.
Plan product_plan(const PlanRequest& request, const std::string& function, Dim3 grid, Dim3 block,
                  std::uint32_t shared_bytes = 0);

/// The plan with its launch's sums split into so many parts, which add_parts (split_sums.cuh) adds up; as it is for 1.
Plan split_plan(const PlanRequest& request, Plan whole, int splits);

}  // namespace warpwright::matmul

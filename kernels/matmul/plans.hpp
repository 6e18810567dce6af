// Shared by the pattern and the plans of matmul.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/matmul/problems.hpp"
#include "kernels/matmul/product.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::matmul {

/// The buffers of a problem: a, b and c, including the memory after their rows.
std::vector<Buffer> buffers(const Problem& problem);

/// "warpwright::matmul::form::plain"
std::string form_name(const Problem& problem);

/// The type of elements of A and B in entries: "float"
std::string element_name(const Problem& problem);

/// alpha and beta as an argument of type scale<Sum>.
ValueArgument scale_argument(ElementType sum, double alpha, double beta);

/// Most blocks in a grid's first dimension.
inline constexpr std::int64_t kMostBlocks = 0x7fffffff;
/// Most tiles of C: tile numbers, multiplied by the number of rows of tiles in a group, must fit an int.
inline constexpr std::int64_t kMostTiles = std::int64_t{1} << 27;

/// The plan that launches `function`(a, b, c, extents, scale) with this grid and block, and a row of blocks in y for
/// each product. No launch for an empty C; for alpha = 0 the product has no terms.
Plan product_plan(const PlanRequest& request, const std::string& function, Dim3 grid, Dim3 block,
                  std::uint32_t shared_bytes = 0);

/// The plan with the sums of its launch split into `splits` parts, which add_parts (split_sums.cuh) adds; unchanged for
/// 1.
Plan split_plan(const PlanRequest& request, Plan whole, int splits);

}  // namespace warpwright::matmul

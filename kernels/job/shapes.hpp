// Shapes that follow from a job's launches.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/job/lowering.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// The number of elements that one block handles in each dimension: the largest extent with one block in the first
/// launch, or, if the launch rounds down, the smallest. If the grid does not depend on the dimension, the number of
/// threads in the block.
std::vector<std::int64_t> tile_of(const Lowering& lowering, const Point& point);

/// A small shape without partial tiles: the first tuning shape, halved as often as the kernel accepts it and until it
/// is little work. If it stays too large, the last of `check_shapes`.
std::vector<std::int64_t> trace_shape_of(const Pattern& pattern, const Kernel& kernel,
                                         const std::vector<std::vector<std::int64_t>>& check_shapes);

}  // namespace warpwright::job

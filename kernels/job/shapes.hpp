// Shapes that follow from a job's launches.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/job/lowering.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// Elements per dimension that one block handles: as far as the first launch's grid stays of one block, or as far as
/// it takes to have one. Where the grid does not depend on a dimension, its threads.
std::vector<std::int64_t> tile_of(const Lowering& lowering, const Point& point);

/// A small shape without ragged edges: the first tuned one, halved while it is much work and the kernel takes it; the
/// last of `judged` where that stays too large.
std::vector<std::int64_t> trace_shape_of(const Pattern& pattern, const Kernel& kernel,
                                         const std::vector<std::vector<std::int64_t>>& judged);

}  // namespace warpwright::job

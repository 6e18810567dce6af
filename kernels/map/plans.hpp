// Shared by the plans of map.
#pragma once

#include "kernels/map/problems.hpp"
#include "kernels/model/kernel.hpp"

namespace warpwright::map {

/// Number of operations that cost as much as one checked access.
constexpr double kOperationsAStep = 16;

/// The buffers of a problem: x and z, with y between them if the operation has two operands.
std::vector<Buffer> buffers(const Problem& problem);

/// The factor of x in op=axpy, in the problem's type.
ValueArgument alpha_of(const Problem& problem);

/// One launch of `function` with the problem's buffers, then `values`, then the number of elements; no launch if
/// `blocks` is 0.
Plan map_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size,
              const std::vector<Argument>& values);

}  // namespace warpwright::map

// What the plans of maps have in common.
#pragma once

#include "kernels/map/problems.hpp"
#include "kernels/model/kernel.hpp"

namespace warpwright::map {

/// Operations that are as cheap together as an access that is checked.
constexpr double kOperationsAStep = 16;

/// x and z of a problem, and y between them where the operation takes two.
std::vector<Buffer> buffers(const Problem& problem);

/// The factor of x in op=axpy, in the problem's type.
ValueArgument alpha_of(const Problem& problem);

/// One launch of `function` over the problem's buffers, then `values`, then the number of elements; none for no blocks.
Plan map_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size,
              const std::vector<Argument>& values);

}  // namespace warpwright::map

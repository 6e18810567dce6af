// What the plans of maps have in common.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::map {

/// x and z of a problem, and y between them where the operation takes two.
std::vector<Buffer> buffers(const Problem& problem);

/// Whether that is the problem's operation.
bool is_axpy(const Problem& problem);
bool is_sqrt_loop(const Problem& problem);

/// The factor of x in op=axpy, in the problem's type.
ValueArgument alpha_of(const Problem& problem);

/// One launch of `function` over the problem's buffers, then `values`, then the number of elements; none for no blocks.
Plan map_plan(const PlanRequest& request, const std::string& function, std::int64_t blocks, int block_size,
              const std::vector<Argument>& values);

/// Empty where the problem's operation is `op`, else what the kernel solves.
std::string solves_only(const Problem& problem, const std::string& op);

/// Why a problem is no sum of floating products; empty where it is.
std::string refuses_as_axpy(const Problem& problem);

}  // namespace warpwright::map

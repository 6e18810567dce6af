// The buffers and the plan of both toy kernels.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::scale {

std::vector<Buffer> buffers(const Problem& problem);
Plan scale_plan(const PlanRequest& request, const std::string& function, int block_size);

}  // namespace warpwright::scale

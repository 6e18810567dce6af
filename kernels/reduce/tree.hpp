// The space and plan shared by the reductions by a tree in shared memory.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::reduce {

/// The kernel `name`, whose params are tree_params, for blocks of `least_block` threads or more.
Kernel tree_kernel(const std::string& name, int least_block = 32);

}  // namespace warpwright::reduce

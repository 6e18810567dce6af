// The parameter space and plan shared by tree reductions in shared memory.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::reduce {

/// The kernel `name` with tree_params, for blocks of at least `least_block` threads.
Kernel tree_kernel(const std::string& name, int least_block = 32);

}  // namespace warpwright::reduce

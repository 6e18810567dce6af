// The parameter space and plan shared by the two transposes without shared memory.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::transpose {

/// Neighbouring threads lie along the dimension `fast` of the input and across `slow` (0 = rows).
Kernel naive_kernel(const std::string& name, std::size_t slow, std::size_t fast);

}  // namespace warpwright::transpose

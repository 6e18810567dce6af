// The space and plan shared by the two transpositions without shared memory.
#pragma once

#include "kernels/model/kernel.hpp"

namespace warpwright::transpose {

/// `fast` and `slow` are the dimensions (0 = rows) along and across which neighbouring threads lie.
Kernel naive_kernel(const std::string& name, std::size_t slow, std::size_t fast);

}  // namespace warpwright::transpose

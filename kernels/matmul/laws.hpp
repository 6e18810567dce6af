// Laws of matrix products: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::matmul {

/// All laws require inputs for which nothing is rounded.
std::vector<Law> laws();

}  // namespace warpwright::matmul

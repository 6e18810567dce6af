// Laws of eigenvalues: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::eigen {

std::vector<Law> laws();

}  // namespace warpwright::eigen

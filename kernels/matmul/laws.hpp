// Relations that matrix products satisfy without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::matmul {

/// All of them ask for inputs on which nothing is rounded.
std::vector<Law> laws();

}  // namespace warpwright::matmul

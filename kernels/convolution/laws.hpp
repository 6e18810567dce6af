// Relations that a convolution satisfies without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::convolution {

/// All of them ask for inputs on which nothing is rounded.
std::vector<Law> laws();

}  // namespace warpwright::convolution

// Laws of random numbers: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::random {

std::vector<Law> laws();

}  // namespace warpwright::random

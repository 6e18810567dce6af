// Laws of gravitating bodies: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::nbody {

std::vector<Law> laws();

}  // namespace warpwright::nbody

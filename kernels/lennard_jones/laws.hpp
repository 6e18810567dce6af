// Laws of interacting atoms: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::lennard_jones {

std::vector<Law> laws();

}  // namespace warpwright::lennard_jones

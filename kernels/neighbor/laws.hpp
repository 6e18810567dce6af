// Laws of neighbour lists: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::neighbor {

std::vector<Law> laws();

}  // namespace warpwright::neighbor

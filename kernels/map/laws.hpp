// Laws of maps: relations that results satisfy, checked without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::map {

std::vector<Law> laws();

}  // namespace warpwright::map

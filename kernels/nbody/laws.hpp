// Relations that bodies which pull one another satisfy without an oracle.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::nbody {

std::vector<Law> laws();

}  // namespace warpwright::nbody

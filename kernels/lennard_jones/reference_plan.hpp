// The reference plan for large problems: all pairs in double on the device.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::lennard_jones {

Reference reference(const Problem& problem, const Device& device);

}  // namespace warpwright::lennard_jones

// The plan that large results are compared with: all pairs in double on the device.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::lennard_jones {

Reference reference(const Problem& problem, const Device& device);

}  // namespace warpwright::lennard_jones

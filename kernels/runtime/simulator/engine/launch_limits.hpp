// Which launches a device and the simulator accept.
#pragma once

#include <string>

#include "kernels/core/device.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// Why the launch is illegal, in words; empty if it is legal.
std::string refusal_of(const Launch& launch, const Device& device);

/// Whether one multiprocessor holds all blocks of the grid at once, so that each of them starts even if others wait.
/// The size of static shared memory is not taken into account.
bool fits_on_one_multiprocessor(const Launch& launch, const Device& device);

}  // namespace warpwright::simulator

// Which launches a device takes, and the simulator.
#pragma once

#include <string>

#include "kernels/core/device.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// Why the launch is illegal, in words; empty where it is legal.
std::string refusal_of(const Launch& launch, const Device& device);

}  // namespace warpwright::simulator

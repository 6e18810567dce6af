// Which launches a device and the simulator accept.
#pragma once

#include <string>

#include "kernels/core/device.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// Why the launch is illegal, in words; empty if it is legal.
std::string refusal_of(const Launch& launch, const Device& device);

}  // namespace warpwright::simulator

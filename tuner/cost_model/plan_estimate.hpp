// A rough time of a plan, from its steps and buffers alone: for the order in which kernels are tried first.
#pragma once

#include "kernels/core/device.hpp"
#include "kernels/model/plan.hpp"

namespace warpwright::tuner {

/// Microseconds: an overhead for each launch, and for each pass over the data the time in which the memory reads the
/// inputs and writes the outputs once. A launch with at least half as many threads as the largest one is a pass. If
/// even the largest launch does not fill the device, a pass takes longer in proportion. For a plan with data in the
/// CPU's memory: the time on the bus, where streams and directions overlap, that of steps on the CPU, and one pass.
/// Nothing is compiled, and the code is not considered.
double estimated_us(const Plan& plan, const Device& device);

}  // namespace warpwright::tuner

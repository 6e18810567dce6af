// Parts of a launch in the driver's form: tensor maps and attributes.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright::gpu {

/// The tensor map of the matrix that begins at that address. Throws NotLaunchable for one that this GPU cannot make,
/// DriverError for other failures.
CUtensorMap encoded(const TensorMap& map, std::uint64_t address);

/// Clusters, and whether the launch is cooperative or programmatic.
std::vector<CUlaunchAttribute> attributes_of(const Launch& launch);

}  // namespace warpwright::gpu

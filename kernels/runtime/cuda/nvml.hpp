// What the management library says of a GPU, where it is installed; every reading may be missing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::gpu {

/// `uuid` as in GpuInfo; `computes` says whether this process itself computes on the GPU. Without the library, or where
/// it refuses an answer (as for parts of a GPU), readings are missing.
Sensors read_sensors(const std::string& uuid, bool computes);

/// How many of the processes that compute on a GPU are not `own`. Where `own` computes and is not among them it goes by
/// another number, as in a container, and one of them is it.
int other_processes(std::span<const unsigned> pids, unsigned own, bool computes);

}  // namespace warpwright::gpu

// Readings of the management library (NVML) about a GPU, if it is installed. Any reading may be missing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::gpu {

/// `uuid` as in GpuInfo; `computes` says whether this process itself computes on the GPU. Without the library, or if it
/// refuses an answer (as for parts of a GPU), readings are missing.
Sensors read_sensors(const std::string& uuid, bool computes);

/// The energy counter of a board.
class EnergyCounter {
 public:
  explicit EnergyCounter(const std::string& uuid);

  std::optional<double> joules() const;

 private:
  void* handle_ = nullptr;  ///< null without the library
};

/// How many processes other than `own` compute on a GPU. If `own` computes but is not among them, one of them is `own`
/// under another number, as in a container.
int other_processes(std::span<const unsigned> pids, unsigned own, bool computes);

}  // namespace warpwright::gpu

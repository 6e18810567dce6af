// What the management library says of a GPU, where it is installed; every reading may be missing.
#pragma once

#include <optional>
#include <string>

namespace warpwright::gpu {

struct Sensors {
  std::string driver;  ///< "580.159.03", empty without the library
  std::optional<double> power_w;
  std::optional<double> temperature_c;
  std::optional<double> sm_clock_mhz;
  std::optional<int> other_processes;  ///< processes other than this one that compute on the GPU
  std::string throttle_reasons;        ///< in words; empty when the clocks are not held back
};

/// `uuid` as in GpuInfo.
Sensors read_sensors(const std::string& uuid);

}  // namespace warpwright::gpu

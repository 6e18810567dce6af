// The compilers of a worker: their versions and fingerprints.
#pragma once

#include <string>
#include <vector>

namespace warpwright::worker {

/// The compilers of this computer; for a missing one, the reason.
struct Toolchain {
  std::string nvrtc_version = {}, nvrtc_fingerprint = {}, nvrtc_error = {};
  std::vector<int> architectures = {};                     ///< compute capabilities that NVRTC knows
  std::string linker_fingerprint = {}, linker_error = {};  ///< of the device linker, for kernels that launch kernels
  std::string host_fingerprint = {}, host_functions_fingerprint = {}, host_error = {};
  std::string program_fingerprint = {};  ///< of the worker: failures cached by another worker are tried again
};

}  // namespace warpwright::worker

// What a worker compiles with: compilers, their versions and fingerprints.
#pragma once

#include <string>
#include <vector>

namespace warpwright::worker {

/// The compilers of this computer; for one that is missing, the reason.
struct Toolchain {
  std::string nvrtc_version = {}, nvrtc_fingerprint = {}, nvrtc_error = {};
  std::vector<int> architectures = {};                     ///< compute capabilities that NVRTC knows
  std::string linker_fingerprint = {}, linker_error = {};  ///< of the device linker, for kernels that launch kernels
  std::string host_fingerprint = {}, host_functions_fingerprint = {}, host_error = {};
  std::string program_fingerprint = {};  ///< of the worker: a failure that another worker met is tried again
};

}  // namespace warpwright::worker

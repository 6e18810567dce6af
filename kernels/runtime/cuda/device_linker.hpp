// Links relocatable cubins with CUDA's device runtime, for kernels that launch kernels. Works without a GPU.
#pragma once

#include <string>

namespace warpwright::gpu {

class DeviceLinker {
 public:
  /// Throws EnvironmentFault that says what to install or set if nvJitLink or the device runtime is missing.
  DeviceLinker();

  /// Identifies everything that changes the result, except the cubin and the target; part of the cache key.
  std::string fingerprint() const;

  /// The linked cubin, which the driver can load. `target` is "sm_XX". Throws std::runtime_error with the linker's
  /// message.
  std::string link(const std::string& cubin, const std::string& target) const;
};

}  // namespace warpwright::gpu

// What kernels say that a device cannot run; each empty where it can.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/core/device.hpp"

namespace warpwright {

/// Of blocks that take so many bytes of shared memory.
inline std::string too_much_shared(std::int64_t bytes, const Device& device) {
  if (bytes <= device.shared_per_block_optin) return {};
  return "needs " + std::to_string(bytes) + " bytes of shared memory, of which a block has " +
         std::to_string(device.shared_per_block_optin);
}

/// Of kernels that copy to shared memory asynchronously.
inline std::string no_async_copies(const Device& device) {
  return device.compute_capability >= 80 ? "" : "asynchronous copies need sm_80";
}

}  // namespace warpwright

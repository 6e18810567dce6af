// Texts that say why a device cannot run a kernel; each is empty if it can.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/core/device.hpp"

namespace warpwright {

/// For blocks with that many bytes of shared memory.
inline std::string too_much_shared(std::int64_t bytes, const Device& device) {
  if (bytes <= device.shared_per_block_optin) return {};
  return "needs " + std::to_string(bytes) + " bytes of shared memory, of which a block has " +
         std::to_string(device.shared_per_block_optin);
}

/// For kernels with asynchronous copies to shared memory.
inline std::string no_async_copies(const Device& device) {
  return device.compute_capability >= 80 ? "" : "asynchronous copies need sm_80";
}

}  // namespace warpwright

// What plans and spaces of kernels with copies of the bins in shared memory have in common.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/block/bin_copies.cuh"
#include "kernels/model/device.hpp"

namespace warpwright::block {

/// The values of the axis `layout`.
inline std::vector<std::pair<layout, std::string>> layouts() {
  return {{layout::interleaved, "warpwright::block::layout::interleaved"},
          {layout::apart, "warpwright::block::layout::apart"}};
}

/// Bytes of shared memory that so many copies of the bins take.
inline std::int64_t bytes_of_copies(int copies, layout how, std::int64_t bins) {
  return 4 * std::int64_t{words_of_copies(static_cast<unsigned>(copies), how, static_cast<unsigned>(bins))};
}

/// Why blocks with so many bytes of shared memory cannot be; empty where they can.
inline std::string refused_bytes(std::int64_t bytes, const Device& device) {
  if (bytes <= device.shared_per_block_optin) return "";
  return "needs " + std::to_string(bytes) + " bytes of shared memory a block, of which there are " +
         std::to_string(device.shared_per_block_optin);
}

}  // namespace warpwright::block

// Shared by plans and spaces of kernels that keep copies of the bins in shared memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/block/bin_copies.cuh"

namespace warpwright::block {

/// The values of the axis `layout`.
inline std::vector<copies_layout> layouts() {
  return {copies_layout::interleaved, copies_layout::apart};
}

/// Bytes of shared memory for this many copies of the bins.
inline std::int64_t bytes_of_copies(int copies, copies_layout how, std::int64_t bins) {
  return 4 * std::int64_t{words_of_copies(static_cast<unsigned>(copies), how, static_cast<unsigned>(bins))};
}

}  // namespace warpwright::block

// Occupancy: how many blocks of a kernel fit on an SM, and what limits them, computed by the toolkit's cuda_occupancy.h
// without a GPU.
#pragma once

#include <string>

#include "kernels/core/device.hpp"

namespace warpwright::tuner {

/// Resources of one block of a compiled kernel. Sizes in bytes, without the part reserved by the system.
struct BlockResources {
  int block_size = 0;            ///< threads
  int registers = 0;             ///< per thread
  int static_shared_bytes = 0;   ///< as the compiler reports it
  int dynamic_shared_bytes = 0;  ///< as requested by the launch
  int max_block_size = 1 << 30;  ///< from launch bounds, if there are any
};

struct Occupancy {
  int blocks_per_sm = 0;  ///< 0 if a block cannot be launched
  double fraction = 0;    ///< resident warps / most warps that the SM can hold
  std::string limit;      ///< which resource limits the number of blocks: see occupancy()
};

/// `limit` is "warps" (threads per SM), "registers", "shared memory", "blocks" (per SM) or "barriers"; if several limit
/// equally, the first of these. If a block cannot be launched at all, it is "block size", "launch bounds", "registers"
/// or "shared memory". Throws std::invalid_argument for a device that the toolkit's header does not know, or for
/// negative resources.
Occupancy occupancy(const Device& device, const BlockResources& block);

}  // namespace warpwright::tuner

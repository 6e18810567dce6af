// How many blocks of a kernel fit on an SM and what limits them: the toolkit's cuda_occupancy.h without a GPU.
#pragma once

#include <string>

#include "kernels/core/device.hpp"

namespace warpwright::tuner {

/// What one block of a compiled kernel needs. Sizes in bytes, without the system's reserved part.
struct BlockResources {
  int block_size = 0;            ///< threads
  int registers = 0;             ///< per thread
  int static_shared_bytes = 0;   ///< as the compiler reports it
  int dynamic_shared_bytes = 0;  ///< as the launch asks for it
  int max_block_size = 1 << 30;  ///< launch bounds, where there are any
};

struct Occupancy {
  int blocks_per_sm = 0;  ///< 0: a block cannot be launched
  double fraction = 0;    ///< resident warps / the most that the SM can hold
  std::string limit;      ///< what keeps another block out: see occupancy()
};

/// `limit` is "warps" (threads per SM), "registers", "shared memory", "blocks" (per SM) or "barriers", the first of
/// these where several bind; for blocks that cannot be launched at all "block size", "launch bounds", "registers" or
/// "shared memory". Throws std::invalid_argument for a device that the toolkit's header does not know or for
/// resources that are negative.
Occupancy occupancy(const Device& device, const BlockResources& block);

}  // namespace warpwright::tuner

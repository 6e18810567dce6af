// What the scans in one launch have in common on the device: descriptors of tiles, and how they are made zero.
#pragma once

#include "kernels/block/long_descriptor.cuh"

namespace warpwright::scan {

/// What makes the descriptors zero for the next run.
enum class restore {
  memset,     ///< a step of the plan in front of the launch
  last_block  ///< the block that finishes last
};

}  // namespace warpwright::scan

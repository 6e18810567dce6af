// Replaces <cuda_pipeline.h> in the simulator: asynchronous copies by one thread, as plain functions.
// Replaces: cuda_pipeline.h cuda_pipeline_primitives.h
#pragma once

#include "kernels/runtime/cpu_headers/copies.cuh"

/// Copies `bytes` - `zeros` bytes and fills the remaining `zeros` bytes with zero.
WARPWRIGHT_UNSEEN inline void __pipeline_memcpy_async(void* to, const void* from, unsigned long bytes,
                                                      unsigned long zeros = 0) {
  const void* const site = __builtin_return_address(0);
  if (zeros == 0) {
    warpwright::simulator::runtime->async_copy(to, from, static_cast<unsigned>(bytes), site);
    return;
  }
  warpwright::simulator::runtime->copy(to, from, bytes - zeros, site);
  warpwright::simulator::runtime->fill(static_cast<char*>(to) + (bytes - zeros), 0, zeros, site);
}
WARPWRIGHT_UNSEEN inline void __pipeline_commit() {
  warpwright::simulator::runtime->async_commit();
}
WARPWRIGHT_UNSEEN inline void __pipeline_wait_prior(unsigned long pending) {
  warpwright::simulator::runtime->async_wait(static_cast<unsigned>(pending), __builtin_return_address(0));
}

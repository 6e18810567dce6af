// Barriers of a block by number (bar.sync, bar.arrive), at which some of its warps meet. From sm_70.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright {

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)

/// Checked: the number of the barrier, and that all warps expect the same number of threads.
WARPWRIGHT_UNSEEN inline void barrier_wait(unsigned barrier, unsigned threads) {
  simulator::runtime->named_barrier({barrier, threads, true, true}, __builtin_return_address(0),
                                    __builtin_frame_address(0));
}
WARPWRIGHT_UNSEEN inline void barrier_arrive(unsigned barrier, unsigned threads) {
  simulator::runtime->named_barrier({barrier, threads, false, true}, __builtin_return_address(0),
                                    __builtin_frame_address(0));
}

#else

/// Waits until that many threads (a multiple of 32) have come to the barrier of that number, 0 to 15, by this function
/// or by barrier_arrive. All lanes of a warp call it together. What these threads did before is then done. Barrier 0 is
/// that of __syncthreads.
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/// The same without waiting.
__device__ __forceinline__ void barrier_arrive(unsigned barrier, unsigned threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

#endif

}  // namespace warpwright

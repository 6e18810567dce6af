// Launches that begin before the launch before them is complete (programmatic dependent launch): their blocks start
// while that one's last blocks run, and then wait. From sm_90; before, and in other launches, these functions do
// nothing.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright {

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)

/// Checked: a thread of a programmatic launch must call this, or a barrier behind a thread that did, before it reads
/// what the launch before writes, or writes what that one uses.
WARPWRIGHT_UNSEEN inline void wait_for_previous_launch() {
  simulator::runtime->wait_for_previous_launch();
}

/// In the simulator, the launch before is always complete.
inline void let_next_launch_begin() {}

#else

/// Waits until the launch before this one is complete, and this thread sees what it stored. So are launches before that
/// one, if it waited for them itself.
__device__ __forceinline__ void wait_for_previous_launch() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// When all blocks have called this, or have ended, the next launch of the stream begins, if it is programmatic.
__device__ __forceinline__ void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

#endif

}  // namespace warpwright

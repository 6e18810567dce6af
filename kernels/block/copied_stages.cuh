// A ring of stages in shared memory that a thread fills by bulk copies, or many threads fill, and that warps use in
// turn. From sm_80; bulk copies need sm_90.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// What the thread that fills and the warps that use the stages tell each other, in shared memory.
template <int Stages>
struct stage_barriers {
  phase_barrier full[Stages];   ///< the copies have arrived
  phase_barrier empty[Stages];  ///< nobody uses the stage any more

  /// By one thread; a barrier of the block follows.
  __device__ __forceinline__ void init(int warps_that_use, int arrivals_of_filled = 1) {
    for (int stage = 0; stage < Stages; ++stage) {
      phase_init(&full[stage], static_cast<unsigned>(arrivals_of_filled));
      phase_init(&empty[stage], static_cast<unsigned>(warps_that_use));
    }
    fence_async();
  }
};

/// The position of a thread in the ring. The one that fills, and those that use, go through all stages in the same
/// order.
template <int Stages>
struct stage_cursor {
  stage_barriers<Stages>& of;
  int stage = 0;
  unsigned parity = 0;

  __device__ __forceinline__ void next() {
    stage = stage + 1 == Stages ? 0 : stage + 1;
    parity ^= stage == 0 ? 1 : 0;
  }
  __device__ __forceinline__ void wait_until_empty() const { phase_wait(&of.empty[stage], parity ^ 1); }
  /// Before bulk copies of so many bytes into the stage, which name barrier() as theirs.
  __device__ __forceinline__ void begin_fill(unsigned bytes) const {
    wait_until_empty();
    phase_arrive_expect(&of.full[stage], bytes);
  }
  __device__ __forceinline__ phase_barrier* barrier() const { return &of.full[stage]; }
  /// Before the stage is used.
  __device__ __forceinline__ void wait() const { phase_wait(&of.full[stage], parity); }
  /// By whole warps: they are done with the stage.
  __device__ __forceinline__ void release() const {
    if (threadIdx.x % 32 == 0) phase_arrive(&of.empty[stage]);
  }
};

}  // namespace warpwright::block

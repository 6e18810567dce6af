// A known bug: volatile values guarded by a volatile flag, with no fence in between or with one of too narrow scope.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

enum class volatile_chain_form { right, without_fence, without_reading_fence, fence_of_block };

/// out[i] = in[0] + ... + in[i]. Each block of 32 threads takes the elements of its ticket and passes its last sum on.
/// flags[0..gridDim.x] and *ticket must be zero before; a set flags[tile] says that sums[tile] is valid.
template <volatile_chain_form Form>
__global__ void volatile_chain(const int* in, int* out, int* sums, unsigned* flags, unsigned* ticket, long long count) {
  using form = volatile_chain_form;
  __shared__ unsigned number;
  __shared__ int before;
  __shared__ int held[32];
  volatile int* const seen_sums = sums;
  volatile unsigned* const seen_flags = flags;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) number = atomicAdd(ticket, 1U);
  __syncthreads();
  const unsigned tile = number;
  const long long at = static_cast<long long>(tile) * 32 + thread;
  held[thread] = at < count ? in[at] : 0;
  __syncthreads();
  if (thread == 0) {
    int sum = 0;
    if (tile > 0) {
      while (seen_flags[tile - 1] == 0) {
      }
      if constexpr (Form == form::right || Form == form::without_fence) __threadfence();
      if constexpr (Form == form::fence_of_block) __threadfence_block();
      sum = seen_sums[tile - 1];
    }
    before = sum;
    for (int i = 0; i < 32; ++i) sum += held[i];
    seen_sums[tile] = sum;
    if constexpr (Form == form::right || Form == form::without_reading_fence) __threadfence();
    if constexpr (Form == form::fence_of_block) __threadfence_block();
    seen_flags[tile] = 1;
  }
  __syncthreads();
  int sum = before;
  for (int i = 0; i <= thread; ++i) sum += held[i];
  if (at < count) out[at] = sum;
}

}  // namespace warpwright::known_bugs

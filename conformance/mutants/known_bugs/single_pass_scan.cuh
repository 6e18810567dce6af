// A famous mistake: a scan in one pass whose blocks wait for the block with the number before theirs, which may not
// run.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

/// out[i] = in[0] + ... + in[i]; each block of 32 threads takes 32 elements and hands its last sum on.
/// flags[0..gridDim.x] and *ticket are zero before; flags[0] is not used, sums[block + 1] holds what flags[block + 1]
/// announces.
template <bool Right>
__global__ void single_pass_scan(const int* in, int* out, int* sums, unsigned* flags, unsigned* ticket,
                                 long long count) {
  __shared__ unsigned number;
  __shared__ int before;
  __shared__ int held[32];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) number = Right ? atomicAdd(ticket, 1U) : blockIdx.x;
  __syncthreads();
  const unsigned block = number;
  const long long at = static_cast<long long>(block) * 32 + thread;
  held[thread] = at < count ? in[at] : 0;
  __syncthreads();
  if (thread == 0) {
    int sum = 0;
    if (block > 0) {
      while (load_acquire(&flags[block]) == 0) {
      }
      sum = sums[block];
    }
    before = sum;
    for (int i = 0; i < 32; ++i) sum += held[i];
    sums[block + 1] = sum;
    store_release(&flags[block + 1], 1U);
  }
  __syncthreads();
  int sum = before;
  for (int i = 0; i <= thread; ++i) sum += held[i];
  if (at < count) out[at] = sum;
}

}  // namespace warpwright::known_bugs

// A known bug: a single-pass scan whose blocks wait for the block with the previous number, which may not be running.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

/// out[i] = in[0] + ... + in[i]. Each block of 32 threads scans 32 elements and passes its last sum on.
/// flags[0..gridDim.x] and *ticket must be zero before. flags[0] is not used; a set flags[block + 1] says that
/// sums[block + 1] is valid.
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

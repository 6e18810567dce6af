// Two known bugs: a Kogge-Stone scan that adds in place, and one without its second barrier.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

enum class kogge_stone_form { right, without_temporary, without_second_barrier };

/// out[i] = in[first] + ... + in[i], over the BlockSize elements of the block.
template <kogge_stone_form Form, int BlockSize>
__global__ void kogge_stone(const int* in, int* out, long long count) {
  __shared__ int sums[BlockSize];
  const int thread = static_cast<int>(threadIdx.x);
  const long long at = static_cast<long long>(blockIdx.x) * BlockSize + thread;
  sums[thread] = at < count ? in[at] : 0;
  __syncthreads();
  for (int distance = 1; distance < BlockSize; distance *= 2) {
    if (Form == kogge_stone_form::without_temporary) {
      if (thread >= distance) sums[thread] += sums[thread - distance];
    } else {
      const int added = thread >= distance ? sums[thread - distance] : 0;
      __syncthreads();
      sums[thread] += added;
    }
    if (Form != kogge_stone_form::without_second_barrier) __syncthreads();
  }
  if (at < count) out[at] = sums[thread];
}

}  // namespace warpwright::known_bugs

// A known bug: threads append to one list and count its elements without atomics.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::known_bugs {

/// Appends a 7 to list[0..*length) for every positive element of in[0..count).
template <bool Right>
__global__ void append(const int* in, int* list, int* length, long long count) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= count || in[at] <= 0) return;
  if (Right) {
    list[atomicAdd(length, 1)] = 7;
  } else {
    list[*length] = 7;
    *length += 1;
  }
}

}  // namespace warpwright::known_bugs

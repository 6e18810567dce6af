// Code for checking peaks: the observation, which makes lists in any order comparable, and a plain reference.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::peaks {

/// Adds to marks[i] how often i is in the list; ignores indices out of range. marks is zero before the launch.
__global__ void mark(const int* list, const unsigned* count, unsigned* marks, unsigned* length, int elements) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k == 0) *length = *count;
  if (k >= *count || k >= static_cast<unsigned>(elements)) return;
  const int place = list[k];
  if (place >= 0 && place < elements) atomicAdd(marks + place, 1U);
}

/// marks[i] is 1 if i is a peak, else 0; *length is the number of peaks. For one block.
__global__ void reference(const int* in, const int* bias, unsigned* marks, unsigned* length, int level, int elements) {
  if (threadIdx.x == 0) *length = 0;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < elements; i += static_cast<int>(blockDim.x)) {
    marks[i] = in[i] + bias[i % 16] > level ? 1 : 0;
    if (marks[i] != 0) atomicAdd(length, 1U);
  }
}

}  // namespace warpwright::peaks

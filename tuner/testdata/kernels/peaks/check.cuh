// What peaks are checked with: the observation of a list in any order, and a plain reference.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::peaks {

/// marks[i] += how often i is in the list; a count or place that cannot be is left out. marks is zero before.
__global__ void mark(const int* list, const unsigned* count, unsigned* marks, unsigned* length, int elements) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k == 0) *length = *count;
  if (k >= *count || k >= static_cast<unsigned>(elements)) return;
  const int place = list[k];
  if (place >= 0 && place < elements) atomicAdd(marks + place, 1U);
}

/// marks[i] = whether i is a peak, *length = how many are; one block.
__global__ void reference(const int* in, const int* bias, unsigned* marks, unsigned* length, int level, int elements) {
  if (threadIdx.x == 0) *length = 0;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < elements; i += static_cast<int>(blockDim.x)) {
    marks[i] = in[i] + bias[i % 16] > level ? 1 : 0;
    if (marks[i] != 0) atomicAdd(length, 1U);
  }
}

}  // namespace warpwright::peaks

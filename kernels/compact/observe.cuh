// What is compared after a compaction: the defined head, and whether anything was written after it.
#pragma once

#include "kernels/block/bits.cuh"

namespace warpwright::compact {

namespace detail {

/// Clamps a count, since a kernel may have written any number.
__device__ __forceinline__ long long within(long long count, long long n) {
  return min(max(count, 0LL), n);
}

}  // namespace detail

/// head[i] = out[i] within the first *count elements, then zero bits. Any grid of one dimension.
template <class T>
__global__ void observe_head(const T* out, const long long* count, T* head, long long n) {
  const long long kept = detail::within(*count, n);
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    head[i] = i < kept ? out[i] : T(0);
}

/// Adds to *tail how many bytes of out[*count..n) are still *poison. Any grid of one dimension.
template <class T>
__global__ void observe_tail(const T* out, const long long* count, const unsigned char* poison,
                             unsigned long long* tail, long long n) {
  const long long kept = detail::within(*count, n);
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  unsigned long long untouched = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; kept + i < n; i += stride) {
    const auto bits = __builtin_bit_cast(block::bits_of<T>, out[kept + i]);
    for (unsigned byte = 0; byte < sizeof(T); ++byte)
      if ((bits >> (8 * byte) & 255) == *poison) ++untouched;
  }
  if (untouched != 0) atomicAdd(tail, untouched);
}

/// head[i] = out[i] for the first *count elements, then the remaining elements in reverse. Any grid of one dimension.
template <class T>
__global__ void observe_reversed(const T* out, const long long* count, T* head, long long n) {
  const long long kept = detail::within(*count, n);
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    head[i] = out[i < kept ? i : n - 1 - (i - kept)];
}

}  // namespace warpwright::compact

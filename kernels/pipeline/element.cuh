// The work on every element, on the device or by the host: a chain of additions, with the same roundings on both.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::pipeline {

/// x + 0.625 + 0.625 + ..., `operations` times and in that order.
template <class T>
__host__ __device__ inline T worked(T x, int operations) {
  for (int k = 0; k < operations; ++k) x += T(0.625);
  return x;
}

#if !defined(__CUDACC__)
/// out[i] = worked(in[i]) for i < count, on the host.
template <class T>
void work_on_host(const T* in, T* out, long long count, int operations) {
  for (long long i = 0; i < count; ++i) out[i] = worked(in[i], operations);
}

/// Reads an element of every page of 4,096 bytes, so that managed memory migrates to the host.
template <class T>
void visit_pages(const T* data, long long count) {
  const volatile T* const seen = data;
  for (long long i = 0; i < count; i += static_cast<long long>(4096 / sizeof(T))) (void)seen[i];
}
#endif

}  // namespace warpwright::pipeline

// The plain compaction that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/compact/predicates.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::compact {

namespace detail {

/// The neighbouring elements [begin, end) that one thread of the grid processes.
struct stretch {
  long long begin, end;
};

__device__ __forceinline__ stretch own_stretch(long long per_thread, long long n) {
  const long long begin = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * per_thread;
  return {begin, begin + per_thread < n ? begin + per_thread : n};
}

}  // namespace detail

/// kept[thread of the grid] = how many elements of the thread's stretch of in[0..n) Predicate keeps.
template <class T, class Predicate>
__global__ void reference_count(const T* in, long long* kept, long long per_thread, long long n) {
  const detail::stretch own = detail::own_stretch(per_thread, n);
  long long sum = 0;
  for (long long i = own.begin; i < own.end; ++i) sum += Predicate::keeps(in[i]) ? 1 : 0;
  kept[static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}

/// Exclusive prefix sum of kept[0..threads) in place; *total becomes the sum of all. One thread.
template <class Count>
__global__ void reference_scan(Count* kept, Count* total, long long threads) {
  Count sum = 0;
  for (long long i = 0; i < threads; ++i) {
    const Count own = kept[i];
    kept[i] = sum;
    sum += own;
  }
  *total = sum;
}

/// *tail = size in bytes of the n - *kept elements that are not kept. Any grid.
template <class Count>
__global__ void reference_tail(const Count* kept, unsigned long long* tail, long long size, long long n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *tail = static_cast<unsigned long long>((n - *kept) * size);
}

/// The kept elements of the thread's stretch go to head, from head[before[thread]] on.
template <class T, class Predicate>
__global__ void reference_write(const T* in, long long* before, T* head, long long per_thread, long long n) {
  const detail::stretch own = detail::own_stretch(per_thread, n);
  long long to = before[static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x];
  for (long long i = own.begin; i < own.end; ++i)
    if (Predicate::keeps(in[i])) head[to++] = in[i];
}

/// The same, and the rejected elements follow after all *kept ones, in their order.
template <class T, class Predicate>
__global__ void reference_partition(const T* in, long long* before, const long long* kept, T* out, long long per_thread,
                                    long long n) {
  const detail::stretch own = detail::own_stretch(per_thread, n);
  long long to = before[static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x];
  for (long long i = own.begin; i < own.end; ++i)
    if (Predicate::keeps(in[i]))
      out[to++] = in[i];
    else
      out[*kept + i - to] = in[i];
}

/// out[i] = the next element of packed if Predicate keeps in[i], else 0. The thread starts at packed[before[thread]].
template <class T, class Predicate>
__global__ void reference_split(const T* in, const T* packed, long long* before, T* out, long long per_thread,
                                long long n) {
  const detail::stretch own = detail::own_stretch(per_thread, n);
  long long from = before[static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x];
  for (long long i = own.begin; i < own.end; ++i) out[i] = Predicate::keeps(in[i]) ? packed[from++] : T(0);
}

}  // namespace warpwright::compact

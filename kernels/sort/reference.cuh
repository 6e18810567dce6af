// The plain sort that large results are compared with: digits of 4 bits, each thread sorting a stretch serially. It is
// checked itself against the CPU oracle.
#pragma once

#include "kernels/block/scan.cuh"
#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

namespace detail {

/// The neighbouring elements that one thread of the grid processes, and the number of threads.
struct stretch {
  long long thread, threads, begin, end;
};

__device__ __forceinline__ stretch own_stretch(long long per_thread, long long n) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  return {thread, static_cast<long long>(gridDim.x) * blockDim.x, min(thread * per_thread, n),
          min((thread + 1) * per_thread, n)};
}

}  // namespace detail

/// counts[digit][thread of the grid] = number of keys in the thread's stretch with this digit in pass number before +
/// index.
template <class T>
__global__ void reference_count(const T* keys, long long* counts, bit_range range, int before, int index,
                                long long per_thread, long long n) {
  const detail::stretch own = detail::own_stretch(per_thread, n);
  const digits_of<T, 4> digit_of(range, before + index);
  for (int digit = 0; digit < 16; ++digit) counts[digit * own.threads + own.thread] = 0;
  for (long long i = own.begin; i < own.end; ++i) ++counts[digit_of(keys[i]) * own.threads + own.thread];
}

/// Exclusive prefix sum of numbers[0..length) in place. One block of 1024 threads.
template <class Number>
__global__ void reference_scan(Number* numbers, long long length) {
  const long long each = (length + 1023) / 1024;
  const long long begin = min(threadIdx.x * each, length);
  const long long end = min(begin + each, length);
  Number sum = 0;
  for (long long i = begin; i < end; ++i) sum += numbers[i];
  Number before = block::exclusive_scan<block::add, 1024>(sum).value;
  for (long long i = begin; i < end; ++i) {
    const Number own = numbers[i];
    numbers[i] = before;
    before += own;
  }
}

/// Each key of the thread's stretch goes, with its value, to the position in `counts` (after the scan) for its digit.
template <class T, bool Pairs>
__global__ void reference_move(const T* keys, const unsigned* values, long long* counts, T* out, unsigned* values_out,
                               bit_range range, int before, int index, long long per_thread, long long n) {
  const detail::stretch own = detail::own_stretch(per_thread, n);
  const digits_of<T, 4> digit_of(range, before + index);
  for (long long i = own.begin; i < own.end; ++i) {
    const long long to = counts[digit_of(keys[i]) * own.threads + own.thread]++;
    out[to] = keys[i];
    if (Pairs) values_out[to] = values[i];
  }
}

}  // namespace warpwright::sort

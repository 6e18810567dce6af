// The runtime's own kernels: filling, comparing, checksums, cache flushing, the blocking kernel, and rates.
#pragma once

#include "kernels/runtime/compare.cuh"
#include "kernels/runtime/device.cuh"
#include "kernels/runtime/generate.cuh"

namespace warpwright::support {

__device__ __forceinline__ long long grid_thread() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ long long grid_threads() {
  return static_cast<long long>(gridDim.x) * blockDim.x;
}

/// The result of a comparison. The worst ratio is stored as the bits of a double, which for positive numbers have the
/// same order.
struct comparison_result {
  unsigned long long worst_ratio_bits;
  unsigned long long wrong;        ///< elements with a ratio above 1
  unsigned long long first_wrong;  ///< the smallest index of such an element
  unsigned long long non_zero;     ///< output elements that are not zero
};

/// The results of one thread. Atomics on one result are serialised, so a warp issues at most one of each kind.
struct comparison {
  double worst_ratio = 0;
  unsigned long long wrong = 0, first_wrong = ~0ULL;
  bool non_zero = false;

  __device__ __forceinline__ void add(long long i, double ratio, bool is_non_zero) {
    // A NaN counts as wrong (no comparison returns one).
    if (!(ratio <= worst_ratio)) worst_ratio = ratio;
    if (!(ratio <= 1)) {
      ++wrong;
      if (first_wrong == ~0ULL) first_wrong = static_cast<unsigned long long>(i);
    }
    non_zero = non_zero || is_non_zero;
  }

  /// All threads of a warp call it.
  __device__ __forceinline__ void note(comparison_result* result) const {
    unsigned long long worst = __builtin_bit_cast(unsigned long long, worst_ratio);
    unsigned long long count = wrong, first = first_wrong;
    for (int delta = 16; delta > 0; delta /= 2) {
      const unsigned long long other_worst = __shfl_down_sync(0xffffffffU, worst, delta);
      const unsigned long long other_first = __shfl_down_sync(0xffffffffU, first, delta);
      worst = other_worst > worst ? other_worst : worst;
      first = other_first < first ? other_first : first;
      count += __shfl_down_sync(0xffffffffU, count, delta);
    }
    const bool some = __any_sync(0xffffffffU, non_zero) != 0;
    if (threadIdx.x % 32 != 0) return;
    if (worst != 0) atomicMax(&result->worst_ratio_bits, worst);
    if (count != 0) {
      atomicAdd(&result->wrong, count);
      atomicMin(&result->first_wrong, first);
    }
    if (some && *static_cast<volatile unsigned long long*>(&result->non_zero) == 0) atomicExch(&result->non_zero, 1ULL);
  }
};

template <class T>
__global__ void compare_bits(const T* output, const T* expected, long long count, comparison_result* result) {
  comparison seen;
  for (long long i = grid_thread(); i < count; i += grid_threads())
    seen.add(i, compare::ratio_of_bits(output[i], expected[i]), output[i] != T(0));
  seen.note(result);
}

template <class T>
__global__ void compare_values(const T* output, const T* expected, long long count, comparison_result* result) {
  comparison seen;
  for (long long i = grid_thread(); i < count; i += grid_threads())
    seen.add(i, compare::ratio_of_values(output[i], expected[i]), output[i] != T(0));
  seen.note(result);
}

template <class T>
__global__ void compare_bounded(const T* output, const double* expected, const double* magnitude, double relative,
                                double absolute, long long count, comparison_result* result) {
  comparison seen;
  for (long long i = grid_thread(); i < count; i += grid_threads())
    seen.add(i, compare::ratio_to_bound(output[i], expected[i], magnitude[i], relative, absolute), output[i] != T(0));
  seen.note(result);
}

/// Adds to *sum a hash of every word and its index; any single change changes it.
template <class T>
__global__ void checksum(const T* words, long long count, unsigned long long* sum) {
  unsigned long long mine = 0;
  for (long long i = grid_thread(); i < count; i += grid_threads())
    mine += generate::bits_at(static_cast<unsigned long long>(i), static_cast<long long>(words[i]));
  for (int delta = 16; delta > 0; delta /= 2) mine += __shfl_down_sync(0xffffffffU, mine, delta);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

/// Lowers *first to the index of the first byte that is not zero, if that is smaller.
static __global__ void first_non_zero(const unsigned char* bytes, long long count, unsigned long long* first) {
  for (long long i = grid_thread(); i < count; i += grid_threads())
    if (bytes[i] != 0) atomicMin(first, static_cast<unsigned long long>(i));
}

/// Fills the L2 cache with its own dirty lines.
static __global__ void flush_write(uint4* memory, long long count) {
  for (long long i = grid_thread(); i < count; i += grid_threads())
    memory[i] = make_uint4(1U, 2U, 3U, static_cast<unsigned>(i));
}

/// Replaces the dirty lines by clean lines that nobody needs; also measures the read rate. Four vectors in flight
/// per thread.
static __global__ void flush_read(const uint4* memory, long long count, unsigned* sink) {
  unsigned seen = 0;
  long long i = grid_thread();
  for (; i + 3 * grid_threads() < count; i += 4 * grid_threads()) {
    uint4 held[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) held[k] = memory[i + k * grid_threads()];
#pragma unroll
    for (int k = 0; k < 4; ++k) seen ^= held[k].x ^ held[k].y ^ held[k].z ^ held[k].w;
  }
  for (; i < count; i += grid_threads()) seen ^= memory[i].x;
  if (seen == 0x9e3779b9U) *sink = seen;
}

/// Measures the copy rate: one vector per thread and step, with PerThread steps in flight.
template <int PerThread>
__global__ void copy_vectors(const uint4* from, uint4* to, long long count) {
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x * PerThread + threadIdx.x;
  uint4 held[PerThread];
#pragma unroll
  for (int k = 0; k < PerThread; ++k)
    if (first + k * blockDim.x < count) held[k] = from[first + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < PerThread; ++k)
    if (first + k * blockDim.x < count) to[first + k * blockDim.x] = held[k];
}

/// A chain of dependent float multiply-adds; its time is proportional to `iterations`.
static __global__ void work(float* sink, int iterations) {
  float x = static_cast<float>(threadIdx.x);
  for (int i = 0; i < iterations; ++i) x = x * 0.999F + 0.5F;
  if (x == 123.0F) *sink = x;
}

/// For the arithmetic rate: every thread has kFmaChains chains of `iterations` dependent multiply-adds.
inline constexpr int kFmaChains = 8;
template <class T>
__global__ void multiply_add(T* sink, int iterations) {
  T x[kFmaChains];
#pragma unroll
  for (int k = 0; k < kFmaChains; ++k) x[k] = static_cast<T>(threadIdx.x + k);
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int k = 0; k < kFmaChains; ++k) x[k] = x[k] * T(0.999) + T(0.5);
  }
  T sum = 0;
#pragma unroll
  for (int k = 0; k < kFmaChains; ++k) sum += x[k];
  if (sum == T(-1)) *sink = sum;
}

#if defined(__CUDACC__)
__device__ __forceinline__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

/// Blocks the stream until the host sets *release or the time is out; one thread. Meanwhile the host queues the work to
/// be timed, so that launch latency does not count. clocks = {cycles, nanoseconds, timed out}. Source: the blocking
/// kernel of NVIDIA's nvbench.
static __global__ void block_stream(const volatile int* release, unsigned long long timeout_ns,
                                    unsigned long long* clocks) {
  const unsigned long long begin_ns = nanoseconds();
  const long long begin = clock64();
  unsigned long long now = begin_ns;
  while (*release == 0 && now - begin_ns < timeout_ns) now = nanoseconds();
  clocks[0] = static_cast<unsigned long long>(clock64() - begin);
  clocks[1] = nanoseconds() - begin_ns;
  clocks[2] = *release == 0 ? 1 : 0;
}
#endif

}  // namespace warpwright::support

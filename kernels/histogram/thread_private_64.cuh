// histogram/thread_private_64: each thread counts up to 64 bins in bytes, which are added up before one can overflow.
// Source: V. Podlozhnyuk, Histogram calculation in CUDA, 2007.
#pragma once

#include "kernels/block/binning.cuh"
#include "kernels/histogram/finish.cuh"
#include "kernels/histogram/visit.cuh"

namespace warpwright::histogram {

/// Which byte of the block's counters is thread t's counter of bin v.
enum class bytes {
  thread_major,  ///< 64 t + v
  bin_major,     ///< block_size v + t
  shuffled       ///< block_size v + t', where the low bits of t' are bits 4 and 5 of t: few lanes of a warp share a
                 ///< word
};

struct thread_private_64_params {
  int block_size = 128;
  int loads_in_flight = 1;   ///< vectors in flight per thread
  int vector_width = 4;      ///< keys per load
  int chunks_per_flush = 6;  ///< groups of `loads_in_flight` vectors that a thread counts before the bytes are added up
  histogram::bytes bytes = histogram::bytes::shuffled;
  int grid_blocks_per_sm = 8;  ///< blocks launched per SM
  histogram::finish finish = histogram::finish::atomic;
  bool operator==(const thread_private_64_params&) const = default;
};

namespace detail {

template <thread_private_64_params P>
__device__ __forceinline__ unsigned char* byte_counter(unsigned char* counters, unsigned bin) {
  const unsigned thread = threadIdx.x;
  if constexpr (P.bytes == bytes::thread_major) return counters + 64 * thread + bin;
  if constexpr (P.bytes == bytes::bin_major) return counters + P.block_size * bin + thread;
  const unsigned place = (thread & ~63U) | (thread & 15) << 2 | (thread >> 4 & 3);
  return counters + P.block_size * bin + place;
}

/// Returns and zeroes the counters of a bin in 64 threads. Thread t takes bin t % 64 of group t / 64.
template <thread_private_64_params P>
__device__ __forceinline__ unsigned take_bytes(unsigned char* counters) {
  const unsigned bin = threadIdx.x % 64;
  const unsigned group = threadIdx.x / 64;
  unsigned sum = 0;
  if constexpr (P.bytes == bytes::thread_major) {
    for (unsigned thread = 0; thread < 64; ++thread) {
      unsigned char& counter = counters[64 * (group * 64 + thread) + bin];
      sum += counter;
      counter = 0;
    }
  } else {
    // Sixteen words of four bytes; each bin starts at a different word. Two sums of 16 bits, each at most 8,160.
    auto* const words = reinterpret_cast<unsigned*>(counters + P.block_size * bin + 64 * group);
    for (unsigned i = 0; i < 16; ++i) {
      unsigned& word = words[(i + bin) % 16];
      sum += (word & 0x00ff00ffU) + (word >> 8 & 0x00ff00ffU);
      word = 0;
    }
    sum = (sum & 0xffffU) + (sum >> 16);
  }
  return sum;
}

}  // namespace detail

/// Keys that a block counts before it flushes its bytes.
__host__ __device__ constexpr int keys_per_flush(const thread_private_64_params& p) {
  return p.block_size * p.loads_in_flight * p.vector_width * p.chunks_per_flush;
}

/// Counts the keys of in[0..count) in `to`, at most 64 bins: zeroed bins for finish::atomic, else one row per block.
template <class Key, bool Total, thread_private_64_params P>
__global__ void __launch_bounds__(P.block_size)
    thread_private_64(const Key* __restrict__ in, unsigned* to, block::binning<Key, Total> ranges, long long count) {
  constexpr int kFlush = keys_per_flush(P);
  __shared__ __align__(16) unsigned char counters[64 * P.block_size];
  __shared__ unsigned totals[64];
  for (unsigned i = threadIdx.x; i < 16 * P.block_size; i += P.block_size) reinterpret_cast<unsigned*>(counters)[i] = 0;
  if (threadIdx.x < 64) totals[threadIdx.x] = 0;
  __syncthreads();

  unsigned total = 0;
  for (long long first = static_cast<long long>(blockIdx.x) * kFlush; first < count;
       first += static_cast<long long>(gridDim.x) * kFlush) {
    visit_keys<P.vector_width, P.loads_in_flight>(in + first, min(count - first, static_cast<long long>(kFlush)),
                                                  threadIdx.x / 32, P.block_size / 32, [&](Key key, bool present) {
                                                    const unsigned bin = ranges.of(key);
                                                    if (present && ranges.has(bin))
                                                      ++*detail::byte_counter<P>(counters, bin);
                                                  });
    __syncthreads();
    total += detail::take_bytes<P>(counters);
    __syncthreads();
  }
  atomicAdd(totals + threadIdx.x % 64, total);
  __syncthreads();
  if (threadIdx.x < ranges.bins) hand_over<P.finish>(to, ranges.bins, threadIdx.x, totals[threadIdx.x]);
}

}  // namespace warpwright::histogram

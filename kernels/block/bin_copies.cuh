// Copies of the bins in a block's shared memory, each used by some of its threads.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// Where the counters of one bin are.
enum class copies_layout {
  interleaved,  ///< the copies of a bin side by side: with 32 copies each has a bank of its own
  apart         ///< the bins of a copy side by side; copies are an odd number of words apart
};

/// Words of shared memory for this many copies.
__host__ __device__ constexpr unsigned words_of_copies(unsigned copies, copies_layout how, unsigned bins) {
  return copies * (how == copies_layout::apart ? bins | 1 : bins);
}

/// Copies is a power of two; copies are numbered from 0 on. All threads of the block call zero() and add_up().
template <int BlockSize, int Copies, copies_layout Layout>
struct bin_copies {
  unsigned* words;
  unsigned bins;

  __device__ __forceinline__ unsigned* counter(unsigned copy, unsigned bin) const {
    if constexpr (Layout == copies_layout::apart) return words + copy * (bins | 1) + bin;
    // A byte offset, computed by bit operations: two instructions, together with extracting the key from a word.
    const unsigned place = bin * (4 * Copies) | 4 * copy;
    return reinterpret_cast<unsigned*>(reinterpret_cast<unsigned char*>(words) + place);
  }
  /// Sets all counters to zero, visible to all threads.
  __device__ __forceinline__ void zero() const {
    for (unsigned i = threadIdx.x; i < words_of_copies(Copies, Layout, bins); i += BlockSize) words[i] = 0;
    __syncthreads();
  }
  /// Calls use(bin, sum) once for every bin, by one thread, with the sum of its masked counters. Each bin starts at a
  /// different copy, so that a warp accesses all banks.
  template <class Use>
  __device__ __forceinline__ void add_up(Use use, unsigned mask = 0xffffffffU) const {
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < bins; bin += BlockSize) {
      unsigned sum = 0;
#pragma unroll 8
      for (unsigned i = 0; i < Copies; ++i) sum += *counter((bin + i) % Copies, bin) & mask;
      use(bin, sum);
    }
  }
};

}  // namespace warpwright::block

// Copies of the bins in a block's shared memory, between which its threads are divided.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// Where the counters of one bin are.
enum class copies_layout {
  interleaved,  ///< side by side: with 32 copies each has a bank of its own
  apart         ///< a copy's bins side by side; copies are an odd number of words apart
};

/// Words of shared memory that so many copies take.
__host__ __device__ constexpr unsigned words_of_copies(unsigned copies, copies_layout how, unsigned bins) {
  return copies * (how == copies_layout::apart ? bins | 1 : bins);
}

/// Copies is a power of two, below which copies are numbered; all threads of the block call zero() and add_up().
template <int BlockSize, int Copies, copies_layout Layout>
struct bin_copies {
  unsigned* words;
  unsigned bins;

  __device__ __forceinline__ unsigned* counter(unsigned copy, unsigned bin) const {
    if constexpr (Layout == copies_layout::apart) return words + copy * (bins | 1) + bin;
    // In bytes, and by bits that do not overlap: with a key that is cut from a word, two instructions.
    const unsigned place = bin * (4 * Copies) | 4 * copy;
    return reinterpret_cast<unsigned*>(reinterpret_cast<unsigned char*>(words) + place);
  }
  /// Behind it all counters are zero for all threads.
  __device__ __forceinline__ void zero() const {
    for (unsigned i = threadIdx.x; i < words_of_copies(Copies, Layout, bins); i += BlockSize) words[i] = 0;
    __syncthreads();
  }
  /// Calls use(bin, sum) with what the copies of a bin add up to, each masked, once for every bin and by one thread. It
  /// begins at another copy in every bin, so that a warp meets all banks.
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

// sort/radix_onesweep: all digits are counted in one pass; then each digit moves the keys in one pass, whose tiles
// learn by decoupled look-back where they begin. Source: A. Adinets, D. Merrill, Onesweep: A Faster Least Significant
// Digit Radix Sort for GPUs, arXiv:2206.01784 (2022).
#pragma once

#include "kernels/block/look_back.cuh"
#include "kernels/sort/digit_look_back.cuh"
#include "kernels/sort/scan_rows.cuh"
#include "kernels/sort/tile.cuh"

namespace warpwright::sort {

struct radix_onesweep_params {
  int block_size = 256;
  int coarsening = 16;  ///< keys per thread
  int radix_bits = 8;   ///< of a digit
  sort::store store = sort::store::staged;
  int window = 2;  ///< descriptors that a thread loads together
  int copies = 1;  ///< of the counts of all digits in a block, taken by lanes in turn
  bool operator==(const radix_onesweep_params&) const = default;
};

/// Bytes of dynamic shared memory of the counting.
__host__ __device__ constexpr int radix_onesweep_counters(const radix_onesweep_params& p, int passes) {
  return passes * (1 << p.radix_bits) * p.copies * 4;
}

/// Adds to totals[pass][digit] how many keys have the digit in the pass, for all passes. Any grid of one dimension.
template <class T, class Offset, radix_onesweep_params P>
__global__ void __launch_bounds__(P.block_size)
    radix_onesweep_count(const T* __restrict__ keys, Offset* totals, bit_range range, int passes, long long n) {
  constexpr int kRadix = 1 << P.radix_bits;
  extern __shared__ __align__(16) unsigned char staging[];
  unsigned* const counts = reinterpret_cast<unsigned*>(staging);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < passes * kRadix * P.copies; i += P.block_size) counts[i] = 0;
  __syncthreads();
  const long long stride = static_cast<long long>(gridDim.x) * P.block_size;
  for (long long at = static_cast<long long>(blockIdx.x) * P.block_size + thread; at < n; at += stride) {
    const T key = keys[at];
    for (int pass = 0; pass < passes; ++pass) {
      const int digit = static_cast<int>(digits_of<T, P.radix_bits>(range, pass)(key));
      atomicAdd(&counts[(pass * kRadix + digit) * P.copies + thread % P.copies], 1U);
    }
  }
  __syncthreads();
  for (int i = thread; i < passes * kRadix; i += P.block_size) {
    unsigned sum = 0;
#pragma unroll
    for (int copy = 0; copy < P.copies; ++copy) sum += counts[i * P.copies + copy];
    if (sum != 0) atomicAdd(totals + i, static_cast<Offset>(sum));
  }
}

/// Moves the keys, and with Pairs their values, stably to where the digit of the pass puts them, which is before +
/// index. starts[pass][digit]: how many keys have a lesser digit. Descriptors, one a tile and digit, are zero before
/// pass 0 and belong to the passes; the ticket is zero before and after each. Grid: a block for each tile of block_size
/// * coarsening keys. Offset counts up to 2^30 or 2^62 keys.
template <class T, bool Pairs, class Offset, radix_onesweep_params P>
__global__ void __launch_bounds__(P.block_size)
    radix_onesweep(const T* __restrict__ keys, const unsigned* __restrict__ values, const Offset* __restrict__ starts,
                   Offset* descriptors, unsigned* ticket, T* __restrict__ out, unsigned* __restrict__ values_out,
                   bit_range range, int before, int index, long long n) {
  constexpr int kTile = P.block_size * P.coarsening;
  constexpr int kRadix = 1 << P.radix_bits;
  __shared__ block::radix_counts<P.block_size, P.radix_bits> counts;
  __shared__ Offset first[kRadix];
  const int pass = before + index;
  const digits_of<T, P.radix_bits> digit_of(range, pass);
  const long long tile = block::next_tile(ticket);
  const long long begin = tile * kTile;
  const int present = present_of<kTile>(begin, n);

  T own[P.coarsening];
  unsigned digits[P.coarsening];
  unsigned ranks[P.coarsening];
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const int place = block::warp_place<P.coarsening>(i);
    digits[i] = 0;
    if (place >= present) continue;
    own[i] = keys[begin + place];
    digits[i] = digit_of(own[i]);
  }
  block::rank_digits(counts, digits, present, ranks);
  for (int digit = static_cast<int>(threadIdx.x); digit < kRadix; digit += P.block_size) {
    const unsigned in_tile = counts.starts[digit];
    const Offset before_tile = digit_look_back<P.window>(descriptors + digit, kRadix, tile,
                                                         static_cast<Offset>(counts.starts[digit + 1] - in_tile), pass);
    first[digit] = starts[pass * kRadix + digit] + before_tile - in_tile;
  }
  __syncthreads();
  scatter_tile<P.store, Pairs, P.block_size>(
      own, ranks, present, first, digit_of, [&](int i) { return values[begin + block::warp_place<P.coarsening>(i)]; },
      out, values_out);
}

}  // namespace warpwright::sort

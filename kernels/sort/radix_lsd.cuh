// sort/radix_lsd: one digit per pass, the lowest first. Each pass counts digits per tile, scans the table of counts and
// moves the keys.
#pragma once

#include "kernels/sort/scan_rows.cuh"
#include "kernels/sort/tile.cuh"

namespace warpwright::sort {

struct radix_lsd_params {
  int block_size = 256;
  int coarsening = 8;  ///< keys per thread
  int radix_bits = 8;  ///< bits per digit
  sort::store store = sort::store::staged;
  bool operator==(const radix_lsd_params&) const = default;
};

/// table[digit * gridDim.x + tile] = number of the tile's keys with this digit in pass number before + index. Grid: one
/// block for each tile of block_size * coarsening keys.
template <class T, class Offset, radix_lsd_params P>
__global__ void __launch_bounds__(P.block_size) radix_lsd_count(const T* __restrict__ keys, Offset* __restrict__ table,
                                                                bit_range range, int before, int index, long long n) {
  constexpr int kTile = P.block_size * P.coarsening;
  constexpr int kRadix = 1 << P.radix_bits;
  __shared__ unsigned counts[kRadix];
  const int thread = static_cast<int>(threadIdx.x);
  for (int digit = thread; digit < kRadix; digit += P.block_size) counts[digit] = 0;
  __syncthreads();

  const digits_of<T, P.radix_bits> digit_of(range, before + index);
  const long long begin = static_cast<long long>(blockIdx.x) * kTile;
  const int present = present_of<kTile>(begin, n);
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i)
    if (i * P.block_size + thread < present) atomicAdd(&counts[digit_of(keys[begin + i * P.block_size + thread])], 1U);
  __syncthreads();
  for (int digit = thread; digit < kRadix; digit += P.block_size)
    table[static_cast<long long>(digit) * gridDim.x + blockIdx.x] = counts[digit];
}

/// Moves the keys of a tile, and with Pairs their values, stably to the positions for the pass's digit. `table` has the
/// counts after a scan of its rows; totals[digit] = number of all keys with the digit.
template <class T, bool Pairs, class Offset, radix_lsd_params P>
__global__ void __launch_bounds__(P.block_size)
    radix_lsd(const T* __restrict__ keys, const unsigned* __restrict__ values, const Offset* __restrict__ table,
              const Offset* __restrict__ totals, T* __restrict__ out, unsigned* __restrict__ values_out,
              bit_range range, int before, int index, long long n) {
  constexpr int kTile = P.block_size * P.coarsening;
  constexpr int kRadix = 1 << P.radix_bits;
  __shared__ block::radix_counts<P.block_size, P.radix_bits> counts;
  __shared__ Offset first[kRadix];
  const digits_of<T, P.radix_bits> digit_of(range, before + index);
  const long long begin = static_cast<long long>(blockIdx.x) * kTile;
  const partial_tile tile{present_of<kTile>(begin, n)};

  T own[P.coarsening];
  unsigned ranks[P.coarsening];
  load_tile(keys, begin, tile, last_key<T>(range), own);
  block::scan_digits<P.block_size, kRadix>([&](int digit, int) { return totals[digit]; }, first);
  block::rank_digits<1>(
      counts, own, digit_of, [](int, int, unsigned) {}, ranks);
  for (int digit = static_cast<int>(threadIdx.x); digit < kRadix; digit += P.block_size)
    first[digit] += table[static_cast<long long>(digit) * gridDim.x + blockIdx.x] - counts.starts[digit];
  __syncthreads();
  scatter_tile<P.store, Pairs, P.block_size>(
      own, ranks, tile, first, digit_of, [&](int i) { return values[begin + block::warp_place<P.coarsening>(i)]; }, out,
      values_out);
}

}  // namespace warpwright::sort

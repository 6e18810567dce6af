// sort/radix_split: one bit per pass, the lowest first; a scan of the bits tells where zeros and ones go. Source: G.
// Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190 (1990).
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/sort/scan_rows.cuh"
#include "kernels/sort/tile.cuh"

namespace warpwright::sort {

struct radix_split_params {
  int block_size = 256;
  int coarsening = 4;    ///< neighbouring keys per thread
  int vector_width = 4;  ///< keys per load
  sort::store store = sort::store::staged;
  bool operator==(const radix_split_params&) const = default;
};

namespace detail {

/// Reads the calling thread's keys of the tile at `begin`, as far as they exist. `keys` is aligned to vectors.
template <radix_split_params P, class T>
__device__ __forceinline__ void load_neighbours(const T* keys, long long begin, int present, T (&own)[P.coarsening]) {
  const int place = static_cast<int>(threadIdx.x) * P.coarsening;
  if (place + P.coarsening <= present) {
#pragma unroll
    for (int i = 0; i < P.coarsening; i += P.vector_width) {
      const vec<T, P.vector_width> held = load_vector<P.vector_width>(keys + begin + place + i);
#pragma unroll
      for (int k = 0; k < P.vector_width; ++k) own[i + k] = held[k];
    }
  } else {
#pragma unroll
    for (int i = 0; i < P.coarsening; ++i)
      if (place + i < present) own[i] = keys[begin + place + i];
  }
}

/// How many of the calling thread's keys have the bit set.
template <radix_split_params P, class T>
__device__ __forceinline__ unsigned ones_of(const T (&own)[P.coarsening], int present, const digits_of<T, 1>& bit_of) {
  unsigned ones = 0;
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i)
    if (static_cast<int>(threadIdx.x) * P.coarsening + i < present) ones += bit_of(own[i]);
  return ones;
}

}  // namespace detail

/// ones[tile] = number of the tile's keys that have bit number before + index set. Grid: one block for each tile of
/// block_size * coarsening keys.
template <class T, class Offset, radix_split_params P>
__global__ void __launch_bounds__(P.block_size) radix_split_count(const T* __restrict__ keys, Offset* __restrict__ ones,
                                                                  bit_range range, int before, int index, long long n) {
  constexpr int kTile = P.block_size * P.coarsening;
  const long long begin = static_cast<long long>(blockIdx.x) * kTile;
  const int present = present_of<kTile>(begin, n);
  T own[P.coarsening];
  detail::load_neighbours<P>(keys, begin, present, own);
  const unsigned counted = detail::ones_of<P>(own, present, digits_of<T, 1>(range, before + index));
  const unsigned total = block::reduce_shuffle<block::add, P.block_size>(counted);
  if (threadIdx.x == 0) ones[blockIdx.x] = total;
}

/// Moves the keys of a tile, and with Pairs their values: keys without the bit of the pass to the front of the output,
/// the others after them. ones[tile] = number of keys with the bit in earlier tiles, *total = number of all keys with
/// it.
template <class T, bool Pairs, class Offset, radix_split_params P>
__global__ void __launch_bounds__(P.block_size)
    radix_split(const T* __restrict__ keys, const unsigned* __restrict__ values, const Offset* __restrict__ ones,
                const Offset* __restrict__ total, T* __restrict__ out, unsigned* __restrict__ values_out,
                bit_range range, int before, int index, long long n) {
  constexpr int kTile = P.block_size * P.coarsening;
  __shared__ Offset first[2];
  const digits_of<T, 1> bit_of(range, before + index);
  const long long begin = static_cast<long long>(blockIdx.x) * kTile;
  const int present = present_of<kTile>(begin, n);
  const int place = static_cast<int>(threadIdx.x) * P.coarsening;

  T own[P.coarsening];
  unsigned ranks[P.coarsening];
  detail::load_neighbours<P>(keys, begin, present, own);
  const auto in_tile = block::exclusive_scan<block::add, P.block_size>(detail::ones_of<P>(own, present, bit_of));
  const unsigned zeros = static_cast<unsigned>(present) - in_tile.total;
  unsigned ones_before = in_tile.value;
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    ranks[i] = static_cast<unsigned>(place + i);
    if (place + i >= present) continue;
    const unsigned bit = bit_of(own[i]);
    ranks[i] = bit != 0 ? zeros + ones_before : static_cast<unsigned>(place + i) - ones_before;
    ones_before += bit;
  }
  if (threadIdx.x == 0) {
    const Offset before_tile = ones[blockIdx.x];
    first[0] = static_cast<Offset>(begin) - before_tile;
    first[1] = static_cast<Offset>(n) - *total + before_tile - zeros;
  }
  __syncthreads();
  scatter_tile<P.store, Pairs, P.block_size>(
      own, ranks, partial_tile{present}, first, bit_of, [&](int i) { return values[begin + place + i]; }, out,
      values_out);
}

}  // namespace warpwright::sort

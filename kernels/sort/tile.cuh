// How radix sorts load a tile, and move each key, with its value, to the position given by its digit and rank.
#pragma once

#include "kernels/block/radix_rank.cuh"
#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

/// How keys get from registers to the output.
enum class store {
  direct,  ///< each thread writes its own
  staged   ///< through shared memory, so that neighbouring threads write neighbouring keys of a digit
};

/// Bytes of dynamic shared memory that scatter_tile needs.
__host__ __device__ constexpr int staging_bytes(store how, int block_size, int items, int key_size) {
  return how == store::staged ? block_size * items * key_size : 0;
}

/// Number of keys in the tile that begins at `begin` in an array of n.
template <int Tile>
__device__ __forceinline__ int present_of(long long begin, long long n) {
  return static_cast<int>(min(n - begin, static_cast<long long>(Tile)));
}

/// Which positions of a tile have keys: all of them.
struct full_tile {
  static constexpr bool is_full = true;

  __device__ __forceinline__ bool has(int) const { return true; }
};

/// Which positions of a tile have keys: those below a number.
struct partial_tile {
  static constexpr bool is_full = false;

  int present;

  __device__ __forceinline__ bool has(int place) const { return place < present; }
};

/// own[i] = the key at block::warp_place(i) of the tile that begins at `begin`; `absent` if there is none.
template <int Items, class T, class Tile>
__device__ __forceinline__ void load_tile(const T* keys, long long begin, Tile tile, T absent, T (&own)[Items]) {
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int place = block::warp_place<Items>(i);
    own[i] = tile.has(place) ? keys[begin + place] : absent;
  }
}

/// Digits of the keys that a thread writes, four per word, so that they take few registers until the values follow.
template <int Items>
struct kept_digits {
  unsigned words[(Items + 3) / 4] = {};

  __device__ __forceinline__ void keep(int item, unsigned digit) { words[item / 4] |= digit << item % 4 * 8; }
  __device__ __forceinline__ unsigned of(int item) const { return words[item / 4] >> item % 4 * 8 & 255; }
};

/// Calls use(i, place) for each of the calling thread's positions in staging memory; neighbouring threads have
/// neighbouring positions.
template <int BlockSize, int Items, class Use>
__device__ __forceinline__ void for_each_staged(Use use) {
#pragma unroll
  for (int i = 0; i < Items; ++i) use(i, i * BlockSize + static_cast<int>(threadIdx.x));
}

/// Writes the keys of a tile that is staged in digit order: the key at position p goes to out[first[digit] + p].
/// Returns the digits of the thread's own keys, of at most 8 bits.
template <int BlockSize, int Items, class T, class Tile, class Offset, class DigitOf>
__device__ __forceinline__ kept_digits<Items> scatter_staged(const T* staged, Tile tile, const Offset* first,
                                                             DigitOf digit_of, T* out) {
  kept_digits<Items> kept;
  for_each_staged<BlockSize, Items>([&](int i, int place) {
    if (!tile.has(place)) return;
    const T key = staged[place];
    const unsigned digit = digit_of(key);
    kept.keep(i, digit);
    out[first[digit] + static_cast<Offset>(place)] = key;
  });
  return kept;
}

/// After scatter_staged: moves the values of the same items the same way, through the same shared memory; own[i] is the
/// value of the item with ranks[i]. Contains barriers, one of them at the beginning.
template <int BlockSize, int Items, class Tile, class Offset>
__device__ __forceinline__ void scatter_values(unsigned* staged, const unsigned (&own)[Items],
                                               const unsigned (&ranks)[Items], Tile tile, const Offset* first,
                                               const kept_digits<Items>& kept, unsigned* values_out) {
  __syncthreads();
#pragma unroll
  for (int i = 0; i < Items; ++i)
    if (tile.has(static_cast<int>(ranks[i]))) staged[ranks[i]] = own[i];
  __syncthreads();
  for_each_staged<BlockSize, Items>([&](int i, int place) {
    if (tile.has(place)) values_out[first[kept.of(i)] + static_cast<Offset>(place)] = staged[place];
  });
}

/// out[first[digit_of(key)] + rank] = key for each of the keys of the block's tile. Ranks are positions in digit order;
/// items without a key have ranks beyond. With Pairs, value_of(i) of item i goes to the same index of values_out.
/// `first` must be visible to all threads (after a barrier).
template <store Store, bool Pairs, int BlockSize, int Items, class T, class Offset, class DigitOf, class ValueOf>
__device__ __forceinline__ void scatter_tile(const T (&keys)[Items], const unsigned (&ranks)[Items], partial_tile tile,
                                             const Offset* first, DigitOf digit_of, ValueOf value_of, T* out,
                                             unsigned* values_out) {
  extern __shared__ __align__(16) unsigned char staging[];
  const auto is_there = [&](int i) { return tile.has(static_cast<int>(ranks[i])); };
  if constexpr (Store == store::direct) {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (!is_there(i)) continue;
      const Offset to = first[digit_of(keys[i])] + ranks[i];
      out[to] = keys[i];
      if constexpr (Pairs) values_out[to] = value_of(i);
    }
  } else {
    T* const staged = reinterpret_cast<T*>(staging);
#pragma unroll
    for (int i = 0; i < Items; ++i)
      if (is_there(i)) staged[ranks[i]] = keys[i];
    __syncthreads();
    unsigned own_values[Items];
    if constexpr (Pairs) {
#pragma unroll
      for (int i = 0; i < Items; ++i)
        if (is_there(i)) own_values[i] = value_of(i);
    }
    const auto kept = scatter_staged<BlockSize, Items>(staged, tile, first, digit_of, out);
    if constexpr (Pairs)
      scatter_values<BlockSize>(reinterpret_cast<unsigned*>(staging), own_values, ranks, tile, first, kept, values_out);
  }
}

}  // namespace warpwright::sort

// sort/merge: tiles are sorted in shared memory, then pairs of runs are merged. Each thread and each block starts where
// the merge path crosses its diagonal. Stable. Source: O. Green, R. McColl, D. Bader, GPU Merge Path, ICS 2012.
#pragma once

#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

/// Who searches for the positions at which the tiles of a merge begin.
enum class search {
  in_block,   ///< the block of the tile
  own_launch  ///< a separate launch, one thread per tile
};

struct merge_params {
  int block_size = 256;
  int coarsening = 7;  ///< neighbouring keys per thread; odd numbers avoid bank conflicts
  sort::search search = sort::search::own_launch;
  bool operator==(const merge_params&) const = default;
};

__host__ __device__ constexpr int merge_tile(const merge_params& p) {
  return p.block_size * p.coarsening;
}

/// Bytes of dynamic shared memory: the tile's keys and values.
__host__ __device__ constexpr int merge_bytes(const merge_params& p, int key_size, bool pairs) {
  return merge_tile(p) * (key_size + (pairs ? 4 : 0));
}

namespace detail {

/// How many of the first `diagonal` keys of a merge come from `first`: equal keys of `first` go before those of
/// `second`.
template <class T, class Index>
__device__ __forceinline__ Index merge_path(const compared_bits<T>& compared, const T* first, Index in_first,
                                            const T* second, Index in_second, Index diagonal) {
  Index low = max(diagonal - in_second, Index(0));
  Index high = min(diagonal, in_first);
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (compared.of(first[middle]) <= compared.of(second[diagonal - 1 - middle]))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Two neighbouring runs of n elements: `first` keys at `begin`, and `second` after them.
template <class Index>
struct two_runs {
  Index begin, first, second;
};

/// The pair of runs of `width` keys that holds the element at `at`.
template <class Index>
__device__ __forceinline__ two_runs<Index> runs_around(Index at, Index width, Index n) {
  const Index begin = at / (2 * width) * (2 * width);
  const Index first = min(width, n - begin);
  return {begin, first, min(width, n - begin - first)};
}

/// How many keys of its first run come before the tile at `at` in the merged order.
template <class T>
__device__ __forceinline__ long long split_at(const compared_bits<T>& compared, const T* keys, long long at,
                                              const two_runs<long long>& runs) {
  const T* const first = keys + runs.begin;
  return merge_path(compared, first, runs.first, first + runs.first, runs.second, at - runs.begin);
}

/// The tile of a block in dynamic shared memory, and the keys that its threads hold.
template <class T, bool Pairs, merge_params P>
class merge_block {
  static constexpr int kItems = P.coarsening;
  static constexpr int kTile = merge_tile(P);

 public:
  __device__ __forceinline__ merge_block(unsigned char* shared, bit_range range, int present)
      : keys_(reinterpret_cast<T*>(shared)),
        values_(reinterpret_cast<unsigned*>(shared + kTile * sizeof(T))),
        compared_(range),
        present_(present) {}

  __device__ __forceinline__ const compared_bits<T>& compared() const { return compared_; }

  /// Reads keys [to, to + count) of the tile.
  __device__ __forceinline__ void load(const T* keys, const unsigned* values, int to, int count) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += P.block_size) {
      keys_[to + i] = keys[i];
      if constexpr (Pairs) values_[to + i] = values[i];
    }
  }
  /// Each thread loads its neighbouring keys. To be called after a barrier.
  __device__ __forceinline__ void take() {
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      if (own() + i < present_) hold(i, own() + i);
  }
  /// Each thread sorts its keys by odd-even transposition. Source: N. Haberman (1972).
  __device__ __forceinline__ void sort_held() {
#pragma unroll
    for (int round = 0; round < kItems; ++round) {
#pragma unroll
      for (int i = round % 2; i + 1 < kItems; i += 2) {
        if (own() + i + 1 >= present_ || compared_.of(held_[i]) <= compared_.of(held_[i + 1])) continue;
        const T less = held_[i + 1];
        held_[i + 1] = held_[i];
        held_[i] = less;
        if constexpr (Pairs) {
          const unsigned value = held_values_[i + 1];
          held_values_[i + 1] = held_values_[i];
          held_values_[i] = value;
        }
      }
    }
  }
  /// Writes the threads' keys back to the tile. Contains barriers before and after.
  __device__ __forceinline__ void put() {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      if (own() + i < present_) {
        keys_[own() + i] = held_[i];
        if constexpr (Pairs) values_[own() + i] = held_values_[i];
      }
    __syncthreads();
  }
  /// Each thread computes its part of the merge of two runs of the tile: in_first keys at `begin`, followed by
  /// in_second keys.
  __device__ __forceinline__ void merge(int begin, int in_first, int in_second) {
    const int diagonal = min(own() - begin, in_first + in_second);
    int first = begin + merge_path(compared_, keys_ + begin, in_first, keys_ + begin + in_first, in_second, diagonal);
    int second = begin + in_first + begin + diagonal - first;
    const int first_end = begin + in_first;
    const int second_end = first_end + in_second;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (first >= first_end && second >= second_end) break;
      const bool takes_first =
          second >= second_end || (first < first_end && compared_.of(keys_[first]) <= compared_.of(keys_[second]));
      hold(i, takes_first ? first++ : second++);
    }
  }
  /// Writes the tile.
  __device__ __forceinline__ void store(T* keys, unsigned* values) const {
    for (int i = static_cast<int>(threadIdx.x); i < present_; i += P.block_size) {
      keys[i] = keys_[i];
      if constexpr (Pairs) values[i] = values_[i];
    }
  }

  /// The position in the tile at which the calling thread's keys begin.
  static __device__ __forceinline__ int own() {
    return static_cast<int>(threadIdx.x) * kItems;
  }

 private:
  __device__ __forceinline__ void hold(int i, int from) {
    held_[i] = keys_[from];
    if constexpr (Pairs) held_values_[i] = values_[from];
  }

  T* keys_;
  unsigned* values_;
  compared_bits<T> compared_;
  int present_;
  T held_[kItems];
  unsigned held_values_[kItems];
};

}  // namespace detail

/// Sorts each tile of keys[0..n), and with Pairs their values. Grid: one block per tile.
template <class T, bool Pairs, merge_params P>
__global__ void __launch_bounds__(P.block_size)
    merge_tiles(const T* __restrict__ keys, const unsigned* __restrict__ values, T* __restrict__ out,
                unsigned* __restrict__ values_out, bit_range range, long long n) {
  constexpr int kTile = merge_tile(P);
  extern __shared__ __align__(16) unsigned char staging[];
  const long long begin = static_cast<long long>(blockIdx.x) * kTile;
  const int present = static_cast<int>(min(n - begin, static_cast<long long>(kTile)));
  detail::merge_block<T, Pairs, P> tile(staging, range, present);
  tile.load(keys + begin, values + begin, 0, present);
  __syncthreads();
  tile.take();
  tile.sort_held();
  for (int width = P.coarsening; width < present; width *= 2) {
    tile.put();
    const auto runs = detail::runs_around(min(tile.own(), present - 1), width, present);
    tile.merge(runs.begin, runs.first, runs.second);
  }
  tile.put();
  tile.store(out + begin, values_out + begin);
}

/// splits[tile] = how many keys of its first run come before the tile in the merged order. Runs have merge_tile(P) <<
/// round keys. Grid: one thread per tile.
template <class T, merge_params P>
__global__ void __launch_bounds__(P.block_size)
    merge_search(const T* __restrict__ keys, long long* __restrict__ splits, bit_range range, int round, long long n) {
  const long long at = (static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x) * merge_tile(P);
  if (at >= n) return;
  const auto runs = detail::runs_around(at, static_cast<long long>(merge_tile(P)) << round, n);
  splits[at / merge_tile(P)] = detail::split_at(compared_bits<T>(range), keys, at, runs);
}

/// Merges pairs of runs of merge_tile(P) << round keys. Grid: one block per tile of the output; `splits` are those of
/// merge_search, unless the blocks search themselves.
template <class T, bool Pairs, merge_params P>
__global__ void __launch_bounds__(P.block_size)
    merge(const T* __restrict__ keys, const unsigned* __restrict__ values, const long long* __restrict__ splits,
          T* __restrict__ out, unsigned* __restrict__ values_out, bit_range range, int round, long long n) {
  constexpr int kTile = merge_tile(P);
  extern __shared__ __align__(16) unsigned char staging[];
  __shared__ long long found[2];
  const long long begin = static_cast<long long>(blockIdx.x) * kTile;
  const int present = static_cast<int>(min(n - begin, static_cast<long long>(kTile)));
  const auto runs = detail::runs_around(begin, static_cast<long long>(kTile) << round, n);
  const long long end = begin + present;
  const bool ends_runs = end == runs.begin + runs.first + runs.second;
  detail::merge_block<T, Pairs, P> tile(staging, range, present);

  if (threadIdx.x < 2) {
    if (threadIdx.x == 1 && ends_runs)
      found[1] = runs.first;
    else if constexpr (P.search == search::own_launch)
      found[threadIdx.x] = splits[blockIdx.x + threadIdx.x];
    else
      found[threadIdx.x] = detail::split_at(tile.compared(), keys, threadIdx.x == 0 ? begin : end, runs);
  }
  __syncthreads();
  const long long first = runs.begin + found[0];
  const int in_first = static_cast<int>(found[1] - found[0]);
  const long long second = runs.begin + runs.first + (begin - runs.begin - found[0]);
  tile.load(keys + first, values + first, 0, in_first);
  tile.load(keys + second, values + second, in_first, present - in_first);
  __syncthreads();
  tile.merge(0, in_first, present - in_first);
  tile.put();
  tile.store(out + begin, values_out + begin);
}

}  // namespace warpwright::sort

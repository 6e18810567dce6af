// sort/quicksort: a block splits its keys into those below, at and above a pivot, and launches a child grid for each
// part, up to a depth limit; it sorts the remaining parts itself. Stable: keys move to another array in order. Source:
// C. Hoare, Quicksort, The Computer Journal 5 (1962).
#pragma once

#include "kernels/block/scan.cuh"
#include "kernels/runtime/child_launch.cuh"
#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

struct quicksort_params {
  int block_size = 128;
  int coarsening = 4;  ///< neighbouring keys per thread
  int leaf = 256;      ///< most keys that are sorted by counting
  int depth = 16;      ///< nesting depth of child grids
  child_stream stream = child_stream::fire_and_forget;
  bool operator==(const quicksort_params&) const = default;
};

/// Keys, and their values if there are any.
template <class Key, class Value>
struct items {
  Key* keys;
  Value* values;
};

namespace detail {

/// Keys [begin, begin + count) after this many splits.
struct part {
  long long begin, count;
  int splits;
};

/// How many keys of a part are below the pivot, and at it.
struct split {
  long long below, at;
};

/// Most parts that wait at a time: the smaller part is sorted first, and it has at most half of the keys.
inline constexpr int quicksort_waiting = 64;

/// A block's work on parts of the keys; all its threads call it together.
template <class T, bool Pairs, quicksort_params P>
class quicksort_block {
  using bits = block::bits_of<T>;
  using source = items<const T, const unsigned>;
  using target = items<T, unsigned>;
  static constexpr int kTile = P.block_size * P.coarsening;

 public:
  __device__ __forceinline__ quicksort_block(source in, target out, target spare, bit_range range)
      : in_(in), out_(out), spare_(spare), compared_(range) {}

  /// Sorts a part of at most `leaf` keys: the position of a key is the number of keys that are less, or equal and
  /// before it.
  __device__ __forceinline__ void sort_leaf(const part& of) const {
    __shared__ T keys[P.leaf];
    __shared__ unsigned values[Pairs ? P.leaf : 1];
    const int count = static_cast<int>(of.count);
    const source from = source_of(of.splits);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += P.block_size) {
      keys[i] = from.keys[of.begin + i];
      if constexpr (Pairs) values[i] = from.values[of.begin + i];
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < count; i += P.block_size) {
      const bits own = compared_.of(keys[i]);
      int place = 0;
      for (int other = 0; other < count; ++other) {
        const bits key = compared_.of(keys[other]);
        place += key < own || (key == own && other < i) ? 1 : 0;
      }
      out_.keys[of.begin + place] = keys[i];
      if constexpr (Pairs) out_.values[of.begin + place] = values[i];
    }
    __syncthreads();
  }

  /// Moves a part's keys to the other array, those below the pivot first and those above it last; those equal to the
  /// pivot go to their final positions in the output.
  __device__ __forceinline__ split split_part(const part& of) const {
    const source from = source_of(of.splits);
    const target to = of.splits % 2 == 0 ? out_ : spare_;
    const bits pivot = pivot_of(from.keys + of.begin, of.count);
    const split sizes = sizes_of(from.keys + of.begin, of.count, pivot);
    split done{0, 0};
    for (long long tile = 0; tile < of.count; tile += kTile) {
      const long long first = tile + threadIdx.x * P.coarsening;
      T held[P.coarsening];
      // The thread's keys below the pivot; those above it in the upper 16 bits.
      unsigned own = 0;
#pragma unroll
      for (int i = 0; i < P.coarsening; ++i) {
        if (first + i >= of.count) break;
        held[i] = from.keys[of.begin + first + i];
        own += flag_of(held[i], pivot);
      }
      const auto others = block::exclusive_scan<block::add, P.block_size>(own);
      unsigned before = others.value;
#pragma unroll
      for (int i = 0; i < P.coarsening; ++i) {
        if (first + i >= of.count) break;
        const unsigned flag = flag_of(held[i], pivot);
        const long long below = done.below + (before & 0xffffU);
        const long long above = tile - done.below - done.at + (before >> 16);
        const long long at = first + i - below - above;
        const long long place = flag == kBelow ? below : flag == 0 ? sizes.below + at : sizes.below + sizes.at + above;
        to.keys[of.begin + place] = held[i];
        if constexpr (Pairs) to.values[of.begin + place] = from.values[of.begin + first + i];
        before += flag;
      }
      const long long present = min(of.count - tile, static_cast<long long>(kTile));
      done.below += others.total & 0xffffU;
      done.at += present - (others.total & 0xffffU) - (others.total >> 16);
      __syncthreads();
    }
    if (of.splits % 2 != 0) copy_to_out(of.begin + sizes.below, sizes.at);
    return sizes;
  }

 private:
  static constexpr unsigned kBelow = 1;
  static constexpr unsigned kAbove = 1U << 16;

  /// Where keys are after this many splits.
  __device__ __forceinline__ source source_of(int splits) const {
    if (splits == 0) return in_;
    const target held = splits % 2 == 0 ? spare_ : out_;
    return {held.keys, held.values};
  }

  /// 0 for keys equal to the pivot.
  __device__ __forceinline__ unsigned flag_of(T key, bits pivot) const {
    const bits own = compared_.of(key);
    return own < pivot ? kBelow : own > pivot ? kAbove : 0;
  }

  /// The median of three keys.
  __device__ __forceinline__ bits pivot_of(const T* keys, long long count) const {
    const bits a = compared_.of(keys[count / 6]);
    const bits b = compared_.of(keys[count / 2]);
    const bits c = compared_.of(keys[count - 1 - count / 6]);
    return max(min(a, b), min(max(a, b), c));
  }

  __device__ __forceinline__ split sizes_of(const T* keys, long long count, bits pivot) const {
    long long below = 0;
    long long at = 0;
    for (long long i = threadIdx.x; i < count; i += P.block_size) {
      const unsigned flag = flag_of(keys[i], pivot);
      below += flag == kBelow ? 1 : 0;
      at += flag == 0 ? 1 : 0;
    }
    const long long all_below = block::exclusive_scan<block::add, P.block_size>(below).total;
    __syncthreads();
    const long long all_at = block::exclusive_scan<block::add, P.block_size>(at).total;
    __syncthreads();
    return {all_below, all_at};
  }

  __device__ __forceinline__ void copy_to_out(long long begin, long long count) const {
    for (long long i = threadIdx.x; i < count; i += P.block_size) {
      out_.keys[begin + i] = spare_.keys[begin + i];
      if constexpr (Pairs) out_.values[begin + i] = spare_.values[begin + i];
    }
  }

  source in_;
  target out_, spare_;
  compared_bits<T> compared_;
};

}  // namespace detail

/// Sorts keys [begin, begin + count), and with Pairs their values, into out. After `splits` splits they are in `in`
/// (0), `out` (odd) or `spare`. One block; `depth` grids are above it.
template <class T, bool Pairs, quicksort_params P>
__global__ void __launch_bounds__(P.block_size)
    quicksort(const T* in, const unsigned* values, T* out, unsigned* values_out, T* spare, unsigned* spare_values,
              bit_range range, long long begin, long long count, int splits, int depth) {
  __shared__ detail::part waiting[detail::quicksort_waiting];
  __shared__ int is_launched;
  const detail::quicksort_block<T, Pairs, P> keys({in, values}, {out, values_out}, {spare, spare_values}, range);

  // Launches a child grid for the part, if possible; returns whether it did. After the barrier the child sees all moved
  // keys.
  const auto launch_part = [&](const detail::part& of) {
    if (depth >= P.depth || of.count <= P.leaf) return false;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      is_launched =
          launch_child<&quicksort<T, Pairs, P>>(P.stream, dim3(1), dim3(P.block_size), in, values, out, values_out,
                                                spare, spare_values, range, of.begin, of.count, of.splits, depth + 1)
              ? 1
              : 0;
    __syncthreads();
    return is_launched != 0;
  };

  detail::part now{begin, count, splits};
  int held = 0;
  while (true) {
    if (now.count <= P.leaf) {
      keys.sort_leaf(now);
    } else {
      const detail::split sizes = keys.split_part(now);
      detail::part smaller{now.begin, sizes.below, now.splits + 1};
      detail::part larger{now.begin + sizes.below + sizes.at, now.count - sizes.below - sizes.at, now.splits + 1};
      if (larger.count < smaller.count) {
        const detail::part below = smaller;
        smaller = larger;
        larger = below;
      }
      if (larger.count > 0 && !launch_part(larger)) {
        if (threadIdx.x == 0) waiting[held] = larger;
        ++held;
      }
      __syncthreads();
      now = smaller;
      if (now.count > 0 && !launch_part(now)) continue;
    }
    if (held == 0) return;
    now = waiting[--held];
  }
}

}  // namespace warpwright::sort

// sort/radix_onesweep: all digits are counted in one pass; then one pass per digit moves the keys, and tiles learn by
// decoupled look-back where they begin. Source: A. Adinets, D. Merrill, Onesweep: A Faster Least Significant Digit
// Radix Sort for GPUs, arXiv:2206.01784 (2022).
//
// A digit that is the same in all keys needs no moving. The other passes alternate between the output and a spare
// array, such that the last one writes the output; each pass computes which arrays it uses.
#pragma once

#include "kernels/block/look_back.cuh"
#include "kernels/sort/digit_look_back.cuh"
#include "kernels/sort/tile.cuh"

namespace warpwright::sort {

/// When the keys of a tile are counted.
enum class counting {
  early,  ///< before ranking: other tiles see the counts sooner, and each key is staged as it is ranked
  late    ///< during ranking
};

/// How the rank of a key among a warp's keys of the same digit is found.
enum class ranking {
  ballots,           ///< by ballots, in the order of lanes: stable
  first_by_arrival,  ///< by atomics in order of arrival, in the first pass of keys without values, where any order is
                     ///< right
  by_arrival         ///< by atomics in all passes; hardware does not promise the order, so a tile that is out of order
                     ///< is ranked again
};

struct radix_onesweep_params {
  int block_size = 256;
  int coarsening = 24;  ///< keys per thread
  int radix_bits = 8;   ///< bits per digit
  sort::counting counting = sort::counting::early;
  sort::ranking ranking = sort::ranking::ballots;
  int unroll = 1;         ///< keys that a thread ranks together
  int window = 2;         ///< descriptors that a thread loads together
  int min_blocks = 3;     ///< blocks of the moving kernel per SM
  int count_block = 512;  ///< threads of a block of the counting kernel
  bool operator==(const radix_onesweep_params&) const = default;
};

/// Copies of all digits' counts in a block of the counting kernel; lanes use them in turn.
inline constexpr int radix_onesweep_copies = 8;

/// Bytes of dynamic shared memory of the counting kernel.
__host__ __device__ constexpr int radix_onesweep_counters(const radix_onesweep_params& p, int passes) {
  return passes * (1 << p.radix_bits) * radix_onesweep_copies * 4;
}

/// Keys that a thread of the counting kernel loads together.
inline constexpr int radix_onesweep_loads = 8;

/// Adds to totals[pass][digit] the number of keys with the digit in the pass, for all passes. Any grid of one
/// dimension.
template <class T, class Offset, radix_onesweep_params P>
__global__ void __launch_bounds__(P.count_block)
    radix_onesweep_count(const T* __restrict__ keys, Offset* totals, bit_range range, int passes, long long n) {
  constexpr int kRadix = 1 << P.radix_bits;
  constexpr int kPasses = (8 * static_cast<int>(sizeof(T)) + P.radix_bits - 1) / P.radix_bits;
  constexpr int kCopies = radix_onesweep_copies;
  constexpr int kChunk = P.count_block * radix_onesweep_loads;
  extern __shared__ __align__(16) unsigned char staging[];
  unsigned* const counts = reinterpret_cast<unsigned*>(staging);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < passes * kRadix * kCopies; i += P.count_block) counts[i] = 0;
  __syncthreads();
  for (long long begin = static_cast<long long>(blockIdx.x) * kChunk; begin < n;
       begin += static_cast<long long>(gridDim.x) * kChunk) {
    const int present = present_of<kChunk>(begin, n);
    T own[radix_onesweep_loads];
#pragma unroll
    for (int i = 0; i < radix_onesweep_loads; ++i)
      if (i * P.count_block + thread < present) own[i] = keys[begin + i * P.count_block + thread];
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      if (pass >= passes) break;
      const digits_of<T, P.radix_bits> digit_of(range, pass);
#pragma unroll
      for (int i = 0; i < radix_onesweep_loads; ++i)
        if (i * P.count_block + thread < present)
          atomicAdd(&counts[(pass * kRadix + static_cast<int>(digit_of(own[i]))) * kCopies + thread % kCopies], 1U);
    }
  }
  __syncthreads();
  for (int i = thread; i < passes * kRadix; i += P.count_block) {
    unsigned sum = 0;
#pragma unroll
    for (int copy = 0; copy < kCopies; ++copy) sum += counts[i * kCopies + (copy + thread) % kCopies];
    if (sum != 0) atomicAdd(totals + i, static_cast<Offset>(sum));
  }
}

/// Replaces totals[pass][digit] by the number of keys with a smaller digit in the pass; is_same[pass] = 1 if all n keys
/// have the same digit, else 0. Grid: one block per pass.
template <class Offset, int BlockSize, int Radix>
__global__ void __launch_bounds__(BlockSize) radix_onesweep_starts(Offset* totals, unsigned* is_same, long long n) {
  Offset* const row = totals + static_cast<long long>(blockIdx.x) * Radix;
  bool is_all = false;
  block::scan_digits<BlockSize, Radix>(
      [&](int digit, int) {
        const Offset count = row[digit];
        if (static_cast<long long>(count) == n) is_all = true;
        return count;
      },
      row);
  const int is_one_all = __syncthreads_or(is_all ? 1 : 0);
  if (threadIdx.x == 0) is_same[blockIdx.x] = is_one_all != 0 ? 1 : 0;
}

/// The input, and two arrays of the same length between which passes move keys (or values): the output and a spare one.
template <class T>
struct moved_arrays {
  const T* in;
  T *out, *spare;

  /// The array that pass number `turn` of the `turns` moving passes writes, and the one it reads.
  __device__ __forceinline__ T* written(int turn, int turns) const { return (turns - turn) % 2 == 1 ? out : spare; }
  __device__ __forceinline__ const T* read(int turn, int turns) const {
    return turn == 0 ? in : written(turn - 1, turns);
  }
};

namespace detail {

/// Whether more than a third of the neighbours in two rows of the warp have the same digit, so that atomics on their
/// counters would conflict.
template <class DigitOf>
__device__ __forceinline__ bool is_crowded(int items, DigitOf digit_of) {
  int pairs = 0;
#pragma unroll
  for (int i = 0; i < items; i += (items + 1) / 2) {
    const unsigned digit = digit_of(i);
    pairs += __popc(__ballot_sync(0xffffffffU, digit == __shfl_down_sync(0xffffffffU, digit, 1) ? 1 : 0));
  }
  return pairs > 2 * 32 / 3;
}

/// Moves a tile and its values by one digit. Source: see above, except by_arrival, which is ours.
template <class T, bool Pairs, class Offset, radix_onesweep_params P>
class tile_mover {
 public:
  static constexpr int items = P.coarsening;
  static constexpr int tile_size = P.block_size * items;
  static constexpr int radix = 1 << P.radix_bits;
  static constexpr bool is_early = P.counting == counting::early;
  using digits = digits_of<T, P.radix_bits>;
  using share = block::digit_share<P.block_size, radix>;

  struct storage {
    block::radix_counts<P.block_size, P.radix_bits> counts;
    Offset first[radix];  ///< where the tile's keys of a digit go, minus their position in the tile
  };

  __device__ __forceinline__ tile_mover(storage& shared, T* staged, bit_range range, int pass)
      : shared_(shared), staged_(staged), range_(range), pass_(pass), digit_of_(range, pass) {}

  /// Moves tile number `tile` of n keys. starts[digit]: number of all keys with a smaller digit. `turn`: number of
  /// earlier passes on the descriptors.
  __device__ __forceinline__ void move(const T* keys, const unsigned* values, T* out, unsigned* values_out,
                                       const Offset* starts, Offset* descriptors, long long tile, int turn,
                                       long long n) {
    const int present = present_of<tile_size>(tile * tile_size, n);
    if (present == tile_size)
      move(full_tile{}, 0, keys, values, out, values_out, starts, descriptors, tile, turn);
    else
      move(partial_tile{present}, tile_size - present, keys, values, out, values_out, starts, descriptors, tile, turn);
  }

  /// Copies the tile whose number is that of the block.
  template <class Item>
  static __device__ __forceinline__ void copy(const Item* from, Item* to, long long n) {
    const long long begin = static_cast<long long>(blockIdx.x) * tile_size;
    const partial_tile which{present_of<tile_size>(begin, n)};
    Item own[items];
    load_tile(from, begin, which, Item(), own);
#pragma unroll
    for (int i = 0; i < items; ++i)
      if (which.has(block::warp_place<items>(i))) to[begin + block::warp_place<items>(i)] = own[i];
  }

 private:
  template <class Tile>
  __device__ __forceinline__ void move(Tile which, int missing, const T* keys, const unsigned* values, T* out,
                                       unsigned* values_out, const Offset* starts, Offset* descriptors, long long tile,
                                       int turn) {
    const long long begin = tile * tile_size;
    const T absent = last_key<T>(range_);
    T own[items];
    unsigned ranks[items];
    digit_link<P.window, Offset> links[share::each];
    Offset before[share::each];
    load_tile(keys, begin, which, absent, own);
    const auto publish = [&](int digit, int k, unsigned count) {
      if (static_cast<unsigned>(digit) == digit_of_(absent)) count -= static_cast<unsigned>(missing);
      links[k].publish(descriptors + digit, radix, tile, count, turn);
      before[k] = starts[digit];
    };
    const auto look_back = [&] {
      share::for_each([&](int digit, int k) {
        shared_.first[digit] = before[k] + links[k].look_back() - shared_.counts.starts[digit];
      });
    };
    constexpr bool may_arrive = !Pairs && Tile::is_full && P.ranking != ranking::ballots;
    bool is_checked = false;
    if constexpr (is_early) {
      block::zero_counters(shared_.counts);
      block::count_keys(shared_.counts, own, digit_of_);
      block::place_digits(shared_.counts, publish);
      look_back();
      if constexpr (may_arrive)
        is_checked = stage_by_arrival(own, turn, ranks);
      else
        stage<block::turns::by_lane>(block::own_counters(shared_.counts), digit_of_.anew(), own, ranks);
    } else {
      block::rank_digits<P.unroll>(shared_.counts, own, digit_of_, publish, ranks);
      look_back();
#pragma unroll
      for (int i = 0; i < items; ++i) staged_[ranks[i]] = own[i];
    }
    unsigned own_values[items];
    if constexpr (Pairs) load_tile(values, begin, which, 0U, own_values);
    __syncthreads();
    if constexpr (may_arrive && P.ranking == ranking::by_arrival)
      if (is_checked && is_out_of_order()) stage_again(keys + begin);
    const auto kept = scatter_staged<P.block_size, items>(staged_, which, shared_.first, digit_of_, out);
    if constexpr (Pairs)
      scatter_values<P.block_size>(reinterpret_cast<unsigned*>(staged_), own_values, ranks, which, shared_.first, kept,
                                   values_out);
  }

  /// Ranks the keys of a full tile by the positions in the counters, and stages them: in order of arrival if that is
  /// allowed and not slow. Returns whether their order must be checked.
  __device__ __forceinline__ bool stage_by_arrival(const T (&own)[items], int turn, unsigned (&ranks)[items]) {
    const digits digit_of = digit_of_.anew();
    unsigned* const counters = block::own_counters(shared_.counts);
    // If all bits of keys are compared, equal keys are identical; only the order from earlier passes must be kept.
    const bool may_arrive = range_.begin == 0 && range_.end == 8 * static_cast<int>(sizeof(T)) &&
                            (turn == 0 || P.ranking == ranking::by_arrival);
    if (may_arrive && !is_crowded(items, [&](int i) { return digit_of(own[i]); }))
      stage<block::turns::by_arrival>(counters, digit_of, own, ranks);
    else
      stage<block::turns::by_lane>(counters, digit_of, own, ranks);
    return may_arrive && turn > 0;
  }

  template <block::turns Order>
  __device__ __forceinline__ void stage(unsigned* counters, const digits& digit_of, const T (&own)[items],
                                        unsigned (&ranks)[items]) {
    block::take_turns<Order, P.radix_bits, P.unroll, items>(counters, own, digit_of, [&](int i, unsigned rank) {
      ranks[i] = rank;
      staged_[rank] = own[i];
    });
  }

  /// Whether a staged key is greater than the next one in the digits up to this one. The tile is full. All threads of
  /// the block call it after a barrier; it contains one.
  __device__ __forceinline__ bool is_out_of_order() const {
    const compared_bits<T> moved(
        {range_.flip, range_.begin, min(range_.begin + (pass_ + 1) * P.radix_bits, range_.end)});
    int found = 0;
    for_each_staged<P.block_size, items>(
        [&](int, int place) { found |= moved.of(staged_[max(place - 1, 0)]) > moved.of(staged_[place]) ? 1 : 0; });
    return __syncthreads_or(found) != 0;
  }

  /// The calling thread's keys, read again from global memory.
  struct read_again {
    const T* keys;
    __device__ __forceinline__ T operator[](int i) const { return keys[block::warp_place<items>(i)]; }
  };

  /// Ranks the keys of a full tile by ballots and stages them again, after the counters were used once.
  __device__ __forceinline__ void stage_again(const T* keys) {
    constexpr int kWarps = P.block_size / 32;
    // Each counter now has the start value of the next warp's; the last warp's row is reused for the first warp's start
    // values.
    for (int digit = static_cast<int>(threadIdx.x); digit < radix; digit += P.block_size)
      shared_.counts.of_warp[kWarps - 1][digit] = shared_.counts.starts[digit];
    __syncthreads();
    unsigned* const counters = shared_.counts.of_warp[(threadIdx.x / 32 + kWarps - 1) % kWarps];
    // One by one, so that keys that are read again take few registers.
    const read_again again{keys};
    block::take_turns<block::turns::by_lane, P.radix_bits, 1, items>(
        counters, again, digit_of_, [&](int i, unsigned rank) { staged_[rank] = again[i]; });
    __syncthreads();
  }

  storage& shared_;
  T* const staged_;
  const bit_range range_;
  const int pass_;
  const digits digit_of_;
};

}  // namespace detail

/// Moves the keys, and with Pairs their values, stably to the positions for the pass's digit, if is_same[pass] is zero.
/// If no pass moves them, the last one copies them. starts[pass][digit]: number of keys with a smaller digit. There is
/// one descriptor per tile and digit, zero before pass 0 and used only by the passes. The ticket is zero before and
/// after each pass. Grid: one block for each tile of block_size * coarsening keys. Offset counts up to 2^30 or 2^62
/// keys. At most 32 passes.
template <class T, bool Pairs, class Offset, radix_onesweep_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    radix_onesweep(const T* in, T* out, T* spare, const unsigned* values, unsigned* values_out, unsigned* spare_values,
                   const Offset* __restrict__ starts, Offset* descriptors, const unsigned* __restrict__ is_same,
                   unsigned* ticket, bit_range range, int passes, int pass, long long n) {
  using mover = detail::tile_mover<T, Pairs, Offset, P>;
  extern __shared__ __align__(16) unsigned char staging[];
  __shared__ typename mover::storage shared;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned moving = __ballot_sync(0xffffffffU, lane < passes && is_same[lane] == 0 ? 1 : 0);
  if ((moving >> pass & 1) == 0) {
    if (moving != 0 || pass + 1 != passes) return;
    mover::copy(in, out, n);
    if constexpr (Pairs) mover::copy(values, values_out, n);
    return;
  }
  const int turn = __popc(moving & ((1U << pass) - 1));
  const int turns = __popc(moving);
  const moved_arrays<T> keys_of{in, out, spare};
  const moved_arrays<unsigned> values_of{values, values_out, spare_values};
  const long long tile = block::next_tile(ticket);
  mover(shared, reinterpret_cast<T*>(staging), range, pass)
      .move(keys_of.read(turn, turns), values_of.read(turn, turns), keys_of.written(turn, turns),
            values_of.written(turn, turns), starts + pass * mover::radix, descriptors, tile, turn, n);
}

}  // namespace warpwright::sort

// A warp's part of a tile: elements in registers, and their ranks among the kept ones.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/block/scan.cuh"

namespace warpwright::compact {

/// A slab is 32 * Items neighbouring elements, which the lanes of a warp hold as chunks of 32 vectors of Vector
/// elements: lane l has vector l of every chunk. The object is one lane's share. Chunks of single elements are ranked
/// by ballots; other chunks by a scan of the lanes' counts.
template <class T, class Predicate, int Items, int Vector>
class slab {
  static_assert(Items % Vector == 0 && Items <= 32 && Vector <= 4, "whole vectors; one bit an element, a byte a chunk");
  static constexpr int kChunks = Items / Vector;
  static constexpr bool kByBallot = Vector == 1;
  /// The count of a chunk (at most 128) fits a byte, so four chunks are scanned at once.
  static constexpr int kWords = kByBallot ? 1 : (kChunks + 3) / 4;

 public:
  using element = T;
  using total = int;
  static constexpr int size = 32 * Items;

  /// Reads the slab that begins at `from`, of which the first `left` elements exist; the others are not kept. All loads
  /// are issued before the first is used; `from` is aligned for load_vector<Vector>.
  __device__ __forceinline__ void load(const T* from, long long left) {
    if (size <= left) {
#pragma unroll
      for (int i = 0; i != kChunks; ++i) held_[i] = load_vector<Vector>(from + place_of(i * Vector));
#pragma unroll
      for (int at = 0; at != Items; ++at)
        if (Predicate::keeps(held(at))) keep(at);
    } else {
      const int present = present_of(static_cast<int>(max(left, 0LL)));
#pragma unroll
      for (int at = 0; at != Items; ++at)
        if (at < present) held(at) = from[place_of(at)];
#pragma unroll
      for (int at = 0; at != Items; ++at)
        if (at < present && Predicate::keeps(held(at))) keep(at);
    }
  }

  /// The number of kept elements in the slab, for lane 0.
  __device__ __forceinline__ int reduce() const {
    return block::reduce_warp<block::add>(__popc(kept_));
  }

  /// Ranks the kept elements. To be called before store and the functions below it.
  __device__ __forceinline__ void scan() {
    if constexpr (!kByBallot) {
#pragma unroll
      for (int word = 0; word != kWords; ++word) {
        const unsigned up_to_lane = block::inclusive_scan_warp<block::add>(counts_[word]);
        counts_[word] = up_to_lane - counts_[word];
        totals_[word] = __shfl_sync(0xffffffffU, up_to_lane, 31);
      }
    }
  }

  /// The number of kept elements in the slab, for every lane. Called by all lanes together.
  __device__ __forceinline__ int kept() const {
    int all = 0;
#pragma unroll
    for (int chunk = 0; chunk != kChunks; ++chunk) all += kept_of_chunk(chunk);
    return all;
  }

  /// Writes the kept elements in order to to[0], to[1], ...; returns their number in every lane.
  __device__ __forceinline__ int store(T* to) const {
    return each([&](int at, int rank) {
      if (keeps(at)) to[rank] = held(at);
    });
  }

  /// Ranks and writes them. `to` may be where the slab was read from.
  __device__ __forceinline__ void pack(T* to) {
    scan();
    if constexpr (kByBallot) {
      store(to);
    } else {
      // Advancing a pointer costs less than adding a rank each time.
#pragma unroll
      for (int chunk = 0; chunk != kChunks; ++chunk) {
        T* next = to + byte_of(counts_, chunk);
#pragma unroll
        for (int k = 0; k != Vector; ++k)
          if (keeps(chunk * Vector + k)) *next++ = held(chunk * Vector + k);
        to += kept_of_chunk(chunk);
      }
    }
  }

  /// Like store; in addition writes those of the first `left` elements that are not kept to `rest`, in order.
  __device__ __forceinline__ void store_both(T* to, T* rest, long long left) const {
    each([&](int at, int rank) {
      const int place = place_of(at);
      if (keeps(at))
        to[rank] = held(at);
      else if (place < left)
        rest[place - rank] = held(at);
    });
  }

  /// Kept elements become the next elements of `from`, in order; the others become 0. Reads only as many as are kept.
  __device__ __forceinline__ void refill(const T* from) {
    each([&](int at, int rank) { held(at) = keeps(at) ? from[rank] : T(0); });
  }

  /// Writes the whole slab, of which the first `left` elements exist.
  __device__ __forceinline__ void store_all(T* to, long long left) const {
    if (size <= left) {
#pragma unroll
      for (int i = 0; i != kChunks; ++i) store_vector(to + place_of(i * Vector), held_[i]);
    } else {
      const int present = present_of(static_cast<int>(max(left, 0LL)));
#pragma unroll
      for (int at = 0; at != Items; ++at)
        if (at < present) to[place_of(at)] = held(at);
    }
  }

 private:
  /// Calls visit(at, number of elements the slab keeps before this lane's element `at`) for all of them, by all lanes
  /// together; returns the slab's number of kept elements.
  template <class Visit>
  __device__ __forceinline__ int each(Visit visit) const {
    int first = 0;
    if constexpr (kByBallot) {
      const unsigned lanes_before = (1U << threadIdx.x % 32) - 1;
#pragma unroll
      for (int at = 0; at != Items; ++at) {
        const unsigned kept = ballot(at);
        visit(at, first + __popc(kept & lanes_before));
        first += __popc(kept);
      }
    } else {
#pragma unroll
      for (int chunk = 0; chunk != kChunks; ++chunk) {
        int rank = first + byte_of(counts_, chunk);
#pragma unroll
        for (int k = 0; k != Vector; ++k) {
          visit(chunk * Vector + k, rank);
          rank += keeps(chunk * Vector + k) ? 1 : 0;
        }
        first += kept_of_chunk(chunk);
      }
    }
    return first;
  }

  __device__ __forceinline__ int kept_of_chunk(int chunk) const {
    return kByBallot ? __popc(ballot(chunk)) : byte_of(totals_, chunk);
  }

  /// The position in the slab of this lane's element `at`.
  static __device__ __forceinline__ int place_of(int at) {
    return (at / Vector * 32 + static_cast<int>(threadIdx.x) % 32) * Vector + at % Vector;
  }
  /// How many elements this lane holds if the slab has `left` elements: whole vectors, and part of one.
  static __device__ __forceinline__ int present_of(int left) {
    const int behind_lane = max(left - static_cast<int>(threadIdx.x) % 32 * Vector, 0);
    return behind_lane / (32 * Vector) * Vector + min(behind_lane % (32 * Vector), Vector);
  }
  static __device__ __forceinline__ int byte_of(const unsigned (&words)[kWords], int chunk) {
    return static_cast<int>(words[chunk / 4] >> (chunk % 4 * 8) & 255);
  }
  __device__ __forceinline__ T& held(int at) {
    return held_[at / Vector][at % Vector];
  }
  __device__ __forceinline__ const T& held(int at) const {
    return held_[at / Vector][at % Vector];
  }
  __device__ __forceinline__ bool keeps(int at) const {
    return (kept_ >> at & 1) != 0;
  }
  /// A mask of the lanes that keep their element `at`.
  __device__ __forceinline__ unsigned ballot(int at) const {
    return __ballot_sync(0xffffffffU, keeps(at) ? 1 : 0);
  }
  __device__ __forceinline__ void keep(int at) {
    kept_ |= 1U << at;
    if constexpr (!kByBallot) counts_[at / Vector / 4] += 1U << (at / Vector % 4 * 8);
  }

  vec<T, Vector> held_[kChunks];
  unsigned kept_ = 0;             ///< a bit for each element held
  unsigned counts_[kWords] = {};  ///< kept elements of this lane's vectors; once ranked, of all lower lanes' vectors
  unsigned totals_[kWords] = {};  ///< kept elements of whole chunks
};

}  // namespace warpwright::compact

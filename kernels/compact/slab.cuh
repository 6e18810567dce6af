// What a warp keeps of the part of a tile that it handles: elements in registers, and their ranks among the kept ones.
#pragma once

#include "kernels/block/scan.cuh"

namespace warpwright::compact {

/// A slab is 32 * Items neighbouring elements, which the lanes of a warp hold as chunks of 32 vectors of Vector
/// elements: lane l has vector l of every chunk. The object is one lane's share.
template <class T, class Predicate, int Items, int Vector>
class slab {
  static_assert(Items % Vector == 0 && Items <= 32 && Vector <= 4, "whole vectors; one bit an element, a byte a chunk");
  static constexpr int kChunks = Items / Vector;
  /// How many a chunk keeps, 128 at most, takes a byte: four chunks are scanned at once.
  static constexpr int kWords = (kChunks + 3) / 4;

 public:
  static constexpr int size = 32 * Items;

  /// Reads the slab that begins at `from`, of which the first `left` elements exist; what is behind them is not kept.
  /// All loads are under way together; `from` is aligned for load_vector<Vector>.
  __device__ __forceinline__ void load(const T* from, long long left) {
    if (size <= left) {
#pragma unroll
      for (int i = 0; i < kChunks; ++i) held_[i] = load_vector<Vector>(from + place_of(i * Vector));
#pragma unroll
      for (int at = 0; at < Items; ++at)
        if (Predicate::keeps(element(at))) keep(at);
    } else {
      const int present = present_of(static_cast<int>(max(left, 0LL)));
#pragma unroll
      for (int at = 0; at < Items; ++at)
        if (at < present) element(at) = from[place_of(at)];
#pragma unroll
      for (int at = 0; at < Items; ++at)
        if (at < present && Predicate::keeps(element(at))) keep(at);
    }
  }

  /// Ranks the kept elements; how many the whole slab keeps.
  __device__ __forceinline__ int rank() {
    int total = 0;
#pragma unroll
    for (int word = 0; word < kWords; ++word) {
      const unsigned up_to_lane = block::inclusive_scan_warp<block::add>(counts_[word]);
      counts_[word] = up_to_lane - counts_[word];
      totals_[word] = __shfl_sync(0xffffffffU, up_to_lane, 31);
    }
#pragma unroll
    for (int chunk = 0; chunk < kChunks; ++chunk) total += byte_of(totals_, chunk);
    return total;
  }

  /// Writes the kept elements in order, the slab's first to to[0].
  __device__ __forceinline__ void store(T* to) const {
    int first = 0;
#pragma unroll
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      int place = first + byte_of(counts_, chunk);
#pragma unroll
      for (int k = 0; k < Vector; ++k)
        if ((kept_ >> (chunk * Vector + k) & 1) != 0) to[place++] = held_[chunk][k];
      first += byte_of(totals_, chunk);
    }
  }

 private:
  /// Where in the slab this lane's element `at` is.
  static __device__ __forceinline__ int place_of(int at) {
    return (at / Vector * 32 + static_cast<int>(threadIdx.x) % 32) * Vector + at % Vector;
  }
  /// How many elements this lane holds of a slab of which so many exist: whole vectors, and part of one.
  static __device__ __forceinline__ int present_of(int left) {
    const int behind_lane = max(left - static_cast<int>(threadIdx.x) % 32 * Vector, 0);
    return behind_lane / (32 * Vector) * Vector + min(behind_lane % (32 * Vector), Vector);
  }
  static __device__ __forceinline__ int byte_of(const unsigned (&words)[kWords], int chunk) {
    return static_cast<int>(words[chunk / 4] >> (chunk % 4 * 8) & 255);
  }
  __device__ __forceinline__ T& element(int at) {
    return held_[at / Vector][at % Vector];
  }
  __device__ __forceinline__ void keep(int at) {
    kept_ |= 1U << at;
    counts_[at / Vector / 4] += 1U << (at / Vector % 4 * 8);
  }

  vec<T, Vector> held_[kChunks];
  unsigned kept_ = 0;             ///< a bit for each element held
  unsigned counts_[kWords] = {};  ///< kept of this lane's vectors; once ranked, of the lanes before it
  unsigned totals_[kWords] = {};  ///< kept of whole chunks
};

}  // namespace warpwright::compact

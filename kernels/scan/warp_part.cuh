// A warp's part of a tile of a scan, in registers.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/block/scan.cuh"
#include "kernels/block/section.cuh"
#include "kernels/scan/tile.cuh"

namespace warpwright::scan {

/// The cost of a register_tile: no shared memory, and the number of combinations between an element and a result, not
/// counting the prefix before the tile.
__host__ __device__ constexpr block::section_cost register_tile_cost(int items, int vector) {
  return {0, vector + items / vector + 10 + 2};
}

/// A warp's part of a tile, in registers: 32 * Items neighbouring elements in chunks of 32 vectors of Vector elements.
/// Chunks are scanned by shuffles one after the other. The object is one lane's share.
template <class T, class Op, int Items, int Vector>
class warp_part {
  static_assert(Items % Vector == 0, "whole vectors");
  static constexpr int kChunks = Items / Vector;

 public:
  using element = T;
  using total = T;
  static constexpr int size = 32 * Items;

  /// Reads the part that begins at `from`, of which the first `left` elements exist.
  __device__ __forceinline__ void load(const T* from, long long left) {
#pragma unroll
    for (int i = 0; i != kChunks; ++i) held_[i] = detail::load_elements<Op, Vector>(from + place(i), left - place(i));
  }

  /// The combination of the whole part, for lane 0.
  __device__ __forceinline__ T reduce() const {
    T value = Op::template identity<T>();
#pragma unroll
    for (int i = 0; i != kChunks; ++i)
#pragma unroll
      for (int k = 0; k != Vector; ++k) value = Op::combine(value, held_[i][k]);
    return block::reduce_warp<Op>(value);
  }

  /// Scans the part without a prefix; returns the combination of the whole part in every lane.
  __device__ __forceinline__ T scan() {
    constexpr unsigned kAll = 0xffffffffU;
    const bool is_first_lane = threadIdx.x % 32 == 0;
    T of_warp = Op::template identity<T>();
#pragma unroll
    for (int i = 0; i != kChunks; ++i) {
#pragma unroll
      for (int k = 1; k != Vector; ++k) held_[i][k] = Op::combine(held_[i][k - 1], held_[i][k]);
      const T up_to_lane = block::inclusive_scan_warp<Op>(held_[i][Vector - 1]);
      const T before_lane = __shfl_up_sync(kAll, up_to_lane, 1);
      before_[i] = is_first_lane ? of_warp : Op::combine(of_warp, before_lane);
      of_warp = Op::combine(of_warp, __shfl_sync(kAll, up_to_lane, 31));
    }
    return of_warp;
  }

  /// Writes the results, combined with `before`, to to[0], to[1], ...; the first `left` elements exist.
  template <kind Kind>
  __device__ __forceinline__ void store(T* to, long long left, T before) const {
#pragma unroll
    for (int i = 0; i != kChunks; ++i) {
      const T before_vector = Op::combine(before, before_[i]);
      vec<T, Vector> results;
#pragma unroll
      for (int k = 0; k != Vector; ++k)
        if constexpr (Kind == kind::inclusive)
          results[k] = Op::combine(before_vector, held_[i][k]);
        else
          results[k] = k == 0 ? before_vector : Op::combine(before_vector, held_[i][k == 0 ? 0 : k - 1]);
      detail::store_elements<Vector>(to + place(i), left - place(i), results);
    }
  }

 private:
  /// The position in the part at which this lane's vector of chunk i begins.
  static __device__ __forceinline__ int place(int i) {
    return (i * 32 + static_cast<int>(threadIdx.x) % 32) * Vector;
  }

  vec<T, Vector> held_[kChunks];  ///< once scanned, each element combined with those before it in its vector
  T before_[kChunks];             ///< the combination of all elements before each vector in the part
};

}  // namespace warpwright::scan

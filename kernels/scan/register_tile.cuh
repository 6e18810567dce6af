// Tiles of a scan that stay in registers.
#pragma once

#include "kernels/scan/warp_part.cuh"

namespace warpwright::scan {

/// A tile that stays in registers: one part for each warp.
template <class T, class Op, int Threads, int Items, int Vector>
class register_tile {
  using part = warp_part<T, Op, Items, Vector>;

 public:
  static constexpr int size = Threads * Items;

  /// `shared` is not used.
  __device__ __forceinline__ void load(const T* from, long long left, T*) {
    part_.load(from + first(), left - first());
  }

  __device__ __forceinline__ T scan() {
    const block::scanned<T> warps = block::scan_warps<Op, Threads>(part_.scan());
    before_warp_ = warps.value;
    return warps.total;
  }

  template <kind Kind, position Position>
  __device__ __forceinline__ void store(T* to, long long left, T before) const {
    part_.template store<Kind>(to + first(), left - first(), detail::behind<Op, Position>(before, before_warp_));
  }

 private:
  /// The position in the tile at which the warp's part begins.
  static __device__ __forceinline__ int first() { return static_cast<int>(threadIdx.x) / 32 * part::size; }

  part part_;
  T before_warp_;
};

}  // namespace warpwright::scan

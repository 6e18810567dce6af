// Tiles of operands that go through registers into shared memory, and the sums over a pair of them.
#pragma once

#include "kernels/matmul/tiles.cuh"

namespace warpwright::matmul {

/// Adds the products of a tile; a term is read before the previous one is used.
template <form B, class Sum, tiling S>
__device__ __forceinline__ void add_tile(thread_sums<Sum, S>& sums, const Sum* tile_a, const Sum* tile_b) {
  const thread_place<S> mine;
  thread_terms<Sum, B, S> held[2];
  held[0].read(tile_a, tile_b, mine, 0);
  add_tile(sums, held, tile_a, tile_b, mine, [](thread_terms<Sum, B, S>&) {});
}

/// A thread's share of a tile on its way through registers.
template <class T, class Share>
class held_share {
 public:
  __device__ __forceinline__ explicit held_share(const operand<T>& of) : mine_(of) {}

  /// Loads the elements for a step whose tile is complete.
  __device__ __forceinline__ void load_whole(const operand<T>& of) {
    mine_.for_each(of, [&](int pass, const T* from) { held_[pass] = load_vector<Share::width>(from); });
  }

  /// Loads the elements for a step with `terms` terms; elements outside the operand are 0.
  __device__ __forceinline__ void load(const operand<T>& of, int step, int terms) {
    if (step < of.whole_steps) {
      load_whole(of);
    } else {
      mine_.for_each(of, [&](int pass, const T* from) {
#pragma unroll
        for (int i = 0; i < Share::width; ++i) held_[pass][i] = mine_.exists(of, terms, pass, i) ? from[i] : T(0);
      });
    }
  }

  /// Writes them to the tile, converted to the type of sums.
  template <class Sum>
  __device__ __forceinline__ void store(Sum* tile) const {
#pragma unroll
    for (int pass = 0; pass < Share::passes; ++pass) {
      vec<Sum, Share::width> held;
#pragma unroll
      for (int i = 0; i < Share::width; ++i) held[i] = static_cast<Sum>(held_[pass][i]);
      if constexpr (Share::rows == along::places) {
        store_vector(mine_.target(tile, pass, 0), held);
      } else {
#pragma unroll
        for (int i = 0; i < Share::width; ++i) *mine_.target(tile, pass, i) = held[i];
      }
    }
  }

 private:
  Share mine_;
  vec<T, Share::width> held_[Share::passes];
};

}  // namespace warpwright::matmul

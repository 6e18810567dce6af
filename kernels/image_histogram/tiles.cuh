// How a block's threads visit the pixels of a tile.
#pragma once

#include "kernels/image_histogram/tiling.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::image_histogram {

/// How threads visit a tile: they take its vectors in turn, row by row.
struct walk {
  int block_size;
  int loads_in_flight;  ///< vectors that a thread loads before it uses the first
  int vector_width;     ///< keys per load
};

namespace detail {

/// A vector of a row of the tile; its keys [first, last) belong to the tile.
template <class Key, int Vector>
struct piece {
  vec<Key, Vector> keys;
  int first, last;
};

/// Vector number `vector` of the keys in[begin..end), counted from the one that contains in[begin]. `in` is aligned to
/// vectors, `begin` need not be: the first and the last vector are loaded key by key if they reach outside. Whole: none
/// does.
template <bool Whole, int Vector, class Key>
__device__ __forceinline__ piece<Key, Vector> load_piece(const Key* __restrict__ in, long long begin, long long end,
                                                         int vector) {
  if constexpr (Whole) {
    return {load_vector<Vector>(in + begin + vector * Vector), 0, Vector};
  } else {
    const long long at = (begin / Vector + vector) * Vector;
    piece<Key, Vector> loaded;
    loaded.first = static_cast<int>(max(begin - at, 0LL));
    loaded.last = static_cast<int>(min(end - at, static_cast<long long>(Vector)));
    if (loaded.first == 0 && loaded.last == Vector) {
      loaded.keys = load_vector<Vector>(in + at);
    } else {
#pragma unroll
      for (int k = 0; k < Vector; ++k)
        if (k >= loaded.first && k < loaded.last) loaded.keys[k] = in[at + k];
    }
    return loaded;
  }
}

template <walk W, bool Whole, class Key, class Use>
__device__ __forceinline__ void visit_vectors(const Key* __restrict__ in, long long columns, const tile_bounds& tile,
                                              Use use) {
  constexpr unsigned kVector = W.vector_width;
  const auto width = static_cast<unsigned>(tile.right - tile.left);
  // The largest number of vectors that `width` keys can touch: the first key is the last one of its vector.
  const unsigned vectors = (Whole ? width : width + 2 * kVector - 2) / kVector;
  const unsigned rows_on = W.block_size / vectors;
  const unsigned vectors_on = W.block_size % vectors;
  unsigned vector = threadIdx.x % vectors;
  long long row = tile.top + threadIdx.x / vectors;
#pragma unroll 1
  while (row < tile.bottom) {
    piece<Key, W.vector_width> held[W.loads_in_flight];
#pragma unroll
    for (int i = 0; i < W.loads_in_flight; ++i) {
      const long long begin = row * columns + tile.left;
      if (row < tile.bottom)
        held[i] = load_piece<Whole, W.vector_width>(in, begin, begin + width, static_cast<int>(vector));
      else
        held[i].last = held[i].first = 0;
      row += rows_on;
      vector += vectors_on;
      if (vector >= vectors) {
        vector -= vectors;
        ++row;
      }
    }
#pragma unroll
    for (int i = 0; i < W.loads_in_flight; ++i) {
      if (held[i].last <= 0) continue;
#pragma unroll
      for (int k = 0; k < W.vector_width; ++k)
        if (Whole || (k >= held[i].first && k < held[i].last)) use(held[i].keys[k]);
    }
  }
}

}  // namespace detail

/// Calls use(key) once for every key of a tile, by the threads of a one-dimensional block.
template <walk W, class Key, class Use>
__device__ __forceinline__ void visit_tile(const Key* __restrict__ in, long long columns, const tile_bounds& tile,
                                           Use use) {
  if (W.vector_width == 1 || (columns | tile.left | tile.right) % W.vector_width == 0)
    detail::visit_vectors<W, true>(in, columns, tile, use);
  else if constexpr (W.vector_width > 1)
    detail::visit_vectors<W, false>(in, columns, tile, use);
}

}  // namespace warpwright::image_histogram

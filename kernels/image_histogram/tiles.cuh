// How a block's threads go over the pixels of a tile.
#pragma once

#include "kernels/image_histogram/tiling.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::image_histogram {

/// How threads go over a tile.
struct walk {
  int block_size;
  int threads_across;  ///< neighbours in a row of the image; the others are below them
  int coarsening;      ///< rows whose vectors a thread loads before it uses the first
  int vector_width;    ///< keys per load
};

namespace detail {

/// A vector of a row of the tile, of which the keys [first, last) belong to the tile.
template <class Key, int Vector>
struct piece {
  vec<Key, Vector> keys;
  int first, last;
};

/// Vector number `vector` of the keys in[begin..end), counted from the one that in[begin] lies in. `in` is aligned to
/// vectors, `begin` need not be: the first and the last vector are loaded key by key where they reach beyond.
template <int Vector, class Key>
__device__ __forceinline__ piece<Key, Vector> load_piece(const Key* __restrict__ in, long long begin, long long end,
                                                         long long vector) {
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

}  // namespace detail

/// Calls use(key) for every key of a tile, once, by the threads of a block of one dimension.
template <walk W, class Key, class Use>
__device__ __forceinline__ void visit_tile(const Key* __restrict__ in, long long columns, const tile_bounds& tile,
                                           Use use) {
  constexpr int kBelow = W.block_size / W.threads_across;
  const int across = static_cast<int>(threadIdx.x) % W.threads_across;
  const int below = static_cast<int>(threadIdx.x) / W.threads_across;
  // As many vectors as so many keys touch where they begin with the last key of one.
  const long long vectors = (tile.right - tile.left + 2 * W.vector_width - 2) / W.vector_width;
#pragma unroll 1
  for (long long row = tile.top + below; row < tile.bottom; row += kBelow * W.coarsening)
#pragma unroll 1
    for (long long vector = across; vector < vectors; vector += W.threads_across) {
      detail::piece<Key, W.vector_width> held[W.coarsening];
#pragma unroll
      for (int i = 0; i < W.coarsening; ++i) {
        const long long begin = (row + i * kBelow) * columns + tile.left;
        if (row + i * kBelow < tile.bottom)
          held[i] = detail::load_piece<W.vector_width>(in, begin, begin + tile.right - tile.left, vector);
        else
          held[i].last = held[i].first = 0;
      }
#pragma unroll
      for (int i = 0; i < W.coarsening; ++i)
#pragma unroll
        for (int k = 0; k < W.vector_width; ++k)
          if (k >= held[i].first && k < held[i].last) use(held[i].keys[k]);
    }
}

}  // namespace warpwright::image_histogram

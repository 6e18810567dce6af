// Tiles of a scan: a block's elements, loaded, scanned and stored.
//
// A tile is a class; every thread of the block has an object of it. `load` reads `size` elements (of which `left`
// exist), `scan` returns the combination of all to every thread, and `store` writes the results, each combined with
// `before` if Position says so. `shared` is the array of a Section in shared memory; it belongs to the tile from load
// to store.
#pragma once

#include "kernels/block/operators.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::scan {

/// Whether an element is part of its own result.
enum class kind { inclusive, exclusive };

/// Whether a tile has a prefix to combine its results with.
enum class position { first, behind };

namespace detail {

/// An element as the scan takes it; empty if it is a NaN that the operator ignores.
template <class Op, class T>
__device__ __forceinline__ T element_of(T x) {
  if constexpr (Op::ignores_nan)
    return Op::combine(Op::template identity<T>(), x);
  else
    return x;
}

/// from[0..Vector), of which the first `left` exist; the others are empty. `from` is aligned to the vector.
template <class Op, int Vector, class T>
__device__ __forceinline__ vec<T, Vector> load_elements(const T* from, long long left) {
  vec<T, Vector> held;
  if (Vector <= left) {
    held = load_vector<Vector>(from);
#pragma unroll
    for (int k = 0; k != Vector; ++k) held[k] = element_of<Op>(held[k]);
  } else {
#pragma unroll
    for (int k = 0; k != Vector; ++k) held[k] = k < left ? element_of<Op>(from[k]) : Op::template identity<T>();
  }
  return held;
}

template <int Vector, class T>
__device__ __forceinline__ void store_elements(T* to, long long left, const vec<T, Vector>& held) {
  if (Vector <= left) {
    store_vector(to, held);
  } else {
#pragma unroll
    for (int k = 0; k != Vector; ++k)
      if (k < left) to[k] = held[k];
  }
}

template <class Op, position Position, class T>
__device__ __forceinline__ T behind(T before, T value) {
  if constexpr (Position == position::behind)
    return Op::combine(before, value);
  else
    return value;
}

/// The dynamic shared memory of a block as elements of type T.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  return reinterpret_cast<T*>(shared_bytes);
}

}  // namespace detail

}  // namespace warpwright::scan

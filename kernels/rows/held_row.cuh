// The part of a row that a thread holds in registers: every vector of `stride` threads that follow each other.
#pragma once

#include "kernels/rows/statistics.cuh"

namespace warpwright::rows {

/// The columns of Held vectors of Width elements: vector v begins at column first + v * stride. There are `end`
/// columns, whole vectors.
template <int Held, int Width>
struct held_columns {
  int first, stride, end;

  __device__ int of(int v) const { return first + v * stride; }
  __device__ bool has(int v) const { return of(v) < end; }
};

/// The weights and biases of these columns.
template <operation Op, class T, int Held, int Width>
struct held_weights {
  vec<T, Width> weights[Held], biases[Held];

  __device__ __forceinline__ void load(const T* weight, const T* bias, const held_columns<Held, Width>& columns) {
#pragma unroll
    for (int v = 0; v < Held; ++v) {
      if (!columns.has(v)) break;
      if constexpr (kHasWeights<Op>) weights[v] = load_vector<Width>(weight + columns.of(v));
      if constexpr (kHasBiases<Op>) biases[v] = load_vector<Width>(bias + columns.of(v));
    }
  }
  __device__ T weight_of(int v, int k) const {
    return kHasWeights<Op> ? weights[v][k] : T();
  }
  __device__ T bias_of(int v, int k) const {
    return kHasBiases<Op> ? biases[v][k] : T();
  }
};

/// The elements of a row in these columns.
template <int Held, int Width>
struct held_row {
  float values[Held * Width];
  int count = 0;  ///< of values that are within the row

  template <class T>
  __device__ __forceinline__ void load(const T* row, const held_columns<Held, Width>& columns) {
    count = 0;
#pragma unroll
    for (int v = 0; v < Held; ++v) {
      if (!columns.has(v)) break;
      const vec<T, Width> loaded = load_vector<Width>(row + columns.of(v));
#pragma unroll
      for (int k = 0; k < Width; ++k) values[v * Width + k] = to_float(loaded[k]);
      count += Width;
    }
  }

  template <operation Op, class T>
  __device__ __forceinline__ void store(T* row, const held_columns<Held, Width>& columns, float center, float factor,
                                        const held_weights<Op, T, Held, Width>& with) const {
#pragma unroll
    for (int v = 0; v < Held; ++v) {
      if (v * Width >= count) break;
      vec<T, Width> results;
#pragma unroll
      for (int k = 0; k < Width; ++k)
        results[k] = result_of<Op>(values[v * Width + k], center, factor, with.weight_of(v, k), with.bias_of(v, k));
      store_vector(row + columns.of(v), results);
    }
  }
};

}  // namespace warpwright::rows

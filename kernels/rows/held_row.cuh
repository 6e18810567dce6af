// The part of a row that a thread holds in registers: every vector of `stride` threads that follow each other.
#pragma once

#include "kernels/rows/statistics.cuh"

namespace warpwright::rows {

/// Held vectors of Width elements: vector v begins at column first + v * stride. Rows are whole vectors.
template <int Held, int Width>
struct held_row {
  float values[Held * Width];
  int count = 0;  ///< of values that are within the row

  template <class T>
  __device__ __forceinline__ void load(const T* row, int first, int stride, int columns) {
    count = 0;
#pragma unroll
    for (int v = 0; v < Held; ++v) {
      if (first + v * stride >= columns) break;
      const vec<T, Width> loaded = load_vector<Width>(row + first + v * stride);
#pragma unroll
      for (int k = 0; k < Width; ++k) values[v * Width + k] = to_float(loaded[k]);
      count += Width;
    }
  }

  template <operation Op, class T>
  __device__ __forceinline__ void store(T* row, int first, int stride, float center, float factor, const T* weight,
                                        const T* bias) const {
#pragma unroll
    for (int v = 0; v < Held; ++v) {
      if (v * Width >= count) break;
      vec<T, Width> results;
#pragma unroll
      for (int k = 0; k < Width; ++k)
        results[k] = result_of<Op>(values[v * Width + k], center, factor, weight, bias, first + v * stride + k);
      store_vector(row + first + v * stride, results);
    }
  }
};

}  // namespace warpwright::rows

// The part of a row that a thread holds in registers: every vector of `stride` threads that follow each other.
#pragma once

#include "kernels/rows/statistics.cuh"

namespace warpwright::rows {

/// The columns of Held vectors of Width elements: vector v begins at column first + v * stride. There are `end`
/// columns, whole vectors.
struct held_columns {
  int first, stride, end;

  __device__ int of(int v) const { return first + v * stride; }
  __device__ bool has(int v) const { return of(v) < end; }
};

/// The type in which an element is held.
template <bool AsFloat, class T>
__device__ auto held_element() {
  if constexpr (AsFloat)
    return 0.0F;
  else
    return T();
}

/// Elements of a row as they are stored, so that short ones take few registers; for softmax as floats, whose
/// exponentials take their place.
template <operation Op, class T, int Held, int Width>
class held_row {
 public:
  __device__ __forceinline__ void load(const T* row, const held_columns& columns) {
    count_ = 0;
#pragma unroll
    for (int v = 0; v < Held; ++v) {
      if (!columns.has(v)) break;
      const vec<T, Width> loaded = load_vector<Width>(row + columns.of(v));
      if constexpr (kTakesExponentials) {
#pragma unroll
        for (int k = 0; k < Width; ++k) values_[v][k] = to_float(loaded[k]);
      } else {
        values_[v] = loaded;
      }
      count_ += Width;
    }
  }

  /// Softmax: replaces the elements by their exponentials around a centre.
  __device__ __forceinline__ void take_exponentials(float center) {
    if constexpr (kTakesExponentials) {
#pragma unroll
      for (int k = 0; k < kMost; ++k)
        if (k < count_) values_[k / Width][k % Width] = exponential(value(k), center);
    }
  }

  /// The statistics, in two passes. Softmax: takes the exponentials around their centre.
  __device__ __forceinline__ statistics measure() {
    statistics made = of_none<Op>();
    if (count_ == 0) return made;
    made.count = static_cast<float>(count_);
    if constexpr (kHasCenter<Op>) {
#pragma unroll
      for (int k = 0; k < kMost; ++k)
        if (k < count_) made.center = joined<Op>(made.center, value(k));
      made.center = center_of<Op>(made.center, count_);
    }
    take_exponentials(base_of(made));
#pragma unroll
    for (int k = 0; k < kMost; ++k)
      if (k < count_) made.sum += kTakesExponentials ? value(k) : term_of<Op>(value(k), made.center);
    return made;
  }

  /// Stores the results. Softmax: of elements that took their exponentials.
  __device__ __forceinline__ void store(T* row, const held_columns& columns, float center, float factor,
                                        const T* weight, const T* bias) const {
#pragma unroll
    for (int v = 0; v < Held; ++v) {
      if (v * Width >= count_) break;
      vec<T, Width> results, weights{}, biases{};
      if constexpr (kHasWeights<Op>) weights = load_vector<Width>(weight + columns.of(v));
      if constexpr (kHasBiases<Op>) biases = load_vector<Width>(bias + columns.of(v));
#pragma unroll
      for (int k = 0; k < Width; ++k) {
        const float x = value(v * Width + k);
        results[k] =
            kTakesExponentials ? from_float<T>(x * factor) : result_of<Op>(x, center, factor, weights[k], biases[k]);
      }
      store_vector(row + columns.of(v), results);
    }
  }

 private:
  static constexpr bool kTakesExponentials = Op == operation::softmax;
  static constexpr int kMost = Held * Width;
  using element = decltype(held_element<kTakesExponentials, T>());

  __device__ float value(int k) const {
    return to_float(values_[k / Width][k % Width]);
  }

  vec<element, Width> values_[Held];
  int count_ = 0;  ///< of elements that are within the row
};

}  // namespace warpwright::rows

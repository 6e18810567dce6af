// The operations of rows, as the steps that all kernels share: a first sum over a row gives its centre, a second one
// its factor, and these two and an element give its result.
#pragma once

#include "kernels/runtime/short_floats.cuh"

namespace warpwright::rows {

enum class operation { softmax, layernorm, rmsnorm };

/// A matrix whose rows follow each other.
struct matrix {
  long long rows;
  int columns;
  float epsilon;  ///< is added to the variance, or to the mean square
};

inline constexpr float kMinusInfinity = __builtin_bit_cast(float, 0xff800000U);

/// e to the power of x - center.
__device__ __forceinline__ float exponential(float x, float center) {
  constexpr float kLog2OfE = 1.44269504F;
  return exp2f((x - center) * kLog2OfE);
}

/// Whether a row has a centre: its largest element (softmax) or its mean (layernorm).
template <operation Op>
inline constexpr bool kHasCenter = Op != operation::rmsnorm;

/// What the first pass begins with, and how it takes an element or the result of another thread.
template <operation Op>
inline constexpr float kFirst = Op == operation::softmax ? kMinusInfinity : 0.0F;
template <operation Op>
__device__ __forceinline__ float joined(float first, float x) {
  return Op == operation::softmax ? fmaxf(first, x) : first + x;
}

/// The centre of a row whose first pass gave `first`.
template <operation Op>
__device__ __forceinline__ float center_of(float first, int columns) {
  return Op == operation::layernorm ? first / static_cast<float>(columns) : first;
}

/// What the second pass adds up: exponentials (softmax), or squares of the distances from the centre.
template <operation Op>
__device__ __forceinline__ float term_of(float x, float center) {
  if constexpr (Op == operation::softmax) return exponential(x, center);
  return (x - center) * (x - center);
}

/// What every element of a row is multiplied by.
template <operation Op>
__device__ __forceinline__ float factor_of(float sum, const matrix& of) {
  if constexpr (Op == operation::softmax) return 1.0F / sum;
  return 1.0F / sqrtf(sum / static_cast<float>(of.columns) + of.epsilon);
}

/// Softmax has neither weights nor biases, rmsnorm has no biases. Pointers to them are not read then.
template <operation Op>
inline constexpr bool kHasWeights = Op != operation::softmax;
template <operation Op>
inline constexpr bool kHasBiases = Op == operation::layernorm;

/// The result of an element x with its weight and bias.
template <operation Op, class T>
__device__ __forceinline__ T result_of(float x, float center, float factor, T weight, T bias) {
  if constexpr (!kHasWeights<Op>) return from_float<T>(exponential(x, center) * factor);
  const float scaled = (x - center) * factor * to_float(weight);
  return from_float<T>(kHasBiases<Op> ? scaled + to_float(bias) : scaled);
}

/// The same with those of its column.
template <operation Op, class T>
__device__ __forceinline__ T result_of(float x, float center, float factor, const T* weight, const T* bias,
                                       int column) {
  return result_of<Op>(x, center, factor, kHasWeights<Op> ? weight[column] : T(), kHasBiases<Op> ? bias[column] : T());
}

}  // namespace warpwright::rows

// The right results of rows in double, and the magnitudes that their error bounds are shares of.
#pragma once

#include "kernels/rows/operation.cuh"

namespace warpwright::rows {

/// Threads of a block of the reference.
inline constexpr int kReferenceBlock = 256;

/// What the results of a row depend on besides their elements.
struct row_moments {
  double center;  ///< the largest element, the mean, or 0
  double factor;
  double size;  ///< softmax: the mean distance from the centre, weighted by the results; else the mean of |x|
};

/// What an element adds to the sums that a row's moments are made of.
struct row_terms {
  double sum;   ///< of exponentials, or of squares
  double size;  ///< of exponentials times distances, or of magnitudes
};

template <operation Op>
__host__ __device__ inline row_terms terms_of(double x, double center) {
  const double apart = x - center;
  if (Op != operation::softmax) return {apart * apart, fabs(x)};
  const double e = exp(apart);
  return {e, e == 0 ? 0 : e * -apart};
}

template <operation Op>
__host__ __device__ inline row_moments moments_of(double center, const row_terms& sums, const matrix& of) {
  if (Op == operation::softmax) return {center, 1 / sums.sum, sums.size / sums.sum};
  const double factor = 1 / sqrt(sums.sum / of.columns + static_cast<double>(of.epsilon));
  return {center, factor, sums.size / of.columns};
}

struct expected_result {
  double value;
  double magnitude;
};

/// With u for a rounding error of float: the exponent x - center has an error of about 3 |x - center| u, which is one
/// of the result relative to it, and those of the sum are averages of such errors. A mean has an error of a multiple of
/// size * u, which moves all differences and is divided by the deviation.
template <operation Op>
__host__ __device__ inline expected_result expected_of(double x, const row_moments& row, double weight, double bias) {
  const double apart = x - row.center;
  if (Op == operation::softmax) {
    const double value = exp(apart) * row.factor;
    return {value, value == 0 ? 0 : value * (1 - apart + row.size)};
  }
  const double scaled = apart * row.factor;
  const double moved = Op == operation::layernorm ? row.size * row.factor : 0;
  return {scaled * weight + bias, fabs(weight) * (fabs(scaled) * (1 + moved) + moved) + fabs(bias)};
}

}  // namespace warpwright::rows

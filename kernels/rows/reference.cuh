// Rows in double, a block for each row: what results of large matrices are compared with. It is checked itself against
// the CPU oracle.
#pragma once

#include "kernels/rows/expected.cuh"

namespace warpwright::rows {

/// The sum or the largest of the values of all threads.
template <bool Largest>
__device__ inline double of_block(double value) {
  __shared__ double shared[kReferenceBlock];
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();
  shared[thread] = value;
  for (int half = kReferenceBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      const double other = shared[thread + half];
      shared[thread] = Largest ? (other > shared[thread] ? other : shared[thread]) : shared[thread] + other;
    }
  }
  __syncthreads();
  return shared[0];
}

/// Any grid of blocks of kReferenceBlock threads.
template <class T, operation Op>
__global__ void reference(const T* in, const T* weight, const T* bias, double* expected, double* magnitude, matrix of) {
  const int thread = static_cast<int>(threadIdx.x);
  for (long long row = blockIdx.x; row < of.rows; row += gridDim.x) {
    const T* from = in + row * of.columns;
    double first = Op == operation::softmax ? static_cast<double>(kMinusInfinity) : 0;
    for (int c = thread; kHasCenter<Op> && c < of.columns; c += kReferenceBlock) {
      const auto x = static_cast<double>(to_float(from[c]));
      first = Op == operation::softmax ? (x > first ? x : first) : first + x;
    }
    double center = of_block<Op == operation::softmax>(first);
    if (Op == operation::layernorm) center /= of.columns;

    row_terms sums{0, 0};
    for (int c = thread; c < of.columns; c += kReferenceBlock) {
      const row_terms terms = terms_of<Op>(static_cast<double>(to_float(from[c])), center);
      sums = {sums.sum + terms.sum, sums.size + terms.size};
    }
    const double sum = of_block<false>(sums.sum);
    const double size = of_block<false>(sums.size);
    const row_moments moments = moments_of<Op>(center, {sum, size}, of);

    for (int c = thread; c < of.columns; c += kReferenceBlock) {
      const double w = Op == operation::softmax ? 1 : static_cast<double>(to_float(weight[c]));
      const double b = Op == operation::layernorm ? static_cast<double>(to_float(bias[c])) : 0;
      const auto [value, size_of_value] = expected_of<Op>(static_cast<double>(to_float(from[c])), moments, w, b);
      expected[row * of.columns + c] = value;
      magnitude[row * of.columns + c] = size_of_value;
    }
  }
}

}  // namespace warpwright::rows

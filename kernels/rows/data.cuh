// Data sets of rows: exact ones for each operation, and rows on which bad algorithms fail.
#pragma once

#include "kernels/rows/operation.cuh"
#include "kernels/runtime/generate.cuh"

namespace warpwright::rows {

enum class content {
  exact,    ///< no result needs rounding; see `elements`
  shifted,  ///< a mean of 10,000 standard deviations (short floats: 400), so that the mean of squares less the square
            ///< of the mean is no variance
  masked,   ///< many -inf, as in causal attention; the first column has none
  scores    ///< from -120 to 120: exponentials overflow unless the largest element is subtracted
};

/// The elements of a matrix.
template <class T>
struct elements {
  content kind;
  operation op;
  int columns;

  /// exact: softmax has a power of two of equal elements in every row, and -inf elsewhere, so that results are powers
  /// of two or 0. The elements of a row are equal for layernorm, so that the results are the biases. For rmsnorm they
  /// are +-2^15, whose squares absorb epsilon.
  __host__ __device__ constexpr float exact_element(unsigned long long seed, long long row, long long column,
                                                    unsigned long long bits) const {
    const unsigned long long of_row = generate::bits_at(seed + 1, row);
    const auto level = static_cast<float>(static_cast<int>(of_row % 17) - 8);
    if (op == operation::layernorm) return level;
    if (op == operation::rmsnorm) return (bits & 1) == 0 ? 32768.0F : -32768.0F;
    unsigned powers = 1;  // that are at most `columns`
    while (columns >> powers != 0) ++powers;
    const long long equal = 1LL << (of_row >> 8) % powers;
    const auto start = static_cast<long long>((of_row >> 20) % static_cast<unsigned>(columns));
    return (column + columns - start) % columns < equal ? level : kMinusInfinity;
  }

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long count) const {
    const long long row = index / columns;
    const long long column = index % columns;
    const unsigned long long bits = generate::bits_at(seed, index);
    const float drawn = generate::element<float>(generate::spread::normal, seed, index, count);
    if (kind == content::shifted) return T(drawn + (sizeof(T) == 4 ? 10000.0F : 400.0F));
    if (kind == content::masked) return T(column > 0 && (bits >> 8) % 8 < 5 ? kMinusInfinity : drawn);
    if (kind == content::scores) return T(drawn * 60.0F);
    return T(exact_element(seed, row, column, bits));
  }
};

}  // namespace warpwright::rows

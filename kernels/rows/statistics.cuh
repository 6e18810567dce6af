// What one pass over some elements of a row finds out: their centre and the sum around it. Those of the parts of a row
// combine to those of the row.
#pragma once

#include "kernels/rows/across_row.cuh"
#include "kernels/rows/operation.cuh"

namespace warpwright::rows {

/// softmax: the largest element, and the sum of exp(x - largest). layernorm: the mean, and the sum of squares of the
/// distances from it. rmsnorm: 0, and the sum of squares.
struct statistics {
  float count;
  float center;
  float sum;
};

__device__ __forceinline__ statistics of_other_lane(const statistics& mine, int mask) {
  return {of_other_lane(mine.count, mask), of_other_lane(mine.center, mask), of_other_lane(mine.sum, mask)};
}

/// The statistics of no elements.
template <operation Op>
__device__ __forceinline__ statistics of_none() {
  return {.count = 0, .center = kHasCenter<Op> ? kFirst<Op> : 0.0F, .sum = 0};
}

/// The centre around which a part takes its terms. Where all elements are -inf, all exponentials are 0.
__device__ __forceinline__ float base_of(const statistics& part) {
  return part.center == kMinusInfinity ? 0.0F : part.center;
}

/// Combines the statistics of two parts; commutative to the bit. Sources: M. Milakov and N. Gimelshein, Online
/// normalizer calculation for softmax, arXiv 1805.02867, 2018; T. Chan, G. Golub and R. LeVeque, Algorithms for
/// computing the sample variance, The American Statistician 37, 1983.
template <operation Op>
struct combined {
  /// The sum of exponentials around another centre. A part whose elements are all -inf has 0 around any, or NaN.
  __device__ static float moved(const statistics& part, float center) {
    return part.center == kMinusInfinity ? part.sum : part.sum * exponential(part.center, center);
  }

  __device__ static statistics both(const statistics& a, const statistics& b) {
    if constexpr (Op == operation::softmax) {
      const float center = fmaxf(a.center, b.center);
      return {.count = 0, .center = center, .sum = moved(a, center) + moved(b, center)};
    } else if constexpr (Op == operation::layernorm) {
      const float count = a.count + b.count;
      if (count == 0) return a;
      const float apart = a.center - b.center;
      return {.count = count,
              .center = (a.count * a.center + b.count * b.center) / count,
              .sum = a.sum + b.sum + apart * apart * (a.count * b.count / count)};
    } else {
      return {.count = 0, .center = 0, .sum = a.sum + b.sum};
    }
  }
};

/// What the terms of a part, or for others the differences from the centre, are multiplied by: those of softmax are
/// exponentials around the part's own centre.
template <operation Op>
__device__ __forceinline__ float factor_of(const statistics& part, const statistics& all, const matrix& of) {
  const float factor = factor_of<Op>(all.sum, of);
  return Op == operation::softmax ? exponential(part.center, all.center) * factor : factor;
}

}  // namespace warpwright::rows

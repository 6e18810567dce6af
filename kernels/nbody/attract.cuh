// The force of one body on another: softened gravity with a constant of 1, and its reciprocal square root.
#pragma once

#include "kernels/runtime/approximations.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::nbody {

/// Which reciprocal square root floats use. Doubles always use rsqrt.
enum class root {
  hardware,  ///< the instruction itself, rsqrt.approx.ftz.f32
  library    ///< rsqrtf, which also handles subnormal numbers; they do not occur
};

/// A body as it lies in memory: x, y, z, mass.
template <class T>
using body = vec<T, 4>;

namespace detail {

/// 1 / sqrt(x) for a normal x. The relative error of the instruction is at most 2^-22.4 (PTX ISA, rsqrt). The library's
/// error is 2 units in the last place for floats and 1 for doubles (CUDA C++ Programming Guide).
template <root Root>
__device__ __forceinline__ float inverse_root(float x) {
  return Root == root::hardware ? approximate_inverse_root(x) : rsqrtf(x);
}
template <root Root>
__device__ __forceinline__ double inverse_root(double x) {
  return rsqrt(x);
}

}  // namespace detail

/// pull += mass d / (|d|^2 + softening^2)^(3/2) with d from `place` to `by`: 13 instructions for floats. The force of a
/// body on itself is exactly zero, and so is that of a body without mass. Source: H. Plummer, MNRAS 71 (1911).
template <root Root, class T>
__device__ __forceinline__ void attract(T (&pull)[3], const T (&place)[3], const body<T>& by, T softening_squared) {
  const T x = by[0] - place[0];
  const T y = by[1] - place[1];
  const T z = by[2] - place[2];
  const T inverse = detail::inverse_root<Root>(fma(x, x, fma(y, y, fma(z, z, softening_squared))));
  const T scale = by[3] * inverse * (inverse * inverse);
  pull[0] = fma(scale, x, pull[0]);
  pull[1] = fma(scale, y, pull[1]);
  pull[2] = fma(scale, z, pull[2]);
}

}  // namespace warpwright::nbody

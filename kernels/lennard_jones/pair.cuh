// The force of one atom on another in a periodic box.
#pragma once

#include "kernels/block/cells.cuh"
#include "kernels/lennard_jones/field.cuh"

namespace warpwright::lennard_jones {

namespace detail {

/// The integer nearest to a * b, which is less than 2^22 (for double 2^51): behind so large a sum there is no room for
/// a fraction. Two additions, where rint goes through a unit of an eighth of the rate.
template <class T>
__device__ __forceinline__ T nearest_integer(T a, T b) {
  constexpr T kLarge = sizeof(T) == 4 ? T(12582912) : T(6755399441055744);  // 1.5 * 2^23, 1.5 * 2^52
  return fma(a, b, kLarge) - kLarge;
}

/// 1 / x for a normal x, without a branch: to a unit in the last place of floats (PTX ISA, rcp); doubles start from 20
/// bits (likewise), whose error the step leaves the third power of, and end with roundings of the step.
__device__ __forceinline__ float reciprocal(float x) {
#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
#else
  return 1.0F / x;
#endif
}
__device__ __forceinline__ double reciprocal(double x) {
#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)
  double inverse;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(x));
  const double off = fma(-x, inverse, 1.0);
  return fma(fma(off, off, off), inverse, inverse);
#else
  return 1.0 / x;
#endif
}

}  // namespace detail

/// Where atom `atom`, not below 0, is in all x, all y, all z.
template <class T>
__device__ __forceinline__ block::point<T> place_of(const T* __restrict__ positions, int atom, long long atoms) {
  return block::point_at<3>(positions, static_cast<unsigned>(atom), atoms);
}

/// From `from` to the nearest image of `to`.
template <class T>
__device__ __forceinline__ block::point<T> nearest_image(const block::point<T>& from, const block::point<T>& to, T side,
                                                         T inverse_side) {
  const T x = to.x - from.x;
  const T y = to.y - from.y;
  const T z = to.z - from.z;
  return {fma(-side, detail::nearest_integer(x, inverse_side), x),
          fma(-side, detail::nearest_integer(y, inverse_side), y),
          fma(-side, detail::nearest_integer(z, inverse_side), z)};
}

template <class T>
__device__ __forceinline__ T squared(const block::point<T>& d) {
  return fma(d.x, d.x, fma(d.y, d.y, d.z * d.z));
}

/// What the force of an atom at distance r is of the vector to it, in units of 48 epsilon sigma^12:
/// r^-8 (1 / (2 sigma^6) - r^-6).
template <class T>
__device__ __forceinline__ T force_over_distance(T r_squared, const field<T>& in) {
  const T inverse = detail::reciprocal(r_squared);
  const T square = inverse * inverse;
  return square * square * (in.turn - square * inverse);
}

/// force += that of an atom at `there` on one at `here`, in units of in.unit; nothing from the cutoff on. There is no
/// branch: in a warp some pair is nearly always nearer, and without one the next neighbours are looked up meanwhile.
template <class T>
__device__ __forceinline__ void add_force(block::point<T>& force, const block::point<T>& here,
                                          const block::point<T>& there, const field<T>& in) {
  const block::point<T> d = nearest_image(here, there, in.side, in.inverse_side);
  const T r_squared = squared(d);
  const T inside = force_over_distance(r_squared, in);
  const T scale = r_squared < in.cutoff_squared ? inside : T(0);
  force.x = fma(scale, d.x, force.x);
  force.y = fma(scale, d.y, force.y);
  force.z = fma(scale, d.z, force.z);
}

}  // namespace warpwright::lennard_jones

// The force between two atoms in a periodic box.
#pragma once

#include "kernels/block/cells.cuh"
#include "kernels/lennard_jones/field.cuh"
#include "kernels/runtime/approximations.cuh"

namespace warpwright::lennard_jones {

namespace detail {

/// The integer nearest to a * b, which must be below 2^22 (2^51 for double): a sum this large has no fraction bits.
/// Takes two additions; rint would run at an eighth of their rate.
template <class T>
__device__ __forceinline__ T nearest_integer(T a, T b) {
  constexpr T kLarge = sizeof(T) == 4 ? T(12582912) : T(6755399441055744);  // 1.5 * 2^23, 1.5 * 2^52
  return fma(a, b, kLarge) - kLarge;
}

/// 1 / x for a normal x, without a branch. Floats: one unit in the last place (PTX ISA, rcp). Doubles: starts with 20
/// bits (PTX ISA), then one step cubes the error and ends with its own roundings.
__device__ __forceinline__ float reciprocal(float x) {
  return approximate_reciprocal(x);
}
__device__ __forceinline__ double reciprocal(double x) {
  const double inverse = approximate_reciprocal(x);
  const double off = fma(-x, inverse, 1.0);
  return fma(fma(off, off, off), inverse, inverse);
}

}  // namespace detail

/// The position of atom number `atom` >= 0 in an array of all x, all y, all z.
template <class T>
__device__ __forceinline__ block::point<T> place_of(const T* __restrict__ positions, int atom, long long atoms) {
  return block::point_at<3>(positions, static_cast<unsigned>(atom), atoms);
}

/// The vector from `from` to the nearest image of `to`.
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

/// The force at distance r divided by the vector between the atoms, in units of 48 epsilon sigma^12: r^-8 (1 / (2
/// sigma^6) - r^-6).
template <class T>
__device__ __forceinline__ T force_over_distance(T r_squared, const field<T>& in) {
  const T inverse = detail::reciprocal(r_squared);
  const T square = inverse * inverse;
  return square * square * (in.turn - square * inverse);
}

/// Adds the force of an atom at `there` on one at `here`, in units of in.unit; zero from the cutoff on. There is no
/// branch: some pair of a warp is nearly always nearer, and without a branch the next neighbours can be loaded
/// meanwhile.
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

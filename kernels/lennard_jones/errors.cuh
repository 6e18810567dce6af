// Bounds on the errors of pair forces, shared by the CPU oracle and the reference on the GPU.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::lennard_jones {

/// Roundings of a pair's force, relative to the sizes of its terms. Kernels compute r^-8 (1 / (2 sigma^6) - r^-6) times
/// 48 epsilon sigma^12. r^2 has three roundings and its reciprocal two (one unit in the last place if hardware
/// approximates it); r^-14 multiplies these by seven: 35. The powers add five; constants, difference, products and the
/// vector add six.
inline constexpr double kPairRoundings = 64;
/// Factor that adds second-order terms to first-order errors.
inline constexpr double kBeyond = 1 + 0x1p-8;
/// Larger errors are treated as infinite; the limit keeps their sums finite.
inline constexpr double kLostError = 1e200;
/// Smallest distance that the formulas allow, in angstrom; below it they are meaningless.
inline constexpr double kNearest = 1;

/// |force| with both of its terms positive: 24 epsilon / r (2 (sigma / r)^12 + (sigma / r)^6).
template <class Real>
__host__ __device__ constexpr Real force_size(Real r, Real sigma, Real epsilon) {
  const Real ratio = sigma / r;
  const Real sixth = ratio * ratio * ratio * ratio * ratio * ratio;
  return 24 * epsilon / r * (2 * sixth * sixth + sixth);
}

/// The largest change of a force per change of the vector between the atoms: 24 epsilon / r^2 (30 (sigma / r)^12 + 9
/// (sigma / r)^6), which is |f| + 2 r^2 |df / d(r^2)| for the force f d.
template <class Real>
__host__ __device__ constexpr Real steepness(Real r, Real sigma, Real epsilon) {
  const Real ratio = sigma / r;
  const Real sixth = ratio * ratio * ratio * ratio * ratio * ratio;
  return 24 * epsilon / (r * r) * (30 * sixth * sixth + 9 * sixth);
}

/// Error of a pair at distance r whose vector has an error of `off` units of u; `counted`: its force is in the sum;
/// `pairs`: number of forces in the sum.
template <class Real>
__host__ __device__ constexpr Real pair_error(Real r, Real off, Real pairs, Real unit, bool counted, Real sigma,
                                              Real epsilon, Real cutoff) {
  const Real shift = off * unit + 8 * unit * r;
  const Real near = r - shift > Real(kNearest) ? r - shift : Real(kNearest);
  Real error = 0;
  if (counted)
    error = steepness(near, sigma, epsilon) * off + (Real(kPairRoundings) + pairs) * force_size(near, sigma, epsilon);
  const Real beside = r > cutoff ? r - cutoff : cutoff - r;
  if (beside <= shift) error += force_size(near, sigma, epsilon) / unit;
  return error;
}

/// |energy| of a pair with both of its terms positive: 4 epsilon ((sigma / r)^12 + (sigma / r)^6).
template <class Real>
__host__ __device__ constexpr Real energy_size(Real r, Real sigma, Real epsilon) {
  const Real ratio = sigma / r;
  const Real sixth = ratio * ratio * ratio * ratio * ratio * ratio;
  return 4 * epsilon * (sixth * sixth + sixth);
}

/// The same for a pair's energy, in units of u times kPairRoundings. It includes the size of the energy's terms,
/// because every further addition rounds them.
template <class Real>
__host__ __device__ constexpr Real pair_energy_error(Real r, Real off, Real unit, bool counted, Real sigma,
                                                     Real epsilon, Real cutoff) {
  const Real shift = off * unit + 8 * unit * r;
  const Real near = r - shift > Real(kNearest) ? r - shift : Real(kNearest);
  const Real size = energy_size(near, sigma, epsilon);
  Real error = 0;
  if (counted) error = size + force_size(near, sigma, epsilon) * off / Real(kPairRoundings);
  const Real beside = r > cutoff ? r - cutoff : cutoff - r;
  if (beside <= shift) error += size / unit / Real(kPairRoundings);
  return error;
}

/// The range of allowed values of *overflow: 0 if no list can be too short; capacity + 1 to `atoms` if every choice of
/// skin makes a list too short; 0 to `atoms` otherwise. `error` is an integer.
struct overflow_bounds {
  double expected, error;
};
__host__ __device__ constexpr overflow_bounds overflow_of(int inner, int outer, int capacity, long long atoms) {
  const auto most = static_cast<double>(atoms);
  if (outer <= capacity) return {0, 0};
  const double least = inner > capacity ? capacity + 1.0 : 0;
  return {(least + most) / 2, (most - least) / 2};
}

}  // namespace warpwright::lennard_jones

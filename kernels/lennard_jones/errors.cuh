// How far forces of pairs may be off: formulas that the CPU oracle and the reference for devices share.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::lennard_jones {

/// Roundings of a pair's force of the sizes of its terms, as kernels take it: r^-8 (1 / (2 sigma^6) - r^-6) times 48
/// epsilon sigma^12. r^2 has three, and its reciprocal two (a unit in the last place where hardware approximates it),
/// which r^-14 makes seven times as many: 35. Powers add five, constants, difference, products and the vector six.
inline constexpr double kPairRoundings = 64;
/// What second-order terms add to errors of the first order.
inline constexpr double kBeyond = 1 + 0x1p-8;
/// Errors beyond it are as good as infinite; it keeps sums of them finite.
inline constexpr double kLostError = 1e200;
/// No pair is taken for nearer than that, angstrom: the formulas would lose all meaning.
inline constexpr double kNearest = 1;

/// |force| with both of its terms positive: 24 epsilon / r (2 (sigma / r)^12 + (sigma / r)^6).
template <class Real>
__host__ __device__ constexpr Real force_size(Real r, Real sigma, Real epsilon) {
  const Real ratio = sigma / r;
  const Real sixth = ratio * ratio * ratio * ratio * ratio * ratio;
  return 24 * epsilon / r * (2 * sixth * sixth + sixth);
}

/// What a force changes by at most, per change of the vector between the atoms: 24 epsilon / r^2 (30 (sigma / r)^12 + 9
/// (sigma / r)^6), |f| + 2 r^2 |df / d(r^2)| of the force f d.
template <class Real>
__host__ __device__ constexpr Real steepness(Real r, Real sigma, Real epsilon) {
  const Real ratio = sigma / r;
  const Real sixth = ratio * ratio * ratio * ratio * ratio * ratio;
  return 24 * epsilon / (r * r) * (30 * sixth * sixth + 9 * sixth);
}

/// Error of a pair at distance r whose vector is off by `off` units of u; `counted` says whether its force is in the
/// sum, and `pairs` how many are.
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

/// The same error of a pair's energy as of its force above, in units of u and of kPairRoundings of them, with the size
/// of its terms, which every further addition rounds.
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

/// What *overflow may be: nothing where no list can be too short; at least capacity + 1, and no more than there are
/// atoms, where every list is; anything up to that in between, as kernels choose their skin. `error` in whole numbers.
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

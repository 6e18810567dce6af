// The plain sums over near pairs in double that large results are compared with, and the same time steps with bounds on
// rounding errors. Both are checked against the CPU oracle.
#pragma once

#include "kernels/lennard_jones/errors.cuh"
#include "kernels/lennard_jones/reference_cells.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::lennard_jones {

/// The box and the potential, in double, and the unit roundoff u of the type that is checked.
struct plain_field {
  double side, sigma, epsilon, cutoff, unit;
};

namespace detail {

/// The vector to the nearest image of another atom, and how far away it is.
struct image {
  double apart[3];
  double square;
  double rounding;  ///< error of a kernel's differences and shifts, in units of u
};

__device__ inline image image_of(const double* state, long long own, long long other, double side, long long atoms) {
  image nearest{};
  double raw_square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double raw = state[axis * atoms + other] - state[axis * atoms + own];
    const double apart = fma(-side, rint(raw / side), raw);
    nearest.apart[axis] = apart;
    nearest.square = fma(apart, apart, nearest.square);
    raw_square = fma(raw, raw, raw_square);
  }
  nearest.rounding = sqrt(raw_square) + sqrt(nearest.square);
  return nearest;
}

/// force = sum of the forces of all others on atom `own`. Positions are at state[axis * atoms + atom], their errors at
/// state[3 * atoms + atom]. Returns the error of the force in units of u.
__device__ inline double sum_forces(double (&force)[3], const double* state, long long own, const plain_field& in,
                                    const near_atoms& near) {
  const long long atoms = near.atoms;
  double pairs = 0;
  double error = 0;
  // First counts the atoms that may be in a list, then sums.
  for (int pass = 0; pass < 2; ++pass)
    near.for_each(state, own, [&](long long other) {
      const image to = image_of(state, own, other, in.side, atoms);
      if (!(to.square < (in.cutoff + 1) * (in.cutoff + 1))) return;
      if (pass == 0) {
        ++pairs;
        return;
      }
      const double r = sqrt(to.square);
      const bool counts = r < in.cutoff;
      const double off = to.rounding + state[3 * atoms + own] + state[3 * atoms + other];
      error += pair_error(r, off, pairs, in.unit, counts, in.sigma, in.epsilon, in.cutoff);
      if (!counts) return;
      const double ratio = in.sigma * in.sigma / to.square;
      const double sixth = ratio * ratio * ratio;
      const double scale = 24 * in.epsilon / to.square * sixth * (1 - 2 * sixth);
      for (int axis = 0; axis < 3; ++axis) force[axis] = fma(scale, to.apart[axis], force[axis]);
    });
  return min(error, kLostError);
}

}  // namespace detail

/// state = the positions, with errors of zero. Grid: one thread per atom, blocks of 128.
template <class T>
__global__ void __launch_bounds__(128)
    reference_begin(const T* __restrict__ positions, double* __restrict__ state, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  for (int axis = 0; axis < 3; ++axis) state[axis * atoms + own] = static_cast<double>(positions[axis * atoms + own]);
  state[3 * atoms + own] = 0;
}

/// Forces and their errors. Grid: one thread per atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_forces(const double* __restrict__ state, double* __restrict__ expected, double* __restrict__ magnitude,
                     const int* __restrict__ starts, const int* __restrict__ members, int cells, plain_field in,
                     long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  double force[3] = {};
  const double error = detail::sum_forces(force, state, own, in, {starts, members, in.side, cells, atoms});
  for (int axis = 0; axis < 3; ++axis) {
    expected[axis * atoms + own] = force[axis];
    magnitude[axis * atoms + own] = error;
  }
}

/// A kick (time divided by mass), then a drift, of atoms and of their errors (see Liquid in liquid.hpp). Grid: one
/// thread per atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_step(const double* __restrict__ from, double* __restrict__ to, double* __restrict__ velocity,
                   const int* __restrict__ starts, const int* __restrict__ members, int cells, plain_field in,
                   double kick, double drift, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  double force[3] = {};
  const double error = detail::sum_forces(force, from, own, in, {starts, members, in.side, cells, atoms});
  double fast = 0;
  double far = 0;
  double strong = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double speed = fma(kick, force[axis], velocity[axis * atoms + own]);
    const double place = fma(drift, speed, from[axis * atoms + own]);
    velocity[axis * atoms + own] = speed;
    to[axis * atoms + own] = place;
    fast = fma(speed, speed, fast);
    far = fma(place, place, far);
    strong = fma(force[axis], force[axis], strong);
  }
  const double of_speed =
      min(kBeyond * (velocity[3 * atoms + own] + kick * error) + sqrt(fast) + 2 * kick * sqrt(strong), kLostError);
  velocity[3 * atoms + own] = of_speed;
  const double before = from[3 * atoms + own];
  to[3 * atoms + own] =
      drift > 0 ? min(kBeyond * (before + drift * of_speed) + sqrt(far) + 2 * drift * sqrt(fast), kLostError) : before;
}

/// *most, zero before the launch, becomes the largest number of atoms within the reach of one atom. Grid: one thread
/// per atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_crowd(const double* __restrict__ state, int* most, const int* __restrict__ starts,
                    const int* __restrict__ members, int cells, double side, double reach, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  int around = 0;
  near_atoms{starts, members, side, cells, atoms}.for_each(state, own, [&](long long other) {
    if (detail::image_of(state, own, other, side, atoms).square < reach * reach) ++around;
  });
  atomicMax(most, around);
}

/// The allowed values of *overflow, from the largest numbers of atoms within the inner and the outer reach. Grid: one
/// thread.
static __global__ void __launch_bounds__(128)
    reference_overflow(const int* __restrict__ inner, const int* __restrict__ outer, double* expected,
                       double* magnitude, int capacity, long long atoms) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const overflow_bounds may_be = overflow_of(*inner, *outer, capacity, atoms);
  *expected = may_be.expected;
  *magnitude = may_be.error;
}

/// Results of lists that may be too short are undefined, so nothing is expected of them. Grid: one thread per number,
/// blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_lose(const int* __restrict__ outer, double* __restrict__ magnitude, int capacity, long long count) {
  const long long at = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (at<count&& * outer> capacity) magnitude[at] = kLostError;
}

/// expected and magnitude, zero before the launch: kinetic and potential energy, and their errors. Half of each pair
/// belongs to either atom. Grid: one thread per atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_energy(const double* __restrict__ state, const double* __restrict__ speed, double* __restrict__ expected,
                     double* __restrict__ magnitude, const int* __restrict__ starts, const int* __restrict__ members,
                     int cells, plain_field in, double half_mass, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  double kinetic = 0;
  for (int axis = 0; axis < 3; ++axis)
    kinetic = fma(half_mass * speed[axis * atoms + own], speed[axis * atoms + own], kinetic);
  double potential = 0;
  double size = 0;
  near_atoms{starts, members, in.side, cells, atoms}.for_each(state, own, [&](long long other) {
    const detail::image to = detail::image_of(state, own, other, in.side, atoms);
    const double r = sqrt(to.square);
    if (!(r < in.cutoff + 1)) return;
    const bool counts = r < in.cutoff;
    size += pair_energy_error(r, to.rounding, in.unit, counts, in.sigma, in.epsilon, in.cutoff) / 2;
    if (!counts) return;
    const double ratio = in.sigma * in.sigma / to.square;
    const double sixth = ratio * ratio * ratio;
    potential = fma(2 * in.epsilon * sixth, sixth - 1, potential);
  });
  atomicAdd(expected, kinetic);
  atomicAdd(expected + 1, potential);
  atomicAdd(magnitude, kinetic);
  atomicAdd(magnitude + 1, size);
}

/// *sum, zero before the launch, becomes the sum of squares of all velocities. Grid: one thread per velocity, blocks of
/// 128.
template <class T>
__global__ void __launch_bounds__(128)
    reference_squares(const T* __restrict__ velocity, double* sum, long long coordinates) {
  const long long at = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (at < coordinates) atomicAdd(sum, static_cast<double>(velocity[at]) * static_cast<double>(velocity[at]));
}

/// The velocities times sqrt(wanted / *sum). Grid: one thread per velocity, blocks of 128.
template <class T>
__global__ void __launch_bounds__(128)
    reference_scaled(const T* __restrict__ velocity, const double* __restrict__ sum, double* __restrict__ expected,
                     double* __restrict__ magnitude, double wanted, long long coordinates) {
  const long long at = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (at >= coordinates) return;
  expected[at] = static_cast<double>(velocity[at]) * (*sum > 0 ? sqrt(wanted / *sum) : 1);
  magnitude[at] = fabs(expected[at]);
}

/// The expected values of all three coordinates, and their magnitudes. Grid: one thread per atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_end(const double* __restrict__ state, double* __restrict__ expected, double* __restrict__ magnitude,
                  long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  for (int axis = 0; axis < 3; ++axis) {
    expected[axis * atoms + own] = state[axis * atoms + own];
    magnitude[axis * atoms + own] = state[3 * atoms + own];
  }
}

}  // namespace warpwright::lennard_jones

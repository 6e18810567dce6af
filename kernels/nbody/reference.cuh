// The plain sums over all pairs in double that large results are compared with, and the same time steps with bounds on
// rounding errors. Both are checked against the CPU oracle.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::nbody {

/// Factor that adds second-order terms to first-order errors.
inline constexpr double kBeyond = 1 + 0x1p-8;
/// Larger errors are treated as infinite; the limit keeps their sums finite.
inline constexpr double kLostError = 1e200;

/// depth / (1 - depth u), which is gamma(depth) in units of u. Requires fewer than 1 / u roundings.
__host__ __device__ constexpr double roundings_of_pulls(double depth, double u) {
  return depth * u < 0.5 ? depth / (1 - depth * u) : kLostError;
}

namespace detail {

/// 1 / (square + softening^2)^(3/2)
__device__ __forceinline__ double inverse_cube(double square, double softening_squared) {
  const double softened = square + softening_squared;
  return 1 / (softened * sqrt(softened));
}

}  // namespace detail

/// For i < 3 count: expected = the acceleration, magnitude = the sum of the absolute values of its terms. Grid: one
/// thread per body, blocks of 128.
template <class T>
__global__ void __launch_bounds__(128)
    reference_forces(const T* __restrict__ bodies, double* __restrict__ expected, double* __restrict__ magnitude,
                     double softening_squared, long long count) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= count) return;
  double sum[3] = {};
  double size[3] = {};
  for (long long other = 0; other < count; ++other) {
    double apart[3];
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      apart[axis] = static_cast<double>(bodies[4 * other + axis]) - static_cast<double>(bodies[4 * own + axis]);
      square = fma(apart[axis], apart[axis], square);
    }
    const double scale = static_cast<double>(bodies[4 * other + 3]) * detail::inverse_cube(square, softening_squared);
    for (int axis = 0; axis < 3; ++axis) {
      sum[axis] = fma(scale, apart[axis], sum[axis]);
      size[axis] = fma(scale, fabs(apart[axis]), size[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    expected[3 * own + axis] = sum[axis];
    magnitude[3 * own + axis] = size[axis];
  }
}

/// Numbers in the state of a body: x, y, z, mass, and the error of its position in units of u.
inline constexpr int state_numbers = 5;

/// The state before the first step. *massive, zero before the launch: number of bodies with mass. Grid: one thread per
/// body, blocks of 128.
template <class T>
__global__ void __launch_bounds__(128)
    reference_begin(const T* __restrict__ bodies, const T* __restrict__ velocity, double* __restrict__ state,
                    double* __restrict__ speed, double* __restrict__ speed_error, unsigned long long* massive,
                    long long count) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= count) return;
  for (int part = 0; part < 4; ++part) state[state_numbers * own + part] = static_cast<double>(bodies[4 * own + part]);
  state[state_numbers * own + 4] = 0;
  for (int axis = 0; axis < 3; ++axis) speed[3 * own + axis] = static_cast<double>(velocity[3 * own + axis]);
  speed_error[own] = 0;
  if (bodies[4 * own + 3] != T(0)) atomicAdd(massive, 1ULL);
}

/// A kick, then a drift, of bodies and of their errors (see Orbit in orbit.hpp). Grid: one thread per body, blocks of
/// 128.
static __global__ void __launch_bounds__(128)
    reference_step(const double* __restrict__ from, double* __restrict__ to, double* __restrict__ speed,
                   double* __restrict__ speed_error, const unsigned long long* __restrict__ massive,
                   double softening_squared, double term_roundings, double unit, double kick, double drift,
                   long long count) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= count) return;
  const double roundings = roundings_of_pulls(static_cast<double>(*massive) + term_roundings, unit);
  const double* mine = from + state_numbers * own;
  double pull[3] = {};
  double error = 0;
  for (long long at = 0; at < count; ++at) {
    const double* other = from + state_numbers * at;
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double apart = other[axis] - mine[axis];
      square = fma(apart, apart, square);
    }
    const double scale = other[3] * detail::inverse_cube(square, softening_squared);
    for (int axis = 0; axis < 3; ++axis) pull[axis] = fma(scale, other[axis] - mine[axis], pull[axis]);
    const double off = mine[4] + other[4];
    const double distance = sqrt(square);
    const double nearest = max(distance - off * unit, 0.0);
    error += roundings * scale * distance +
             kBeyond * 2 * other[3] * detail::inverse_cube(nearest * nearest, softening_squared) * off;
  }
  double fast = 0;
  double far = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double now = fma(kick, pull[axis], speed[3 * own + axis]);
    const double place = fma(drift, now, mine[axis]);
    speed[3 * own + axis] = now;
    to[state_numbers * own + axis] = place;
    fast = fma(now, now, fast);
    far = fma(place, place, far);
  }
  const double of_speed = min(kBeyond * (speed_error[own] + kick * error) + sqrt(fast), kLostError);
  speed_error[own] = of_speed;
  to[state_numbers * own + 3] = mine[3];
  to[state_numbers * own + 4] =
      drift > 0 ? min(kBeyond * (mine[4] + drift * of_speed) + sqrt(far), kLostError) : mine[4];
}

/// The expected bodies and velocities, and their magnitudes. Grid: one thread per body, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_end(const double* __restrict__ state, const double* __restrict__ speed,
                  const double* __restrict__ speed_error, double* __restrict__ bodies,
                  double* __restrict__ bodies_magnitude, double* __restrict__ velocity,
                  double* __restrict__ velocity_magnitude, long long count) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= count) return;
  for (int part = 0; part < 4; ++part) {
    bodies[4 * own + part] = state[state_numbers * own + part];
    bodies_magnitude[4 * own + part] = part == 3 ? 0 : state[state_numbers * own + 4];
  }
  for (int axis = 0; axis < 3; ++axis) {
    velocity[3 * own + axis] = speed[3 * own + axis];
    velocity_magnitude[3 * own + axis] = speed_error[own];
  }
}

}  // namespace warpwright::nbody

// Positions, masses and velocities of bodies: the same bits on host and device.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::nbody {

enum class placement {
  uniform,     ///< anywhere in a cube of edge 2
  clusters,    ///< alternating between two cubes of edge 1/2
  exact,       ///< on eight positions, with equal masses or none, so that a missing or doubled force shows
  coincident,  ///< all in one position, with equal velocities
  apart,       ///< alternating between two positions far apart: all forces have one sign
  line,        ///< one after the other along x
  heavy        ///< one of them has nearly all of the mass
};

/// Largest number of massive bodies for placement::exact. It is so small that one force more or less exceeds all
/// roundings of the sum, for any size of problem.
inline constexpr int most_massive = 512;

namespace detail {

/// A number in [-1, 1), a multiple of 2^-12.
template <class T>
__host__ __device__ constexpr T spread(unsigned long long bits) {
  return static_cast<T>(static_cast<int>(bits >> 40 & 0x1fff) - 4096) / T(4096);
}

/// Whether a body of placement::exact has mass: one body in each stretch has.
__host__ __device__ constexpr bool is_massive(unsigned long long seed, long long number, long long bodies) {
  const long long step = (bodies + most_massive - 1) / most_massive;
  const long long stretch = number / step;
  return number % step == static_cast<long long>(generate::bits_at(~seed, stretch) >> 8) % step;
}

}  // namespace detail

/// Fills bodies: x, y, z, mass of each. The total mass is about 1.
template <class T>
struct bodies_of {
  placement kind;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long count) const {
    const long long number = index / 4;
    const int axis = static_cast<int>(index % 4);
    const unsigned long long bits = generate::bits_at(seed, index);
    return axis == 3 ? mass(seed, bits, number, count / 4) : coordinate(seed, bits, number, count / 4, axis);
  }

 private:
  __host__ __device__ constexpr T mass(unsigned long long seed, unsigned long long bits, long long number,
                                       long long bodies) const {
    switch (kind) {
      case placement::exact:
        return detail::is_massive(seed, number, bodies) ? T(1) / most_massive : T(0);
      case placement::heavy:
        return number == static_cast<long long>(generate::mix(seed) >> 8) % bodies ? T(1) : T(1) / (1 << 20);
      default:
        return static_cast<T>(256 + static_cast<int>(bits >> 40 & 0x1ff)) / static_cast<T>(512 * bodies);
    }
  }

  __host__ __device__ constexpr T coordinate(unsigned long long seed, unsigned long long bits, long long number,
                                             long long bodies, int axis) const {
    const T side = number % 2 == 0 ? T(-1) : T(1);
    switch (kind) {
      case placement::clusters:
        return side / static_cast<T>(1 << axis) + detail::spread<T>(bits) / 4;
      case placement::exact:
        return static_cast<T>((bits >> 40 & 1) << axis);
      case placement::coincident:
        return detail::spread<T>(generate::bits_at(seed, axis));
      case placement::apart:
        return side * 8 + detail::spread<T>(bits) / 1024;
      case placement::line:
        return axis == 0 ? static_cast<T>(2 * number) / static_cast<T>(bodies) - 1 : T(0);
      default:
        return detail::spread<T>(bits);
    }
  }
};

/// Fills velocities: x, y, z of each body, up to 1/4.
template <class T>
struct velocities_of {
  placement kind;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    const bool is_one = kind == placement::coincident;
    return detail::spread<T>(generate::bits_at(seed, is_one ? index % 3 : index)) / 4;
  }
};

}  // namespace warpwright::nbody

// Where bodies are, what they weigh and how fast they are: the same bits on host and device.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::nbody {

enum class placement {
  uniform,     ///< anywhere in a cube of edge 2
  clusters,    ///< bodies take turns between two cubes of edge 1/2
  exact,       ///< on eight places, all of the same mass or of none, so that nobody can be lost or counted twice
  coincident,  ///< all in one place, and as fast
  apart,       ///< bodies take turns between two places far from each other: all pulls have one sign
  line,        ///< one behind the other along x
  heavy        ///< one of them has nearly all of the mass
};

/// Bodies with mass among those of placement::exact, at most: so few that a pull more or less is larger than all
/// roundings of their sum, however large the problem is.
inline constexpr int most_massive = 512;

namespace detail {

/// A number in [-1, 1), a multiple of 2^-12.
template <class T>
__host__ __device__ constexpr T spread(unsigned long long bits) {
  return static_cast<T>(static_cast<int>(bits >> 40 & 0x1fff) - 4096) / T(4096);
}

/// Whether a body of placement::exact has mass: one of every stretch of them.
__host__ __device__ constexpr bool is_massive(unsigned long long seed, long long number, long long bodies) {
  const long long step = (bodies + most_massive - 1) / most_massive;
  const long long stretch = number / step;
  return number % step == static_cast<long long>(generate::bits_at(~seed, stretch) >> 8) % step;
}

}  // namespace detail

/// Fills bodies: x, y, z, mass of each. All of them weigh about 1 together.
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

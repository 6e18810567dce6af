// The box that contains the bodies, and the distance of two bodies. Positions are multiples of 2^-7 angstrom, at most
// 2^17 angstrom. So differences are exact in float, and sums of squares below 2^10 square angstrom are too. Larger sums
// stay at or above that limit when they are rounded, contracted or not. The squared cutoff is below it, so every method
// finds the same neighbours.
#pragma once

#include "kernels/block/cells.cuh"

namespace warpwright::neighbor {

using block::boundary;
using block::point;
using block::point_at;

/// Where slot number `slot` of body number `body` is in a list.
enum class layout {
  by_body,  ///< list[body * capacity + slot]
  by_slot   ///< list[slot * bodies + body]
};

template <layout Layout>
__device__ __forceinline__ long long place_in_list(long long body, int slot, long long bodies, int capacity) {
  return Layout == layout::by_body ? body * capacity + slot : slot * bodies + body;
}

/// Positions are in [0, side) along every axis; neighbours are nearer than the cutoff. Both in angstrom.
template <class T>
struct box {
  T side;
  T cutoff;
};

namespace detail {

/// The distance of two coordinates.
template <boundary Boundary, class T>
__device__ __forceinline__ T apart(T a, T b, T side) {
  const T direct = fabs(a - b);
  return Boundary == boundary::periodic ? min(direct, side - direct) : direct;
}

}  // namespace detail

template <boundary Boundary, class T>
__device__ __forceinline__ bool are_near(const point<T>& a, const point<T>& b, const box<T>& box) {
  const T x = detail::apart<Boundary>(a.x, b.x, box.side);
  const T y = detail::apart<Boundary>(a.y, b.y, box.side);
  const T z = detail::apart<Boundary>(a.z, b.z, box.side);
  return x * x + y * y + z * z < box.cutoff * box.cutoff;
}

}  // namespace warpwright::neighbor

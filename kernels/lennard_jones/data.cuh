// Where atoms of argon are and how fast they move: the same bits on host and device.
#pragma once

#include "kernels/block/lattice.cuh"
#include "kernels/runtime/generate.cuh"

namespace warpwright::lennard_jones {

enum class placement {
  fcc,    ///< the lattice at rest positions, filled in order
  warm,   ///< displaced from the lattice by up to 1/8 angstrom along each axis
  images  ///< warm, and by whole boxes to either side
};

/// Fills positions in angstrom, all x, all y, all z, in a box of `cells` lattice cells along each axis.
template <class T>
struct positions_of {
  long long atoms;
  long long cells;
  T half_cell;  ///< half an edge of the lattice's cell
  T side;       ///< of the box
  placement kind;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    const int axis = static_cast<int>(index / atoms);
    const T rest = static_cast<T>(block::fcc_site(index % atoms, axis, 3, cells)) * half_cell;
    if (kind == placement::fcc) return rest;
    const T moved = rest + static_cast<T>(static_cast<int>(bits >> 40 & 0x7ff) - 1024) / T(8192);
    if (kind == placement::warm) return moved;
    return moved + static_cast<T>(static_cast<int>((bits >> 20) % 3) - 1) * side;
  }
};

/// Fills velocities in angstrom per unit of time (argon.hpp): uniform along each axis, up to sqrt(3 k T / m) = 0.0197
/// for 60 K; or zero.
template <class T>
struct velocities_of {
  T fastest;  ///< 0.0197, or 0
  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    const int drawn = static_cast<int>(generate::bits_at(seed, index) >> 40 & 0x1fff) - 4096;
    return static_cast<T>(drawn) * (fastest / T(4096));
  }
};

}  // namespace warpwright::lennard_jones

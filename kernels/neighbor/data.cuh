// Positions of bodies: lattices, clusters and random positions on a grid of 2^-7 angstrom, the same bits on host and
// device.
#pragma once

#include "kernels/block/lattice.cuh"
#include "kernels/runtime/generate.cuh"

namespace warpwright::neighbor {

/// Grid steps per angstrom.
inline constexpr int steps_per_angstrom = 128;

/// Edge of argon's cubic cell in steps: 5.390625 angstrom (5.385 at the melting point). It is even, so that the centres
/// of its faces are on the grid. The cell holds four bodies; in two dimensions the square one holds two.
inline constexpr int fcc_edge = 690;

/// Graphene in steps: rectangles of four bodies with bonds of 180.6 and 182 (1.42 angstrom is 181.8), and seven by four
/// rectangles make a square.
inline constexpr int honeycomb_width = 312;
inline constexpr int honeycomb_height = 546;
inline constexpr int honeycomb_columns = 7;
inline constexpr int honeycomb_rows = 4;
inline constexpr int honeycomb_bodies = 4 * honeycomb_columns * honeycomb_rows;
inline constexpr int honeycomb_square = honeycomb_width * honeycomb_columns;
static_assert(honeycomb_square == honeycomb_height * honeycomb_rows, "rectangles fill the square");

/// Edge of a cluster in steps; all of its bodies are within 7 angstrom of one another.
inline constexpr int cluster_edge = 512;

enum class placement {
  uniform,    ///< anywhere in the box
  fcc,        ///< argon's lattice, filled in order; in two dimensions one of its layers
  honeycomb,  ///< one sheet of graphene, filled in order; in three dimensions it lies in the plane z = 0
  clusters,   ///< alternating between two dense cubes
  touching,   ///< multiples of the cutoff: many pairs are exactly the cutoff apart, many bodies have the same position
  all_equal,  ///< all in one position
  line,       ///< one after the other along x
  faces       ///< at and next to the faces of the box, and halfway between them
};

namespace detail {

/// The coordinate of a site of graphene in steps, `squares` in each direction.
__host__ __device__ constexpr long long honeycomb_site(long long site, int axis, long long squares) {
  constexpr int kAlong[4] = {0, honeycomb_width / 2, honeycomb_width / 2, 0};
  constexpr int kAcross[4] = {0, 91, 273, 364};
  const auto basis = static_cast<int>(site % 4);
  const long long columns = squares * honeycomb_columns;
  if (axis == 0) return site / 4 % columns * honeycomb_width + kAlong[basis];
  return axis == 1 ? site / 4 / columns * honeycomb_height + kAcross[basis] : 0;
}

}  // namespace detail

/// Fills the positions of `bodies` bodies, all x, all y, all z, in a box of `side` steps. In a box made for other data,
/// a lattice is wrapped until it is inside.
template <class T>
struct positions_of {
  long long bodies;
  int side;    ///< steps
  int cutoff;  ///< steps
  int dim;
  placement kind;

  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    const long long steps = coordinate(seed, index, index % bodies, static_cast<int>(index / bodies)) % side;
    return static_cast<T>(steps) / static_cast<T>(steps_per_angstrom);
  }

 private:
  __host__ __device__ constexpr long long coordinate(unsigned long long seed, long long index, long long body,
                                                     int axis) const {
    const auto below = [&](long long limit) {
      return static_cast<long long>(generate::bits_at(seed, index) >> 8) % limit;
    };
    switch (kind) {
      case placement::fcc:
        return block::fcc_site(body, axis, dim, side < fcc_edge ? 1 : side / fcc_edge) * (fcc_edge / 2);
      case placement::honeycomb:
        return detail::honeycomb_site(body, axis, side < honeycomb_square ? 1 : side / honeycomb_square);
      case placement::clusters:
        return side / 4 + body % 2 * (side / 2) + below(side / 4 < cluster_edge ? side / 4 : cluster_edge);
      case placement::touching:
        return below((side - 1) / cutoff + 1) * cutoff;
      case placement::all_equal:
        return static_cast<long long>(generate::bits_at(seed, axis) >> 8) % side;
      case placement::line:
        return axis == 0 ? body * side / bodies : 0;
      case placement::faces: {
        const long long faces[5] = {0, 1, side / 2, side - 2, side - 1};
        return faces[below(5)];
      }
      default:
        return below(side);
    }
  }
};

}  // namespace warpwright::neighbor

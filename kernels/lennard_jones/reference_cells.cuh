// The cells by which the reference finds near atoms: a cube of them each as wide as it looks, and one more for strays.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::lennard_jones {

/// Boxes away from the middle one beyond which an atom strays: its place in its box would not be exact.
inline constexpr double kStray = 0x1p20;

/// The cell, of cells^3, that an atom is in; cells^3 where it strays, or is nowhere.
__device__ inline int reference_cell(const double* state, long long atom, double side, int cells, long long atoms) {
  int cell = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double place = state[axis * atoms + atom];
    if (!(fabs(place) <= kStray * side)) return cells * cells * cells;
    const double within = place - side * floor(place / side);
    cell = cell * cells + max(0, min(static_cast<int>(within / side * cells), cells - 1));
  }
  return cell;
}

/// Atoms that may be as near as a cell is wide, in an order that positions alone decide: members[starts[cell]], ... are
/// those of a cell, by their numbers.
struct near_atoms {
  const int* starts;
  const int* members;
  double side;
  int cells;  ///< along an axis
  long long atoms;

  /// Calls `look` for every atom but `own` in its cell, in those around it, and of the strays; a stray looks at all.
  template <class Look>
  __device__ void for_each(const double* state, long long own, const Look& look) const {
    const auto all_of = [&](int begin, int end) {
      for (int i = begin; i < end; ++i)
        if (members[i] != own) look(members[i]);
    };
    const int strays = cells * cells * cells;
    const int home = reference_cell(state, own, side, cells, atoms);
    if (home == strays) return all_of(0, static_cast<int>(atoms));
    // Two cells in a row, or one, are all that there are.
    const int across = min(3, cells);
    for (int near = 0; near < across * across * across; ++near) {
      const int x = (home / (cells * cells) + near / (across * across) + cells - 1) % cells;
      const int y = (home / cells % cells + near / across % across + cells - 1) % cells;
      const int z = (home % cells + near % across + cells - 1) % cells;
      const int cell = (x * cells + y) * cells + z;
      all_of(starts[cell], starts[cell + 1]);
    }
    all_of(starts[strays], static_cast<int>(atoms));
  }
};

/// count[cell], zero before: the atoms in it. Grid: one thread an atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_count(const double* __restrict__ state, int* count, double side, int cells, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own < atoms) atomicAdd(count + reference_cell(state, own, side, cells, atoms), 1);
}

/// starts[cell] = the atoms in cells before it. Grid: one thread a cell, strays included, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_starts(const int* __restrict__ count, int* __restrict__ starts, long long all_cells) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= all_cells) return;
  int before = 0;
  for (long long cell = 0; cell < own; ++cell) before += count[cell];
  starts[own] = before;
}

/// found: the atoms of each cell in any order; filled, zero before, is their number. Grid: one thread an atom, blocks
/// of 128.
static __global__ void __launch_bounds__(128)
    reference_fill(const double* __restrict__ state, const int* __restrict__ starts, int* filled,
                   int* __restrict__ found, double side, int cells, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  const int cell = reference_cell(state, own, side, cells, atoms);
  found[starts[cell] + atomicAdd(filled + cell, 1)] = static_cast<int>(own);
}

/// members: the atoms of each cell by their numbers, each behind those of its cell that are smaller. Grid: one thread
/// an atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_order(const double* __restrict__ state, const int* __restrict__ starts, const int* __restrict__ count,
                    const int* __restrict__ found, int* __restrict__ members, double side, int cells, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  const int cell = reference_cell(state, own, side, cells, atoms);
  int smaller = 0;
  for (int i = starts[cell]; i < starts[cell] + count[cell]; ++i)
    if (found[i] < own) ++smaller;
  members[starts[cell] + smaller] = static_cast<int>(own);
}

}  // namespace warpwright::lennard_jones

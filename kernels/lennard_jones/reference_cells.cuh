// The cells with which the reference finds near atoms: a cube of cells, each as wide as the reach, and one more for
// strays.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::lennard_jones {

/// Distance in boxes beyond which an atom is a stray, because its position in the box would not be exact.
inline constexpr double kStray = 0x1p20;

/// The cell of an atom, of cells^3; cells^3 for a stray and for a position that is not finite.
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

/// Atoms that may be as near as a cell is wide, in an order that depends on positions only: members[starts[cell]], ...
/// are the atoms of a cell in ascending order.
struct near_atoms {
  const int* starts;
  const int* members;
  double side;
  int cells;  ///< along an axis
  long long atoms;

  /// Calls `look` for every atom but `own` in its own cell, in the cells around it, and among the strays; for a stray,
  /// for all atoms.
  template <class Look>
  __device__ void for_each(const double* state, long long own, const Look& look) const {
    const auto all_of = [&](int begin, int end) {
      for (int i = begin; i < end; ++i)
        if (members[i] != own) look(members[i]);
    };
    const int strays = cells * cells * cells;
    const int home = reference_cell(state, own, side, cells, atoms);
    if (home == strays) return all_of(0, static_cast<int>(atoms));
    // If an axis has one or two cells, these are all its cells.
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

/// count[cell], zero before the launch, becomes the number of its atoms. Grid: one thread per atom, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_count(const double* __restrict__ state, int* count, double side, int cells, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own < atoms) atomicAdd(count + reference_cell(state, own, side, cells, atoms), 1);
}

/// starts[cell] = number of atoms in the cells before it. Grid: one thread per cell, strays included, blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_starts(const int* __restrict__ count, int* __restrict__ starts, long long all_cells) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= all_cells) return;
  int before = 0;
  for (long long cell = 0; cell < own; ++cell) before += count[cell];
  starts[own] = before;
}

/// found: the atoms of each cell in any order; filled, zero before the launch: their number. Grid: one thread per atom,
/// blocks of 128.
static __global__ void __launch_bounds__(128)
    reference_fill(const double* __restrict__ state, const int* __restrict__ starts, int* filled,
                   int* __restrict__ found, double side, int cells, long long atoms) {
  const long long own = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (own >= atoms) return;
  const int cell = reference_cell(state, own, side, cells, atoms);
  found[starts[cell] + atomicAdd(filled + cell, 1)] = static_cast<int>(own);
}

/// members: the atoms of each cell in ascending order. Grid: one thread per atom, blocks of 128.
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

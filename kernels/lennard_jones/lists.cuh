// Lists of neighbours within cutoff and skin, made from the order of cells.
#pragma once

#include "kernels/lennard_jones/pair.cuh"

namespace warpwright::lennard_jones {

/// Which neighbours an atom's row holds.
enum class list_of {
  all,   ///< all: whoever walks the rows needs no atomics
  after  ///< those with greater numbers: every pair is held once
};

/// wrapped = positions, moved into [0, side) by whole boxes, but for roundings, and never below 0. Grid: one thread a
/// coordinate.
template <class T, int BlockSize>
__global__ void __launch_bounds__(BlockSize)
    wrap_positions(const T* __restrict__ positions, T* __restrict__ wrapped, T side, long long coordinates) {
  const long long at = static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x;
  if (at >= coordinates) return;
  const T before = positions[at];
  wrapped[at] = max(fma(-side, floor(before / side), before), T(0));
}

/// length[atom] = neighbours nearer than the reach that its row is to hold, as many as there are slots, which it holds;
/// *overflow, zero before: the most neighbours of an atom, where these are more than the capacity, of whichever list.
/// CellsPerReach cells are no narrower than the reach. `sorted` are the positions in the order of cells. Grid: one
/// thread an atom, in that order.
template <class T, int BlockSize, block::layout Layout, list_of Which, int CellsPerReach>
__global__ void __launch_bounds__(BlockSize)
    make_lists(const T* __restrict__ sorted, const int* __restrict__ order, const int* __restrict__ starts,
               int* __restrict__ length, int* __restrict__ list, int* __restrict__ overflow, field<T> in,
               T reach_squared, block::cell_grid grid, long long atoms, int capacity) {
  const long long place = static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x;
  if (place >= atoms) return;
  const int atom = order[place];
  const block::point<T> here = block::point_at<3>(sorted, place, atoms);
  const auto around = [&](T coordinate) {
    return block::cells_around<block::boundary::periodic, CellsPerReach>(block::cell_along(coordinate, grid),
                                                                         grid.cells);
  };
  const block::cell_range along_x = around(here.x);
  const block::cell_range along_y = around(here.y);
  const block::cell_range along_z = around(here.z);
  // Cells along x lie side by side, up to the end of the row, behind which its beginning comes.
  const int to_end = min(along_x.count, grid.cells - along_x.first);
  int found = 0;
  int held = 0;
  for (int plane = 0; plane < along_z.count; ++plane)
    for (int row = 0; row < along_y.count; ++row) {
      const int* const of_row = starts + (block::cell_in(along_z, plane, grid.cells) * grid.cells +
                                          block::cell_in(along_y, row, grid.cells)) *
                                             grid.cells;
      for (int part = 0; part < 2; ++part) {
        const int first = part == 0 ? along_x.first : 0;
        const int last = of_row[part == 0 ? first + to_end : along_x.count - to_end];
        for (int at = of_row[first]; at < last; ++at) {
          const block::point<T> there = block::point_at<3>(sorted, at, atoms);
          if (squared(nearest_image(here, there, in.side, in.inverse_side)) >= reach_squared || at == place) continue;
          ++found;
          const int other = order[at];
          if (Which == list_of::after && other < atom) continue;
          if (held < capacity) list[block::place_in_list<Layout>(atom, held, atoms, capacity)] = other;
          ++held;
        }
      }
    }
  length[atom] = min(held, capacity);
  if (found > capacity) atomicMax(overflow, found);
}

}  // namespace warpwright::lennard_jones

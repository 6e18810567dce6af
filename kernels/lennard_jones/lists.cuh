// Lists of neighbours within cutoff and skin, built from atoms sorted by cells.
#pragma once

#include "kernels/lennard_jones/rows.cuh"

namespace warpwright::lennard_jones {

/// Which neighbours an atom's row holds.
enum class list_of {
  all,   ///< all of them, so that no atomics are needed
  after  ///< those with greater numbers: every pair is stored once
};

/// wrapped = positions, moved into [0, side) by multiples of the box, except for roundings; never below 0. Grid: one
/// thread per coordinate.
template <class T, int BlockSize>
__global__ void __launch_bounds__(BlockSize)
    wrap_positions(const T* __restrict__ positions, T* __restrict__ wrapped, T side, long long coordinates) {
  const long long at = static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x;
  if (at >= coordinates) return;
  const T before = positions[at];
  wrapped[at] = max(fma(-side, floor(before / side), before), T(0));
}

namespace detail {

/// Candidates that a thread tests together.
inline constexpr int kTogether = 4;
/// Candidates per word of marks; the first has the highest bit. Not 32, because a shift by 32 bits is undefined.
inline constexpr int kMarks = 31;
inline constexpr unsigned kFirst = 1U << 31;

/// For a cell up to one box beyond the edge: the cell of which it is an image, and the atom's coordinate shifted so
/// that the atoms there can be used unshifted.
template <class T>
struct image_cell {
  int cell;
  T from;
};
template <class T>
__device__ __forceinline__ image_cell<T> image_of(int cell, T here, int cells, T side) {
  const bool is_below = cell < 0;
  const bool is_above = cell >= cells;
  return {is_below   ? cell + cells
          : is_above ? cell - cells
                     : cell,
          is_below   ? here + side
          : is_above ? here - side
                     : here};
}

/// Marks those of the first `count` atoms (at most kMarks) from `sorted` on that are nearer to `from` than the reach.
/// Positions of kTogether atoms are read together, without a branch; beyond the end the last atom is read again.
template <class T>
__device__ __forceinline__ unsigned near_ones(const T* __restrict__ sorted, const block::point<T>& from, int count,
                                              T reach_squared, long long atoms) {
  const auto look = [&](const T* at, int last) {
    block::point<T> there[kTogether];
#pragma unroll
    for (int i = 0; i < kTogether; ++i) there[i] = block::point_at<3>(at, min(i, last), atoms);
    unsigned near = 0;
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      const block::point<T> d{there[i].x - from.x, there[i].y - from.y, there[i].z - from.z};
      near |= squared(d) < reach_squared ? kFirst >> i : 0U;
    }
    return near;
  };
  unsigned near = 0;
  int first = 0;
#pragma unroll 1
  for (; first + kTogether <= count; first += kTogether) near |= look(sorted + first, kTogether - 1) >> first;
  if (first != count) near |= look(sorted + first, count - 1 - first) >> first;
  return near & ~(~0U >> count);
}

}  // namespace detail

/// Builds the rows of all atoms. length[atom] = number of neighbours in its row, at most the capacity. *overflow, zero
/// before the launch, becomes the largest number of neighbours if that is above the capacity, over all lists.
/// CellsPerReach cells are at least as wide as the reach, and an axis has more than twice as many. `sorted` has the
/// positions in the order of cells. All lanes of a warp first mark near atoms in a word and then write the rows. Grid:
/// one thread per atom, in that order.
template <class T, int BlockSize, rows Layout, list_of Which, int CellsPerReach>
__global__ void __launch_bounds__(BlockSize)
    make_lists(const T* __restrict__ sorted, const int* __restrict__ order, const int* __restrict__ starts,
               int* __restrict__ length, int* __restrict__ list, int* __restrict__ overflow, T side, T reach_squared,
               block::cell_grid grid, long long atoms, int capacity) {
  constexpr int kAcross = 2 * CellsPerReach + 1;
  const long long place = static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x;
  if (place >= atoms) return;
  const int atom = order[place];
  const block::point<T> here = block::point_at<3>(sorted, place, atoms);
  const auto first_of = [&](T coordinate) { return block::cell_along(coordinate, grid) - CellsPerReach; };
  const int first_y = first_of(here.y);
  const int first_z = first_of(here.z);
  // Cells along x are neighbours in memory up to the end of the row; after that the row begins again.
  const auto along_x = detail::image_of(first_of(here.x), here.x, grid.cells, side);
  const int to_end = min(kAcross, grid.cells - along_x.cell);
  row_filler<Layout> row{
      .next = list + first_place<Layout>(atom, capacity), .stride = stride_of<Layout>(atoms), .capacity = capacity};
  int found = 0;
  for (int plane = 0; plane < kAcross; ++plane) {
    const auto along_z = detail::image_of(first_z + plane, here.z, grid.cells, side);
    for (int line = 0; line < kAcross; ++line) {
      const auto along_y = detail::image_of(first_y + line, here.y, grid.cells, side);
      const int* const of_row = starts + (along_z.cell * grid.cells + along_y.cell) * grid.cells;
      block::point<T> from{along_x.from, along_y.from, along_z.from};
      int begin = of_row[along_x.cell];
      int end = of_row[along_x.cell + to_end];
      const bool has_own = plane == CellsPerReach && line == CellsPerReach;
      for (int left = kAcross - to_end;; left = 0) {
        for (; begin < end; begin += detail::kMarks) {
          unsigned near =
              detail::near_ones(sorted + begin, from, min(end - begin, detail::kMarks), reach_squared, atoms);
          const int own = static_cast<int>(place) - begin;
          if (has_own && own >= 0 && own < detail::kMarks) near &= ~(detail::kFirst >> own);
          found += __popc(near);
          while (near != 0) {
            const int at = __clz(static_cast<int>(near));
            near &= ~(detail::kFirst >> at);
            const int other = order[static_cast<unsigned>(begin + at)];
            if (Which == list_of::after && other < atom) continue;
            row.put(other);
          }
        }
        if (left == 0) break;
        begin = of_row[0];
        end = of_row[left];
        from.x -= side;
      }
    }
  }
  row.finish(atom);
  length[atom] = min(row.held, capacity);
  if (found > capacity) atomicMax(overflow, found);
}

}  // namespace warpwright::lennard_jones

// Lists of neighbours within cutoff and skin, made from the order of cells.
#pragma once

#include "kernels/lennard_jones/rows.cuh"

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

namespace detail {

/// Candidates that a thread looks at together.
inline constexpr int kTogether = 4;
/// Candidates that one word has marks for, the first in its highest bit: a shift by all 32 bits is none.
inline constexpr int kMarks = 31;
inline constexpr unsigned kFirst = 1U << 31;

/// The cell that one up to a box beyond the edge is an image of, and where an atom is to whoever takes those in
/// the box for the image there.
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

/// Which of the first `count` atoms, kMarks at most, from `sorted` on are nearer than the reach to `from`. The
/// positions of kTogether of them are read together, without a branch; the last one's stands for those behind it.
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

/// length[atom] = neighbours nearer than the reach that its row is to hold, as many as there are slots, which it holds;
/// *overflow, zero before: the most neighbours of an atom, where these are more than the capacity, of whichever list.
/// CellsPerReach cells are no narrower than the reach, and there are more than twice as many along an axis. `sorted`
/// are the positions in the order of cells. What is near is marked in a word first, for all lanes of a warp, and then
/// put into rows. Grid: one thread an atom, in that order.
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
  // Cells along x lie side by side, up to the end of the row, behind which its beginning comes.
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

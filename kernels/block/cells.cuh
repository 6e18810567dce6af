// Sorts bodies by cells: counts, scans and scatters them, without testing pairs. Also finds the cells around a cell.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/block/scan_sequence.cuh"

namespace warpwright::block {

enum class boundary {
  open,     ///< nothing is beyond the box
  periodic  ///< the box repeats in all directions; distances are to the nearest image
};

/// A position; z is 0 in two dimensions.
template <class T>
struct point {
  T x, y, z;
};

/// The position of body number `body` in a structure of arrays of `bodies`: all x, all y, all z.
template <int Dim, class T>
__device__ __forceinline__ point<T> point_at(const T* positions, long long body, long long bodies) {
  point<T> at{positions[body], positions[bodies + body], T(0)};
  if constexpr (Dim == 3) at.z = positions[2 * bodies + body];
  return at;
}

/// Cubic cells that fill the box, numbered along x first: `cells` along every axis; the last may be wider.
struct cell_grid {
  float width;
  int cells;
};

/// The cell of a coordinate >= 0 along one axis. Exact if both are multiples of the same step and fewer than 2^24
/// steps: a quotient below an integer is then below it by more than half a unit in the last place.
template <class T>
__device__ __forceinline__ int cell_along(T coordinate, cell_grid grid) {
  return min(static_cast<int>(coordinate / grid.width), grid.cells - 1);
}

template <int Dim, class T>
__device__ __forceinline__ int cell_of(const point<T>& at, cell_grid grid) {
  const int plane = Dim == 3 ? cell_along(at.z, grid) * grid.cells : 0;
  return (plane + cell_along(at.y, grid)) * grid.cells + cell_along(at.x, grid);
}

/// Cells along one axis from `first` on; the last one is followed by cell 0.
struct cell_range {
  int first;
  int count;
};

/// The cells up to Reach away from `cell`, each once.
template <boundary Boundary, int Reach>
__device__ __forceinline__ cell_range cells_around(int cell, int cells) {
  if constexpr (Boundary == boundary::periodic) {
    return {(cell + cells * Reach - Reach) % cells, min(2 * Reach + 1, cells)};
  } else {
    const int first = max(cell - Reach, 0);
    return {first, min(cell + Reach, cells - 1) - first + 1};
  }
}

/// Cell number `step` of a range.
__device__ __forceinline__ int cell_in(cell_range range, int step, int cells) {
  const int cell = range.first + step;
  return cell < cells ? cell : cell - cells;
}

/// Adds every body to the count of its cell and stores how many were there before it. Grid: one thread per body.
template <class T, int Dim, int BlockSize>
__global__ void __launch_bounds__(BlockSize)
    count_cells(const T* __restrict__ positions, int* counts, int* rank, cell_grid grid, long long bodies) {
  const long long body = static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x;
  if (body >= bodies) return;
  rank[body] = atomicAdd(counts + cell_of<Dim>(point_at<Dim>(positions, body, bodies), grid), 1);
}

/// sums[block] = sum of the block's part of counts[0..count). Grid: one thread per count.
template <int BlockSize>
__global__ void __launch_bounds__(BlockSize) sum_counts(const int* __restrict__ counts, int* sums, int count) {
  const int at = static_cast<int>(blockIdx.x) * BlockSize + static_cast<int>(threadIdx.x);
  const int sum = reduce_shuffle<add, BlockSize>(at < count ? counts[at] : 0);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// Exclusive prefix sum of sums[0..blocks) in place. Grid: one block.
template <int BlockSize>
__global__ void __launch_bounds__(BlockSize) scan_sums(int* sums, int blocks) {
  scan_sequence<BlockSize>(sums, blocks);
}

/// Exclusive prefix sum of counts[0..count) in place. The sums of the blocks are scanned already, or else every block
/// adds up those before it, which takes no launch more, but work that grows with the square of the blocks. Grid: one
/// thread per count.
template <int BlockSize, bool Scanned>
__global__ void __launch_bounds__(BlockSize) start_cells(int* counts, const int* __restrict__ sums, int count) {
  const int at = static_cast<int>(blockIdx.x) * BlockSize + static_cast<int>(threadIdx.x);
  int before = Scanned ? sums[blockIdx.x] : 0;
  if constexpr (!Scanned) {
    // Threads take sums from the last warp on, neighbouring sums in different warps, so that few sums are added in the
    // same way as many.
    constexpr int kWarps = BlockSize / 32;
    const int turned = BlockSize - 1 - static_cast<int>(threadIdx.x);
    const int first = turned % 32 * kWarps + turned / 32;
    for (int other = first; other < static_cast<int>(blockIdx.x); other += BlockSize) before += sums[other];
    before = inclusive_scan<add, BlockSize>(before).total;
    __syncthreads();
  }
  before += exclusive_scan<add, BlockSize>(at < count ? counts[at] : 0).value;
  if (at < count) counts[at] = before;
}

/// order[place] = body, cell by cell; with Sorted also the positions, as a structure of arrays in that order. Grid: one
/// thread per body.
template <class T, int Dim, int BlockSize, bool Sorted>
__global__ void __launch_bounds__(BlockSize)
    fill_cells(const T* __restrict__ positions, const int* __restrict__ starts, const int* __restrict__ rank,
               int* __restrict__ order, T* __restrict__ sorted, cell_grid grid, long long bodies) {
  const long long body = static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x;
  if (body >= bodies) return;
  const point<T> at = point_at<Dim>(positions, body, bodies);
  const int place = starts[cell_of<Dim>(at, grid)] + rank[body];
  order[place] = static_cast<int>(body);
  if constexpr (Sorted) {
    sorted[place] = at.x;
    sorted[bodies + place] = at.y;
    if constexpr (Dim == 3) sorted[2 * bodies + place] = at.z;
  }
}

}  // namespace warpwright::block

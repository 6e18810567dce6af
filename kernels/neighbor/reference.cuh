// Lists of neighbours by testing all pairs, row by row; large lists are compared with them.
#pragma once

#include "kernels/neighbor/box.cuh"

namespace warpwright::neighbor {

/// Marks slots after the neighbours of a row, and all slots of a row with more neighbours than slots.
inline constexpr int no_neighbor = -1;
inline constexpr int row_overflows = -2;

/// rows[body * capacity ...]: the neighbours of each body, ascending; length[body]: how many there are; *excess, zero
/// before the launch: the largest length above the capacity. Grid: one thread per body, blocks of 128.
template <class T, int Dim, boundary Boundary>
__global__ void __launch_bounds__(128)
    reference(const T* positions, int* rows, int* length, int* excess, box<T> box, long long bodies, int capacity) {
  const long long body = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (body >= bodies) return;
  const point<T> here = point_at<Dim>(positions, body, bodies);
  int* row = rows + body * capacity;
  int found = 0;
  for (long long other = 0; other < bodies; ++other) {
    if (other == body || !are_near<Boundary>(here, point_at<Dim>(positions, other, bodies), box)) continue;
    if (found < capacity) row[found] = static_cast<int>(other);
    ++found;
  }
  length[body] = found;
  for (int slot = found; slot < capacity; ++slot) row[slot] = no_neighbor;
  if (found <= capacity) return;
  atomicMax(excess, found);
  for (int slot = 0; slot < capacity; ++slot) row[slot] = row_overflows;
}

}  // namespace warpwright::neighbor

// What is compared of a list of neighbours: its rows as sets, and whether rows that overflow hold only neighbours.
#pragma once

#include "kernels/neighbor/reference.cuh"

namespace warpwright::neighbor {

namespace detail {

/// Shell's sort with D. Knuth's increments (The Art of Computer Programming 3, 5.2.1); at most 1,024 values.
__device__ __forceinline__ void sort_ascending(int* values, int count) {
  for (int gap = 364; gap > 0; gap /= 3)
    for (int i = gap; i < count; ++i) {
      const int moved = values[i];
      int at = i;
      for (; at >= gap && values[at - gap] > moved; at -= gap) values[at] = values[at - gap];
      values[at] = moved;
    }
}

}  // namespace detail

/// rows as the reference gives them; *bad, zero before the launch: the number of slots without a neighbour, or with one
/// that an earlier slot has. Accepts any contents of count and list. Grid: one thread per body, blocks of 128.
template <class T, int Dim, boundary Boundary, layout Layout>
__global__ void __launch_bounds__(128) observe(const T* positions, const int* count, const int* list, int* rows,
                                               int* bad, box<T> box, long long bodies, int capacity) {
  const long long body = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
  if (body >= bodies) return;
  const point<T> here = point_at<Dim>(positions, body, bodies);
  const int found = count[body];
  const int filled = max(min(found, capacity), 0);
  int* row = rows + body * capacity;
  for (int slot = 0; slot < filled; ++slot) row[slot] = list[place_in_list<Layout>(body, slot, bodies, capacity)];
  detail::sort_ascending(row, filled);

  int wrong = 0;
  for (int slot = 0; slot < filled; ++slot) {
    const int other = row[slot];
    const bool is_body = other >= 0 && other < bodies && other != body;
    const bool is_new = slot == 0 || row[slot - 1] != other;
    if (!is_body || !is_new || !are_near<Boundary>(here, point_at<Dim>(positions, other, bodies), box)) ++wrong;
  }
  if (wrong > 0) atomicAdd(bad, wrong);

  const int first_free = found > capacity ? 0 : filled;
  for (int slot = first_free; slot < capacity; ++slot) row[slot] = found > capacity ? row_overflows : no_neighbor;
}

}  // namespace warpwright::neighbor

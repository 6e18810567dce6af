// neighbor/cell_list: bodies are sorted into cells as wide as the cutoff, or half of it; the neighbours of a body are
// then searched in its own cell and the cells around it.
#pragma once

#include "kernels/block/groups.cuh"
#include "kernels/neighbor/box.cuh"

namespace warpwright::neighbor {

/// Where the neighbours of a body are counted as they are found.
enum class counter {
  in_register,  ///< the lanes of a body vote on who stores where
  in_memory     ///< every neighbour gets its slot by an atomic addition
};

struct cell_list_params {
  int block_size = 128;
  int cells_per_cutoff = 1;  ///< cells are as wide as the cutoff, or half of it
  int lanes_per_body = 8;    ///< threads that search the neighbours of one body
  bool sorted = true;        ///< positions are copied into the order of cells
  neighbor::counter counter = neighbor::counter::in_register;
  int min_blocks = 1;  ///< blocks per SM for which registers must suffice
  bool operator==(const cell_list_params&) const = default;
};

/// count[body] = number of neighbours; list: as many of them as fit, in the order in which they are found; *overflow,
/// zero before the launch: the largest count above the capacity. With counter::in_memory, count is zero before the
/// launch. Cells are contiguous along x, so the bodies of a row of cells are one range, or two if it wraps around.
/// Grid: lanes_per_body threads per body, in the order of cells. Source: B. Quentrec, C. Brot, Journal of Computational
/// Physics 13 (1973).
template <class T, int Dim, boundary Boundary, layout Layout, cell_list_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    cell_list(const T* __restrict__ positions, const T* __restrict__ sorted, const int* __restrict__ order,
              const int* __restrict__ starts, int* __restrict__ count, int* __restrict__ list,
              int* __restrict__ overflow, box<T> box, block::cell_grid grid, long long bodies, int capacity) {
  constexpr int kLanes = P.lanes_per_body;
  constexpr int kPieces = Boundary == boundary::periodic ? 2 : 1;
  const auto lanes = block::tiled_partition<kLanes>();
  const long long place = (static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x) / kLanes;
  if (place >= bodies) return;
  const int body = order[place];
  const point<T> here = P.sorted ? point_at<Dim>(sorted, place, bodies) : point_at<Dim>(positions, body, bodies);

  const auto around = [&](T coordinate) {
    return block::cells_around<Boundary, P.cells_per_cutoff>(block::cell_along(coordinate, grid), grid.cells);
  };
  const block::cell_range along_x = around(here.x);
  const block::cell_range along_y = around(here.y);
  const block::cell_range along_z = Dim == 3 ? around(here.z) : block::cell_range{0, 1};
  const int end_x = along_x.first + along_x.count;

  int found = 0;
  for (int plane = 0; plane < along_z.count; ++plane)
    for (int row = 0; row < along_y.count; ++row)
      for (int piece = 0; piece < kPieces; ++piece) {
        const int* of_row = starts + (block::cell_in(along_z, plane, grid.cells) * grid.cells +
                                      block::cell_in(along_y, row, grid.cells)) *
                                         grid.cells;
        const int begin = of_row[piece == 0 ? along_x.first : 0];
        const int end = of_row[piece == 0 ? min(end_x, grid.cells) : max(end_x - grid.cells, 0)];
        for (int at = begin; at < end; at += kLanes) {
          const int candidate = at + lanes.thread_rank();
          bool is_near = (kLanes == 1 || candidate < end) && candidate != place;
          if (is_near)
            is_near = are_near<Boundary>(here,
                                         P.sorted ? point_at<Dim>(sorted, candidate, bodies)
                                                  : point_at<Dim>(positions, order[candidate], bodies),
                                         box);
          int slot = found;
          if constexpr (P.counter == counter::in_memory) {
            if (is_near) slot = atomicAdd(count + body, 1);
          } else {
            const unsigned near = kLanes == 1 ? is_near : lanes.ballot(is_near);
            slot += __popc(near & ((1U << lanes.thread_rank()) - 1));
            found += __popc(near);
          }
          if (!is_near) continue;
          if (slot < capacity)
            list[place_in_list<Layout>(body, slot, bodies, capacity)] = order[candidate];
          else if (P.counter == counter::in_memory)
            atomicMax(overflow, slot + 1);
        }
      }
  if constexpr (P.counter == counter::in_register) {
    if (lanes.thread_rank() == 0) {
      count[body] = found;
      if (found > capacity) atomicMax(overflow, found);
    }
  }
}

}  // namespace warpwright::neighbor

// How a persistent block multiplies by warpgroups: one thread fills a ring of stages by bulk copies, and warpgroups
// multiply 64 rows of the tile each. Shared by the kernels with wgmma. From sm_90.
#pragma once

#include "kernels/block/copied_stages.cuh"
#include "kernels/matmul/matrix_tiles.cuh"
#include "kernels/runtime/warpgroup.cuh"

namespace warpwright::matmul {

/// The rows of C that a warpgroup multiplies.
inline constexpr int kRowsOfGroup = 64;
/// For params with consumers only as warpgroups: each warp has 16 rows, and all columns, of the tile.
template <class P>
__host__ __device__ constexpr tiling group_tiling_of(const P& p, int terms) {
  return {.m = p.tile_m,
          .n = p.tile_n,
          .k = terms,
          .thread_m = 2,
          .thread_n = p.tile_n / 4,
          .lanes_n = 4,
          .vector_width = 1,
          .bank_pad = 0};
}

/// Threads of a block: a warpgroup for every 64 rows, and one that fills the stages.
template <class P>
__host__ __device__ constexpr int group_threads(const P& p) {
  return (p.tile_m / kRowsOfGroup + 1) * kWarpgroup;
}

/// Registers of a thread that fills stages, and of one that multiplies: together those that the launch gave the block.
inline constexpr int kFillingRegisters = 40;  ///< by bulk copies
inline constexpr int kCopyingRegisters = 56;  ///< by a warpgroup
template <class P>
__host__ __device__ constexpr int launch_registers(const P& p) {
  const int most = 65536 / (group_threads(p) * p.min_blocks) / 8 * 8;
  return most > 240 ? 240 : most;
}
template <class P>
__host__ __device__ constexpr int multiplying_registers(const P& p, int filling) {
  const int groups = p.tile_m / kRowsOfGroup;
  const int most = (launch_registers(p) * (groups + 1) - filling) / groups / 8 * 8;
  return most > 240 ? 240 : most;
}

/// Calls visit(task) for every tile of a block: its own number, and those behind it by the size of the grid.
template <class Task, class T, class Visit>
__device__ __forceinline__ void for_each_tile(const T* a, const T* b, const extents& e, int group, Visit visit) {
  const int tiles = Task::tiles_of(e);
#pragma unroll 1
  for (auto tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x))
    visit(Task(a, b, e, group, tile));
}

}  // namespace warpwright::matmul

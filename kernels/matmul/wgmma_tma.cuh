// matmul/wgmma_tma: products of short elements by warpgroups, as in wgmma, but one thread fills the stages: it copies
// boxes of A and B (TMA), which arrive as wgmma reads them. For halves and bfloat16, and with a transposed B for TF32
// and 8-bit floats and integers. Rows of A and B must begin at multiples of 16 bytes. For sm_90.
#pragma once

#include "kernels/matmul/wgmma.cuh"
#include "kernels/runtime/warpgroup_bytes.cuh"
#include "kernels/runtime/warpgroup_float8.cuh"
#include "kernels/runtime/warpgroup_tf32.cuh"

namespace warpwright::matmul {

struct wgmma_tma_params {
  int tile_m = 128;
  int tile_n = 128;
  int stages = 4;   ///< pairs of tiles in shared memory
  int group_m = 8;  ///< rows of tiles shared by blocks that run at the same time
  int min_blocks = 1;
  bool operator==(const wgmma_tma_params&) const = default;
};

/// By one thread: for each step, copies the tiles of A and B for the block's tile of C into the next free stage.
template <class T, form B, tiling S, int Stages>
__device__ __forceinline__ void fill_with_boxes(const row_task<T, B, S>& task, T* stages, const tensor_map& a,
                                                const tensor_map& b, const extents& e,
                                                block::stage_cursor<Stages>& at) {
  constexpr int kElements = (S.m + S.n) * S.k, kColumns = kRowBytes / static_cast<int>(sizeof(T));
  const auto row = static_cast<int>(task.row(e)), column = static_cast<int>(task.column(e));
#pragma unroll 1
  for (int step = 0; step < task.steps; ++step, at.next()) {
    at.begin_fill((S.m + S.n) * kRowBytes);
    T* const to = stages + at.stage * kElements;
    const int term = step * S.k;
    bulk_copy_box(to, a, term, row, at.barrier());
    if constexpr (B == form::transposed) {
      bulk_copy_box(to + S.m * S.k, b, term, column, at.barrier());
    } else {
#pragma unroll
      for (int part = 0; part < S.n; part += kColumns)
        bulk_copy_box(to + (S.m + part) * S.k, b, column + part, term, at.barrier());
    }
  }
}

/// By a warpgroup: as multiply_stages, but the products of each step are summed apart, because matrix units keep few
/// bits of these sums.
template <class T, form B, tiling S, int Stages>
__device__ __forceinline__ void multiply_stages_apart(sum_of<T> (&sums)[S.n / 2], int steps, const T* stages,
                                                      block::stage_cursor<Stages>& at) {
#pragma unroll 1
  for (int step = 0; step < steps; ++step, at.next()) {
    sum_of<T> few[S.n / 2];
    at.wait();
    products_fence(few);
    start_products<T, B, S, true>(few, stages + at.stage * (S.m + S.n) * S.k);
    products_wait<0>(few);
    at.release();
#pragma unroll
    for (int i = 0; i < S.n / 2; ++i) sums[i] += few[i];
  }
}

/// C = alpha A B + beta C. Each row of a box has 128 bytes. Boxes of A: tile_m rows of neighbouring terms; of a
/// transposed B: tile_n such rows; of a plain B: 64 terms, each with 64 neighbouring columns. Persistent: any number of
/// blocks in x, each of which takes tile after tile. Dynamic shared memory for `stages` pairs of tiles.
template <class T, form B, wgmma_tma_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(group_threads(P), P.min_blocks)
    wgmma_tma(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, Sum* c, extents e,
              scale<Sum> by) {
  constexpr tiling S = group_tiling_of(P, kRowBytes / sizeof(T));
  using task_type = row_task<T, B, S>;
  constexpr int kGroups = P.tile_m / kRowsOfGroup;
  extern __shared__ __align__(1024) unsigned char swizzled[];
  __shared__ block::stage_barriers<P.stages> barriers;
  T* const stages = reinterpret_cast<T*>(swizzled);
  const T* const nothing = nullptr;  // A and B are behind their tensor maps
  if (threadIdx.x == 0) barriers.init(kGroups * 4);
  __syncthreads();
  block::stage_cursor<P.stages> at{barriers};
  if (threadIdx.x >= kGroups * kWarpgroup) {
    give_registers_back<kFillingRegisters>();
    if (threadIdx.x == kGroups * kWarpgroup)
      for_each_tile<task_type>(nothing, nothing, e, P.group_m,
                               [&](const task_type& task) { fill_with_boxes(task, stages, a, b, e, at); });
  } else {
    take_registers<multiplying_registers(P, kFillingRegisters)>();
    for_each_tile<task_type>(nothing, nothing, e, P.group_m, [&](const task_type& task) {
      warp_sums<Sum, S, 16> sums;
      auto& of_lane = reinterpret_cast<Sum(&)[S.n / 2]>(sums.of);
      if constexpr (is_short_sum<T>)
        multiply_stages_apart<T, B, S>(of_lane, task.steps, stages, at);
      else
        multiply_stages<T, B, S>(of_lane, task.steps, stages, at);
      sums.store(task, c, e, by);
    });
  }
}

}  // namespace warpwright::matmul

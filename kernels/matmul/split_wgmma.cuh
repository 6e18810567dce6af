// matmul/split_wgmma: products of floats on matrix units, by warpgroups. As in split_mma, floats are split into three
// bfloat16 numbers each, and six of the nine products of their parts are added, the small ones first. A persistent
// grid: in each block one thread copies tiles of all planes into a ring of stages, which warpgroups multiply. Sums of
// 32 terms are added to the sums of a lane in float arithmetic, which rounds where matrix units cut off. For sm_90.
#pragma once

#include "kernels/matmul/split_fallback.cuh"
#include "kernels/matmul/split_tiles.cuh"
#include "kernels/matmul/warpgroup_tiles.cuh"

namespace warpwright::matmul {

struct split_wgmma_params {
  int tile_m = 128;
  int tile_n = 128;
  int stages = 4;   ///< tiles of all planes in shared memory
  int group_m = 8;  ///< rows of tiles shared by blocks that run at the same time
  int min_blocks = 1;
  bool operator==(const split_wgmma_params&) const = default;
};

/// Where the planes of a stage begin in shared memory, in elements.
template <tiling S>
struct plane_stage {
  static constexpr int elements_a = S.m * S.k, elements_b = S.n * S.k;
  static constexpr int elements = kPlanes * (elements_a + elements_b);
  static constexpr int bytes = elements * 2;

  static __device__ __forceinline__ int of_a(int plane) { return plane * elements_a; }
  static __device__ __forceinline__ int of_b(int plane) { return kPlanes * elements_a + plane * elements_b; }
};

/// A tile of C; the planes' tiles are bulk copies.
template <tiling S>
using plane_task = block_task<unsigned short, form::transposed, S, 8, 8>;

/// By one thread: copies the tiles of every stage of the block's tiles.
template <tiling S, int Stages>
__device__ __forceinline__ void fill_with_planes(const plane_task<S>& task, unsigned short* stages,
                                                 const unsigned short* a, const unsigned short* b,
                                                 const extents& padded, block::stage_cursor<Stages>& at) {
  using layout = plane_stage<S>;
#pragma unroll 1
  for (int step = 0; step < task.steps; ++step, at.next()) {
    at.begin_fill(layout::bytes);
    unsigned short* const to = stages + at.stage * layout::elements;
#pragma unroll
    for (int plane = 0; plane < kPlanes; ++plane) {
      const long long slice = step * static_cast<long long>(kPlanes) + plane;
      bulk_copy(to + layout::of_a(plane), a + (slice * padded.m + task.row(padded)) * S.k, layout::elements_a * 2,
                at.barrier());
      bulk_copy(to + layout::of_b(plane), b + (slice * padded.n + task.column(padded)) * S.k, layout::elements_b * 2,
                at.barrier());
    }
  }
}

/// By a warpgroup: sums of all products of a stage.
template <tiling S>
__device__ __forceinline__ void multiply_planes(float (&few)[S.n / 2], const unsigned short* stage) {
  using layout = plane_stage<S>;
  constexpr int plane_of_a[] = {2, 0, 1, 1, 0, 0}, plane_of_b[] = {0, 2, 1, 0, 1, 0};
  constexpr int kPartBytes = 32, kGroupOfRows = 8 * 2 * S.k;
  const int first_row = static_cast<int>(threadIdx.x) / kWarpgroup * kRowsOfGroup;
  const auto a = describe_matrix<swizzle::bytes_64>(stage + first_row * S.k, kGroupOfRows);
  const auto b = describe_matrix<swizzle::bytes_64>(stage + layout::of_b(0), kGroupOfRows);
  products_fence(few);
#pragma unroll
  for (int product = 0; product < 6; ++product)
#pragma unroll
    for (int part = 0; part < 2; ++part) {
      const auto left = a.behind(plane_of_a[product] * layout::elements_a * 2 + part * kPartBytes);
      const auto right = b.behind(plane_of_b[product] * layout::elements_b * 2 + part * kPartBytes);
      if (product + part == 0)
        multiply_async<S.n, bfloat16>(few, left, right);
      else
        multiply_add_async<S.n, bfloat16>(few, left, right);
    }
  products_commit();
  products_wait<0>(few);
}

/// C = alpha A B + beta C from the planes of A and B, unless the state is unfit. `padded` has the sizes of the planes,
/// and ldc of C; C has m rows and n columns. Any grid of one dimension; dynamic shared memory for `stages` of three
/// pairs of tiles.
template <class T, form B, split_wgmma_params P>
__global__ void __launch_bounds__(group_threads(P), P.min_blocks)
    split_wgmma(const unsigned short* __restrict__ a, const unsigned short* __restrict__ b, T* c, extents padded,
                long long m, long long n, scale<T> by, const split_state* state) {
  constexpr tiling S = group_tiling_of(P, kTermsOfRow);
  constexpr int kGroups = P.tile_m / kRowsOfGroup;
  extern __shared__ __align__(1024) unsigned short stages[];
  __shared__ block::stage_barriers<P.stages> barriers;
  if (threadIdx.x == 0) barriers.init(kGroups * 4);
  wait_for_previous_launch();
  let_next_launch_begin();
  if (state->unfit != 0) return;
  __syncthreads();
  block::stage_cursor<P.stages> at{barriers};
  if (threadIdx.x >= kGroups * kWarpgroup) {
    give_registers_back<kFillingRegisters>();
    if (threadIdx.x == kGroups * kWarpgroup)
      for_each_tile<plane_task<S> >(a, b, padded, P.group_m, [&](const plane_task<S>& task) {
        fill_with_planes<S>(task, stages, a, b, padded, at);
      });
  } else {
    take_registers<multiplying_registers(P, kFillingRegisters)>();
    for_each_tile<plane_task<S> >(a, b, padded, P.group_m, [&](plane_task<S> task) {
      warp_sums<T, S, 16> sums;
#pragma unroll 1
      for (int step = 0; step < task.steps; ++step, at.next()) {
        float few[S.n / 2];
        at.wait();
        multiply_planes<S>(few, stages + at.stage * plane_stage<S>::elements);
        at.release();
#pragma unroll
        for (int i = 0; i < S.n / 2; ++i) sums.of[0][i / 4][i % 4] += few[i];
      }
      task.a.places = static_cast<int>(min(static_cast<long long>(S.m), m - task.row(padded)));
      task.b.places = static_cast<int>(min(static_cast<long long>(S.n), n - task.column(padded)));
      sums.store(task, c, padded, by);
    });
  }
}

}  // namespace warpwright::matmul

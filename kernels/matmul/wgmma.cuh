// matmul/wgmma: products of halves or bfloat16 numbers on matrix units, by warpgroups, with float sums. A persistent
// grid: in each block a warpgroup copies tiles, by asynchronous copies, into a ring of stages as wgmma reads them, and
// the others multiply them. For sm_90.
#pragma once

#include "kernels/matmul/warpgroup_tiles.cuh"

namespace warpwright::matmul {

struct wgmma_params {
  int tile_m = 128;
  int tile_n = 128;
  int stages = 4;   ///< pairs of tiles in shared memory
  int ahead = 2;    ///< stages whose copies may be under way
  int group_m = 8;  ///< rows of tiles shared by blocks that run at the same time
  int min_blocks = 1;
  bool operator==(const wgmma_params&) const = default;
};

/// Bytes of a row of a tile along the terms.
inline constexpr int kRowBytes = 128;
inline constexpr int kTermsOfHalves = kRowBytes / 2;

template <class T, form B, tiling S>
using row_task = block_task<T, B, S, 16 / static_cast<int>(sizeof(T)), 16 / static_cast<int>(sizeof(T))>;

/// Where elements of a tile lie: rows of 128 bytes. Rows along the terms follow each other; rows along the columns have
/// 64 of them, then the next 64 columns of all terms follow.
template <along Rows>
__device__ __forceinline__ int place_in_tile(int place, int term) {
  const int row = Rows == along::terms ? place : place / 64 * kTermsOfHalves + term;
  return swizzled(swizzle::bytes_128, row * kRowBytes + (Rows == along::terms ? term : place % 64) * 2) / 2;
}

/// Copies a thread's share of a tile for a step; elements outside the operand, of which `terms` terms are left, become
/// 0. Incomplete tiles are copied element by element, in little code: that of the whole ones needs the registers.
template <along Rows, int Places, class Share, class T>
__device__ __forceinline__ void copy_tile(T* tile, Share& mine, const operand<T>& of, int step, int terms) {
  if (step < of.whole_steps) {
    mine.for_each(of, [&](int pass, const T* from) {
      warpwright::async_copy<16>(tile + place_in_tile<Rows>(mine.place(pass, 0), mine.term(pass, 0)), from);
    });
    return;
  }
  constexpr int kRow = Rows == along::terms ? kTermsOfHalves : Places;
#pragma unroll 1
  for (auto i = static_cast<int>(threadIdx.x) % kWarpgroup; i < Places * kTermsOfHalves; i += kWarpgroup) {
    const int place = Rows == along::terms ? i / kRow : i % kRow, term = Rows == along::terms ? i % kRow : i / kRow;
    const long long first = static_cast<long long>(step) * kTermsOfHalves;
    const T* const from =
        of.from + (Rows == along::terms ? place * of.pitch + first + term : (first + term) * of.pitch + place);
    tile[place_in_tile<Rows>(place, term)] = place < of.places && term < terms ? *from : T(0);
  }
}

/// The copies of a block. A stage is full when all warps that copy have said so, after the copies of some later stages
/// have been started.
template <class T, form B, tiling S, wgmma_params P>
struct tile_filler {
  // A stage is given back when the products of the next one have been started, so that one must be full before.
  static_assert(P.ahead + 2 <= P.stages);
  using cursor = block::stage_cursor<P.stages>;
  static constexpr int elements_a = S.m * S.k, elements = elements_a + S.n * S.k;

  T* stages;
  cursor filled, announced;
  int under_way = 0;

  __device__ __forceinline__ void fill(const row_task<T, B, S>& task) {
    const int thread = static_cast<int>(threadIdx.x) % kWarpgroup;
    copy_share<T, along::terms, S.m, S.k, 1, 1, 8, kWarpgroup> from_a(task.a, thread);
    copy_share<T, rows_of_b(B), S.n, S.k, 1, 1, 8, kWarpgroup> from_b(task.b, thread);
#pragma unroll 1
    for (int step = 0; step < task.steps; ++step, filled.next()) {
      filled.wait_until_empty();
      T* const to = stages + filled.stage * elements;
      copy_tile<along::terms, S.m>(to, from_a, task.a, step, task.terms_of(step));
      copy_tile<rows_of_b(B), S.n>(to + elements_a, from_b, task.b, step, task.terms_of(step));
      async_commit();
      if (under_way == P.ahead)
        announce<P.ahead>();
      else
        ++under_way;
    }
  }
  /// Waits until at most `Left` later copies are under way; then the next stage is full.
  template <int Left>
  __device__ __forceinline__ void announce() {
    async_wait<Left>();
    fence_async();
    __syncwarp();
    if (threadIdx.x % 32 == 0) phase_arrive(announced.barrier());
    announced.next();
  }
  /// The rest, when all copies have been started.
  __device__ __forceinline__ void finish() {
    for (; under_way > 0; --under_way) announce<0>();
  }
};

/// Starts the products of a stage by a warpgroup, which add to its sums, or to zeros.
template <class T, form B, tiling S, bool FromZero = false>
__device__ __forceinline__ void start_products(sum_of<T> (&sums)[S.n / 2], const T* stage) {
  constexpr int kPartBytes = 32, kGroupOfRows = 8 * kRowBytes;
  static_assert(B == form::transposed || (sizeof(T) == 2 && !FromZero),
                "wgmma reads a plain B of 16-bit elements only");
  const int first_row = static_cast<int>(threadIdx.x) / kWarpgroup * kRowsOfGroup;
  const auto a = describe_matrix<swizzle::bytes_128>(stage + first_row * S.k, kGroupOfRows);
  const T* const of_b = stage + S.m * S.k;
#pragma unroll
  for (int part = 0; part < kRowBytes / kPartBytes; ++part) {
    const auto left = a.behind(part * kPartBytes);
    if constexpr (B == form::transposed) {
      const auto right = describe_matrix<swizzle::bytes_128>(of_b, kGroupOfRows).behind(part * kPartBytes);
      if (FromZero && part == 0)
        multiply_async<S.n, T>(sums, left, right);
      else
        multiply_add_async<S.n, T>(sums, left, right);
    } else {
      multiply_add_async<S.n, T>(
          sums, left,
          describe_transposed<swizzle::bytes_128>(of_b, kGroupOfRows, S.k * kRowBytes).behind(part * 16 * kRowBytes));
    }
  }
  products_commit();
}

/// By a warpgroup: adds the products of all steps of a tile to its sums. A stage is given back when the products of the
/// next one have been started.
template <class T, form B, tiling S, int Stages>
__device__ __forceinline__ void multiply_stages(sum_of<T> (&sums)[S.n / 2], int steps, const T* stages,
                                                block::stage_cursor<Stages>& at) {
  auto in_use = at;
#pragma unroll 1
  for (int step = 0; step < steps; ++step, at.next()) {
    at.wait();
    products_fence(sums);
    start_products<T, B, S>(sums, stages + at.stage * (S.m + S.n) * S.k);
    if (step == 0) continue;
    products_wait<1>(sums);
    in_use.release();
    in_use.next();
  }
  products_wait<0>(sums);
  if (steps > 0) in_use.release();
}

/// C = alpha A B + beta C. Any grid of one dimension; dynamic shared memory for `stages` pairs of tiles.
template <class T, form B, wgmma_params P, class Sum = sum_of<T>>
__global__ void __launch_bounds__(group_threads(P), P.min_blocks)
    wgmma(const T* __restrict__ a, const T* __restrict__ b, Sum* c, extents e, scale<Sum> by) {
  constexpr tiling S = group_tiling_of(P, kTermsOfHalves);
  using task_type = row_task<T, B, S>;
  constexpr int kGroups = P.tile_m / kRowsOfGroup;
  extern __shared__ __align__(1024) unsigned char swizzled[];
  __shared__ block::stage_barriers<P.stages> barriers;
  T* const stages = reinterpret_cast<T*>(swizzled);
  if (threadIdx.x == 0) barriers.init(kGroups * 4, 4);
  __syncthreads();
  block::stage_cursor<P.stages> at{barriers};
  if (threadIdx.x >= kGroups * kWarpgroup) {
    give_registers_back<kCopyingRegisters>();
    tile_filler<T, B, S, P> filler{stages, at, at};
    for_each_tile<task_type>(a, b, e, P.group_m, [&](const task_type& task) { filler.fill(task); });
    filler.finish();
  } else {
    take_registers<multiplying_registers(P, kCopyingRegisters)>();
    for_each_tile<task_type>(a, b, e, P.group_m, [&](const task_type& task) {
      warp_sums<Sum, S, 16> sums;
      multiply_stages<T, B, S>(reinterpret_cast<Sum(&)[S.n / 2]>(sums.of), task.steps, stages, at);
      sums.store(task, c, e, by);
    });
  }
}

}  // namespace warpwright::matmul

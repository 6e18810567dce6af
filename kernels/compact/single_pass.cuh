// compact/single_pass: one launch reads every element once; tiles learn by decoupled look-back where their kept
// elements go.
#pragma once

#include "kernels/block/look_back.cuh"
#include "kernels/compact/predicates.cuh"
#include "kernels/compact/slab.cuh"

namespace warpwright::compact {

/// How kept elements get from registers to the output.
enum class store {
  direct,  ///< each thread writes its own
  staged   ///< through shared memory, so that neighbouring threads write neighbouring elements
};

/// What makes the descriptors zero for the next run.
enum class restore {
  memset,     ///< a step of the plan in front of the launch
  last_block  ///< the block that finishes last
};

struct single_pass_params {
  int block_size = 256;
  int coarsening = 16;   ///< elements per thread
  int vector_width = 4;  ///< elements per load
  compact::store store = compact::store::staged;
  int window = 32;     ///< tiles that are looked at together
  int min_blocks = 1;  ///< that an SM must have registers for
  compact::restore restore = compact::restore::last_block;
  bool operator==(const single_pass_params&) const = default;
};

/// Bytes of dynamic shared memory: the tile's kept elements, where they are staged.
__host__ __device__ constexpr int single_pass_staging(const single_pass_params& p, int element_size) {
  return p.store == store::staged ? p.block_size * p.coarsening * element_size : 0;
}

/// Writes the elements of in[0..n) that Predicate keeps to out, in their order, and nothing behind them; *count becomes
/// their number. Grid: one block for each tile of block_size * coarsening elements, which has a descriptor. Counters
/// are the ticket of tiles, and how many blocks have departed: zero before and after the launch. So are the descriptors
/// with restore::last_block; else they are zero before it. `in` is aligned to vectors.
template <class T, class Predicate, single_pass_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    single_pass(const T* __restrict__ in, T* __restrict__ out, long long* count, unsigned long long* descriptors,
                unsigned* counters, long long n) {
  using warp_slab = slab<T, Predicate, P.coarsening, P.vector_width>;
  __shared__ long long tile_begin;
  extern __shared__ __align__(16) unsigned char staging[];
  const int warp = static_cast<int>(threadIdx.x) / 32;

  // Each warp reads its slab of the tile and ranks what it keeps.
  const long long tile = block::next_tile(counters);
  const long long first = (tile * (P.block_size / 32) + warp) * warp_slab::size;
  warp_slab mine;
  mine.load(in + first, n - first);
  const block::scanned<int> kept = block::scan_warps<block::add, P.block_size>(mine.rank());

  // The first warp learns where the tile's kept elements begin, while the others stage theirs.
  T* const staged = reinterpret_cast<T*>(staging);
  unsigned departed_before = 0;
  if (warp == 0) {
    const long long before =
        block::look_back<block::add, P.window>(descriptors, tile, static_cast<long long>(kept.total));
    if (threadIdx.x == 0) {
      tile_begin = before;
      if (tile + 1 == gridDim.x) *count = before + kept.total;
    }
  }
  if constexpr (P.store == store::staged) mine.store(staged + kept.value);
  __syncthreads();
  if (P.restore == restore::last_block && warp == 0) departed_before = block::depart(counters + 1);

  T* const to = out + tile_begin;
  if constexpr (P.store == store::staged) {
    for (int i = static_cast<int>(threadIdx.x); i < kept.total; i += P.block_size) to[i] = staged[i];
  } else {
    mine.store(to + kept.value);
  }
  if (P.restore == restore::last_block && warp == 0) block::zero_behind_last(departed_before, descriptors);
}

}  // namespace warpwright::compact

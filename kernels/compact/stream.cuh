// compact/stream: tiles go through a ring of stages in shared memory: what they keep is counted as soon as they are
// there, and written some rounds later, when it is known where to. From sm_90.
#pragma once

#include "kernels/block/ring.cuh"
#include "kernels/compact/predicates.cuh"
#include "kernels/compact/slab.cuh"
#include "kernels/compact/store.cuh"

namespace warpwright::compact {

struct stream_params {
  int compute_warps = 8;
  int look_back_warps = 2;
  int coarsening = 16;   ///< elements of a tile per compute thread
  int vector_width = 2;  ///< elements per access to shared memory
  int stages = 7;        ///< tiles in the ring
  int delay = 4;         ///< rounds between a tile's count and its end
  block::restore restore = block::restore::last_block;
  compact::store store = compact::store::direct;
  bool operator==(const stream_params&) const = default;
};

namespace detail {

/// Writes what a slab keeps to `to`, by way of `stage` in shared memory, so that accesses end where a line of 32
/// elements does; so many elements of the first line are before `to`. How many it keeps, for every lane.
template <class Slab, class T>
__device__ __forceinline__ int store_staged(const Slab& ranked, T* stage, T* to, int of_line_before) {
  const int kept = ranked.store(stage);
  __syncwarp();
  for (int i = static_cast<int>(threadIdx.x) % 32 - of_line_before; i < kept; i += 32)
    if (i >= 0) to[i] = stage[i];
  return kept;
}

}  // namespace detail

/// Writes the elements of in[0..n) that Predicate keeps to out, in their order, and nothing behind them; *count becomes
/// their number. Cooperative launch of block::ring_threads threads in no more blocks than there are tiles of
/// compute_warps * 32 * coarsening elements; dynamic shared memory for `stages` tiles. Every tile has a descriptor,
/// zero before the launch; so is *departed, and both are after it with restore::last_block. `in` is aligned to 16
/// bytes.
template <class T, class Predicate, stream_params P>
__global__ void __launch_bounds__(block::ring_threads(block::ring_of(P)), 1)
    stream(const T* __restrict__ in, T* __restrict__ out, long long* count, unsigned long long* descriptors,
           unsigned* departed, long long n) {
  using part = slab<T, Predicate, P.coarsening, P.vector_width>;
  constexpr bool kStages = P.store == store::staged;
  using ring = block::ring<part, block::add, long long, block::ring_of(P), kStages>;
  extern __shared__ __align__(16) unsigned char stages[];
  __shared__ typename ring::board shared;
  ring mine(shared, reinterpret_cast<T*>(stages), in, descriptors, n);
  mine.run([=](const part& ranked, long long first, long long before, T* stage) {
    int kept;
    if constexpr (kStages)
      kept = detail::store_staged(ranked, stage, out + before, static_cast<int>(before % 32));
    else
      kept = ranked.store(out + before);
    const bool holds_the_last = first < n && n <= first + part::size;
    if (holds_the_last && threadIdx.x % 32 == 0) *count = before + kept;
  });
  if constexpr (P.restore == block::restore::last_block) mine.restore(departed);
}

}  // namespace warpwright::compact

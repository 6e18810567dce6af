// scan/stream: tiles go through a ring of stages in shared memory. They are combined as soon as they arrive, and
// scanned and stored some rounds later, when their prefix is known. From sm_90.
#pragma once

#include "kernels/block/ring.cuh"
#include "kernels/scan/warp_part.cuh"

namespace warpwright::scan {

struct stream_params {
  int compute_warps = 8;
  int look_back_warps = 2;
  int coarsening = 8;    ///< elements of a tile per compute thread
  int vector_width = 4;  ///< elements per access
  int stages = 6;        ///< tiles in the ring
  int delay = 4;         ///< rounds between a tile's combination and its scan
  block::restore restore = block::restore::last_block;
  bool operator==(const stream_params&) const = default;
};

/// Scans in[0..n) into out[0..n). Cooperative launch of block::ring_threads threads in no more blocks than there are
/// tiles of compute_warps * 32 * coarsening elements; dynamic shared memory for `stages` tiles. Descriptors and
/// *departed are as those of decoupled_lookback. `in` and `out` are aligned to 16 bytes.
template <class T, class Op, kind Kind, stream_params P>
__global__ void __launch_bounds__(block::ring_threads(block::ring_of(P)), 1)
    stream(const T* __restrict__ in, T* __restrict__ out, unsigned long long* descriptors, unsigned* departed,
           long long n) {
  using part = warp_part<T, Op, P.coarsening, P.vector_width>;
  using ring = block::ring<part, Op, T, block::ring_of(P)>;
  __shared__ typename ring::shared_storage shared;
  ring mine(shared, detail::dynamic_shared<T>(), in, descriptors, n);
  mine.run([=](const part& scanned, long long first, T before) {
    scanned.template store<Kind>(out + first, n - first, before);
  });
  if constexpr (P.restore == block::restore::last_block) mine.restore(departed);
}

}  // namespace warpwright::scan

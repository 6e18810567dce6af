// compact/stream: tiles go through a ring of stages in shared memory. The kept elements are counted, and with
// store::staged packed, as soon as a tile arrives. They are written some rounds later, when their position in the
// output is known. From sm_90.
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
  int delay = 4;         ///< rounds between the count of a tile and its output
  block::restore restore = block::restore::last_block;
  compact::store store = compact::store::direct;
  bool operator==(const stream_params&) const = default;
};

namespace detail {

/// Called by a warp. Copies `kept` elements of shared memory to `to`, such that accesses end at multiples of 32
/// elements; `of_line_before` elements of the first line lie before `to`.
template <class T>
__device__ __forceinline__ void copy_out(const T* packed, int kept, T* to, int of_line_before) {
  constexpr int kTogether = 4;
  const int at = static_cast<int>(threadIdx.x) % 32 - of_line_before;
  const T* from = packed + at;
  to += at;
  if (at >= 0 && at < kept) *to = *from;
  int left = kept - at - 32;  // counted from this lane's element of the second line
  for (from += 32, to += 32; left > 32 * (kTogether - 1); left -= 32 * kTogether) {
    T held[kTogether];
#pragma unroll
    for (int i = 0; i != kTogether; ++i) held[i] = from[32 * i];
#pragma unroll
    for (int i = 0; i != kTogether; ++i) to[32 * i] = held[i];
    from += 32 * kTogether;
    to += 32 * kTogether;
  }
#pragma unroll
  for (int i = 0; i != kTogether - 1; ++i)
    if (left > 32 * i) to[32 * i] = from[32 * i];
}

}  // namespace detail

/// Writes the elements of in[0..n) that Predicate keeps to out, in order; *count becomes their number, and nothing is
/// written after them. Cooperative launch of block::ring_threads threads in no more blocks than there are tiles of
/// compute_warps * 32 * coarsening elements; dynamic shared memory for `stages` tiles. Every tile has a descriptor.
/// Descriptors and *departed are zero before the launch; with restore::last_block also after it. `in` is aligned to 16
/// bytes.
template <class T, class Predicate, stream_params P>
__global__ void __launch_bounds__(block::ring_threads(block::ring_of(P)), 1)
    stream(const T* __restrict__ in, T* __restrict__ out, long long* count, unsigned long long* descriptors,
           unsigned* departed, long long n) {
  using part = slab<T, Predicate, P.coarsening, P.vector_width>;
  constexpr bool kPacks = P.store == store::staged;
  using ring = block::ring<part, block::add, long long, block::ring_of(P), kPacks>;
  extern __shared__ __align__(16) unsigned char stages[];
  __shared__ typename ring::shared_storage shared;
  ring mine(shared, reinterpret_cast<T*>(stages), in, descriptors, n);
  const auto say = [=](long long first, long long up_to) {
    const bool holds_the_last = first < n && n <= first + part::size;
    if (holds_the_last && threadIdx.x % 32 == 0) *count = up_to;
  };
  if constexpr (kPacks) {
    mine.run([=](const T* packed, int kept, long long first, long long before) {
      detail::copy_out(packed, kept, out + before, static_cast<int>(before % 32));
      say(first, before + kept);
    });
  } else {
    mine.run([=](const part& ranked, long long first, long long before) {
      say(first, before + ranked.store(out + before));
    });
  }
  if constexpr (P.restore == block::restore::last_block) mine.restore(departed);
}

}  // namespace warpwright::compact

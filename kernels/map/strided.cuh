// map/strided: z = alpha x + y, one element per access, in an order that shows the effect of coalescing.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::map {

/// Which elements the lanes of a warp access together.
enum class access {
  contiguous,  ///< neighbours, starting at a multiple of the warp size
  permuted,    ///< the same, in another order of lanes
  offset,      ///< neighbours, starting `step` elements before a multiple of the warp size
  strided,     ///< every `step`-th element
  broadcast    ///< all lanes read the same element, one element after another; each keeps its own
};

struct strided_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements per thread
  map::access access = map::access::contiguous;
  int step = 0;  ///< length of an offset or stride in elements; 0 for the other orders
  bool operator==(const strided_params&) const = default;
};

/// The element of a thread in group number `group` of block_size elements. With an offset, the first elements have
/// negative numbers.
template <strided_params P>
__device__ __forceinline__ long long element_of(long long group, int thread) {
  constexpr long long kBlock = P.block_size;
  if constexpr (P.access == access::permuted)
    return group * kBlock + thread / 32 * 32 + thread * 5 % 32;
  else if constexpr (P.access == access::offset)
    return group * kBlock + thread - P.step;
  else if constexpr (P.access == access::strided)
    return group / P.step * (kBlock * P.step) + static_cast<long long>(thread) * P.step + group % P.step;
  else
    return group * kBlock + thread;
}

/// z[i] = alpha * x[i] + y[i], rounded once, for i < count. Grid: one block per `coarsening` groups of block_size
/// elements. With an offset there is one group more if it leaves a remainder; with strides the number of groups is a
/// multiple of `step`.
template <class T, strided_params P>
__global__ void __launch_bounds__(P.block_size)
    strided(const T* __restrict__ x, const T* __restrict__ y, T* __restrict__ z, T alpha, long long count) {
  const int thread = static_cast<int>(threadIdx.x);
  T held_x[P.coarsening];
  T held_y[P.coarsening];
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long group = static_cast<long long>(blockIdx.x) * P.coarsening + i;
    const long long at = element_of<P>(group, thread);
    if constexpr (P.access == access::broadcast) {
      const int lane = thread % 32;
      held_x[i] = held_y[i] = T(0);
#pragma unroll 8
      for (int other = 0; other < 32; ++other) {
        const long long read = at - lane + other;
        if (read >= count) break;
        const T one_x = x[read];
        const T one_y = y[read];
        held_x[i] = lane == other ? one_x : held_x[i];
        held_y[i] = lane == other ? one_y : held_y[i];
      }
    } else {
      if (at >= 0 && at < count) {
        held_x[i] = x[at];
        held_y[i] = y[at];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < P.coarsening; ++i) {
    const long long group = static_cast<long long>(blockIdx.x) * P.coarsening + i;
    const long long at = element_of<P>(group, thread);
    if (at >= 0 && at < count) z[at] = fma(alpha, held_x[i], held_y[i]);
  }
}

}  // namespace warpwright::map

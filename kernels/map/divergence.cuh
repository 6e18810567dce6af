// map/divergence: every element takes one of several branches (ways); the lanes of a warp take different ones, or all
// the same.
#pragma once

#include "kernels/map/ways.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::map {

/// Which elements the lanes of a warp process.
enum class chosen_by {
  lane,  ///< neighbours, which take different ways: accesses are coalesced, and the warp diverges
  warp   ///< elements of one way, every `ways`-th: no divergence
};

/// How a thread selects its way.
enum class choice {
  cases,    ///< a switch
  halving,  ///< binary search: each comparison leaves half of the ways
  all       ///< computes all ways and keeps one result: no divergence
};

struct divergence_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements per thread
  map::chosen_by chosen_by = map::chosen_by::lane;
  map::choice choice = map::choice::cases;
  bool operator==(const divergence_params&) const = default;
};

/// The element of a thread of the grid. With chosen_by::warp, a group of 32 * ways neighbours is shared by `ways`
/// warps.
template <chosen_by By>
__device__ __forceinline__ long long element_of_thread(long long thread, int ways) {
  if constexpr (By == chosen_by::lane) {
    return thread;
  } else {
    const long long warp = thread / 32;
    return warp / ways * (32LL * ways) + thread % 32 * ways + warp % ways;
  }
}

/// z[i] = x[i] after way i % ways, for i < count. Grid: one block per block_size * coarsening elements, rounded up to
/// whole groups of 32 * ways elements for chosen_by::warp.
template <class T, divergence_params P>
__global__ void __launch_bounds__(P.block_size)
    divergence(const T* __restrict__ x, T* __restrict__ z, int ways, long long count) {
#pragma unroll 1
  for (int i = 0; i < P.coarsening; ++i) {
    const long long group = static_cast<long long>(blockIdx.x) * P.coarsening + i;
    const long long at = element_of_thread<P.chosen_by>(group * P.block_size + threadIdx.x, ways);
    if (at >= count) continue;
    const int way = way_of(at, ways);
    if constexpr (P.choice == choice::cases)
      z[at] = passed_by_case(x[at], way);
    else if constexpr (P.choice == choice::halving)
      z[at] = passed_by_halving<0, kMostWays>(x[at], way);
    else
      z[at] = passed_by_all<0>(x[at], way, ways);
  }
}

}  // namespace warpwright::map

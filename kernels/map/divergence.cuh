// map/divergence: every element goes one of several ways; the lanes of a warp go different ones, or all the same.
#pragma once

#include "kernels/map/ways.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::map {

/// Which elements the lanes of a warp have.
enum class chosen_by {
  lane,  ///< neighbours, which go different ways: accesses are coalesced, and the warp diverges
  warp   ///< those of one way: every `ways`-th element, and no divergence
};

/// How a thread finds its way.
enum class choice {
  cases,    ///< a switch
  halving,  ///< comparisons, each with half of the ways
  all       ///< it goes them all, and keeps one result: nothing diverges
};

struct divergence_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements a thread
  map::chosen_by chosen_by = map::chosen_by::lane;
  map::choice choice = map::choice::cases;
  bool operator==(const divergence_params&) const = default;
};

/// The element of a thread of the grid. By warp 32 * ways neighbours are those of `ways` warps.
template <chosen_by By>
__device__ __forceinline__ long long element_of_thread(long long thread, int ways) {
  if constexpr (By == chosen_by::lane) {
    return thread;
  } else {
    const long long warp = thread / 32;
    return warp / ways * (32LL * ways) + thread % 32 * ways + warp % ways;
  }
}

/// z[i] = x[i] after way i % ways, for i < count. Grid: one block per block_size * coarsening elements, for whole
/// groups of 32 * ways elements by warp.
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

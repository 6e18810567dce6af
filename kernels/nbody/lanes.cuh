// Several bodies per lane; each warp reads tiles of the other bodies from its own slice of shared memory.
#pragma once

#include "kernels/nbody/attract.cuh"

namespace warpwright::nbody {

/// The sizes of a warp's work: a group of 32 * bodies_per_thread bodies, and tiles of `tile` bodies.
struct tiling {
  int bodies_per_thread;
  int tile;
  int unroll;
};

__host__ __device__ constexpr int bodies_of_group(const tiling& s) {
  return 32 * s.bodies_per_thread;
}

/// Numbers in the shared-memory slices of this many warps.
__host__ __device__ constexpr int slice_elements(const tiling& s, int warps) {
  return 4 * s.tile * warps;
}

/// Numbers in the group sums of this many warps.
__host__ __device__ constexpr int sum_elements(const tiling& s, int warps) {
  return 3 * bodies_of_group(s) * warps;
}

/// Numbers in shared memory for this many warps: sums reuse the memory of the slices.
__host__ __device__ constexpr int held_elements(const tiling& s, int warps) {
  return slice_elements(s, warps) > sum_elements(s, warps) ? slice_elements(s, warps) : sum_elements(s, warps);
}

/// The bodies of one lane: positions, and the sums of forces so far.
template <class T, tiling S>
struct lane_bodies {
  T pull[S.bodies_per_thread][3];
  T place[S.bodies_per_thread][3];

  /// The number of the lane's body c within the group.
  static __device__ __forceinline__ int number(int c) { return c * 32 + static_cast<int>(threadIdx.x) % 32; }

  /// The bodies of a group, with sums of zero; after the last body, some at the origin.
  __device__ __forceinline__ lane_bodies(const T* __restrict__ bodies, long long group, long long count) {
#pragma unroll
    for (int c = 0; c < S.bodies_per_thread; ++c) {
      const long long own = group * bodies_of_group(S) + number(c);
      body<T> mine{};
      if (own < count) mine = load_vector<4>(bodies + 4 * own);
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        place[c][axis] = mine[axis];
        pull[c][axis] = T(0);
      }
    }
  }

  /// Adds the forces of all bodies of a tile. The warp's slice has room for it; after the last body it holds some
  /// without mass.
  __device__ __forceinline__ void add_tile(T* slice, const T* __restrict__ bodies, long long tile, T softening_squared,
                                           long long count) {
    const long long first = tile * S.tile;
    __syncwarp();
#pragma unroll
    for (int at = static_cast<int>(threadIdx.x) % 32; at < S.tile; at += 32) {
      body<T> other{};
      if (first + at < count) other = load_vector<4>(bodies + 4 * (first + at));
      store_vector(slice + 4 * at, other);
    }
    __syncwarp();
#pragma unroll S.unroll
    for (int at = 0; at < S.tile; ++at) {
      const body<T> by = load_vector<4>(slice + 4 * at);
#pragma unroll
      for (int c = 0; c < S.bodies_per_thread; ++c) attract<root::hardware>(pull[c], place[c], by, softening_squared);
    }
  }
};

/// Warp w of a block takes the tiles w, w + Warps, ... Then one thread calls use(e, sum) for each number e = 3 i + axis
/// of the bodies i of group `blockIdx.x`, with the force of all bodies. The sums of warps are added in order, so
/// results have the same bits in each run. `held` has room for the slices, and then for the sums, of all warps.
template <tiling S, int Warps, class T, class Use>
__device__ __forceinline__ void for_each_sum(T* held, const T* __restrict__ bodies, T softening_squared,
                                             long long count, Use use) {
  constexpr int kSums = sum_elements(S, 1);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const long long tiles = (count + S.tile - 1) / S.tile;
  lane_bodies<T, S> mine(bodies, blockIdx.x, count);
  for (long long tile = warp; tile < tiles; tile += Warps)
    mine.add_tile(held + slice_elements(S, warp), bodies, tile, softening_squared, count);
  __syncthreads();
#pragma unroll
  for (int c = 0; c < S.bodies_per_thread; ++c)
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) held[warp * kSums + 3 * mine.number(c) + axis] = mine.pull[c][axis];
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < kSums; at += 32 * Warps) {
    const long long number = static_cast<long long>(blockIdx.x) * kSums + at;
    if (number >= 3 * count) return;
    T sum = held[at];
#pragma unroll
    for (int other = 1; other < Warps; ++other) sum += held[other * kSums + at];
    use(number, sum);
  }
}

}  // namespace warpwright::nbody

// How warps go over keys: vectors in flight together, then what is left of them key by key.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::histogram {

/// Calls use(key, true) for the keys of in[0..count) that warp number `warp` of `warps` looks after. All lanes of the
/// warp call it together, so that it may hold warp operations; use(Key(0), false) is the call of a lane whose key does
/// not exist. A chunk is 32 * Vector * Coarsening keys, of which a lane loads Coarsening vectors before it uses the
/// first. `in` is aligned to vectors.
template <int Vector, int Coarsening, class Key, class Use>
__device__ __forceinline__ void visit_keys(const Key* __restrict__ in, long long count, long long warp, long long warps,
                                           Use use) {
  constexpr int kChunk = 32 * Vector * Coarsening;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long chunks = count / kChunk;
#pragma unroll 1
  for (long long chunk = warp; chunk < chunks; chunk += warps) {
    const Key* const from = in + chunk * kChunk + lane * Vector;
    vec<Key, Vector> held[Coarsening];
#pragma unroll
    for (int i = 0; i < Coarsening; ++i) held[i] = load_vector<Vector>(from + i * 32 * Vector);
#pragma unroll
    for (int i = 0; i < Coarsening; ++i)
#pragma unroll
      for (int k = 0; k < Vector; ++k) use(held[i][k], true);
  }
#pragma unroll 1
  for (long long first = chunks * kChunk + warp * 32; first < count; first += warps * 32) {
    const bool present = first + lane < count;
    use(present ? in[first + lane] : Key(0), present);
  }
}

/// The same for the warps of a whole grid of blocks of BlockSize threads.
template <int BlockSize, int Vector, int Coarsening, class Key, class Use>
__device__ __forceinline__ void visit_keys_of_grid(const Key* __restrict__ in, long long count, Use use) {
  constexpr int kWarps = BlockSize / 32;
  visit_keys<Vector, Coarsening>(in, count, static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / 32,
                                 static_cast<long long>(gridDim.x) * kWarps, use);
}

}  // namespace warpwright::histogram

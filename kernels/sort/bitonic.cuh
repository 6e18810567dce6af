// sort/bitonic: Batcher's network, within a tile in shared memory, and beyond it by steps over all keys. Every
// comparison puts the greater key last, so missing keys would never move and need no placeholder. Source: K. Batcher,
// Sorting Networks and Their Applications, AFIPS 1968.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

struct bitonic_params {
  int block_size = 256;
  int coarsening = 4;  ///< keys per thread
  int bank_pad = 0;    ///< keys added after every 32 in shared memory
  int fused = 2;       ///< most steps over all keys per launch
  bool operator==(const bitonic_params&) const = default;
};

/// Number of keys in a block's tile.
__host__ __device__ constexpr int bitonic_tile(const bitonic_params& p) {
  return p.block_size * p.coarsening;
}

namespace detail {

/// The tile that begins at `begin` in an array of n keys, in dynamic shared memory.
template <class T, bitonic_params P>
class bitonic_block {
  static constexpr int kTile = bitonic_tile(P);

 public:
  __device__ __forceinline__ bitonic_block(T* shared, bit_range range, long long begin, long long n)
      : shared_(shared), compared_(range), present_(static_cast<int>(min(n - begin, static_cast<long long>(kTile)))) {}

  __device__ __forceinline__ void load(const T* from) {
    for (int i = static_cast<int>(threadIdx.x); i < present_; i += P.block_size) at(i) = from[i];
    __syncthreads();
  }
  __device__ __forceinline__ void store(T* to) {
    for (int i = static_cast<int>(threadIdx.x); i < present_; i += P.block_size) to[i] = at(i);
  }

  /// Merges two sorted runs of `half` keys into one; the first step compares the second run in reverse.
  __device__ __forceinline__ void join(int half) {
    for (int pair = static_cast<int>(threadIdx.x); pair < kTile / 2; pair += P.block_size) {
      const int run = pair / half * 2 * half;
      compare(run + pair % half, run + 2 * half - 1 - pair % half);
    }
    __syncthreads();
  }
  /// The steps after the first of a merge: compares over `distance`, half of it, and so on down to neighbours.
  __device__ __forceinline__ void finish(int distance) {
    for (; distance > 0; distance /= 2) {
      for (int pair = static_cast<int>(threadIdx.x); pair < kTile / 2; pair += P.block_size) {
        const int low = pair / distance * 2 * distance + pair % distance;
        compare(low, low + distance);
      }
      __syncthreads();
    }
  }

 private:
  __device__ __forceinline__ T& at(int i) { return shared_[block::padded<P.bank_pad>(i)]; }
  __device__ __forceinline__ void compare(int low, int high) {
    if (high >= present_) return;
    const T first = at(low);
    const T second = at(high);
    if (compared_.of(first) <= compared_.of(second)) return;
    at(low) = second;
    at(high) = first;
  }

  T* shared_;
  compared_bits<T> compared_;
  int present_;
};

}  // namespace detail

/// Sorts each tile of keys[0..n). Grid: one block per tile.
template <class T, bitonic_params P>
__global__ void __launch_bounds__(P.block_size)
    bitonic(const T* __restrict__ keys, T* __restrict__ out, bit_range range, long long n) {
  extern __shared__ __align__(16) unsigned char staging[];
  const long long begin = static_cast<long long>(blockIdx.x) * bitonic_tile(P);
  detail::bitonic_block<T, P> tile(reinterpret_cast<T*>(staging), range, begin, n);
  tile.load(keys + begin);
  for (int half = 1; half < bitonic_tile(P); half *= 2) {
    tile.join(half);
    tile.finish(half / 2);
  }
  tile.store(out + begin);
}

/// The last steps of a merge, over distances within a tile. Grid: one block per tile.
template <class T, bitonic_params P>
__global__ void __launch_bounds__(P.block_size) bitonic_finish(T* keys, bit_range range, long long n) {
  extern __shared__ __align__(16) unsigned char staging[];
  const long long begin = static_cast<long long>(blockIdx.x) * bitonic_tile(P);
  detail::bitonic_block<T, P> tile(reinterpret_cast<T*>(staging), range, begin, n);
  tile.load(keys + begin);
  tile.finish(bitonic_tile(P) / 2);
  tile.store(keys + begin);
}

/// `Steps` steps of a merge over all keys: compares over `distance`, half of it, and so on. If `joins` is not 0, the
/// first step compares the second half of each run of 2 * distance keys in reverse. Each thread holds 2^Steps keys,
/// which are 2 * distance / 2^Steps = 2^log_gap apart. Grid: one thread per 2^Steps keys, for the number of keys
/// rounded up to a multiple of 2 * distance.
template <class T, int Steps, bitonic_params P>
__global__ void __launch_bounds__(P.block_size)
    bitonic_steps(T* keys, bit_range range, int joins, int log_gap, long long n) {
  constexpr int kHeld = 1 << Steps;
  const compared_bits<T> compared(range);
  const long long group = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  const long long run = group >> log_gap << (log_gap + Steps);
  const long long within = group - (group >> log_gap << log_gap);
  T held[kHeld];
  long long at[kHeld];
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const bool is_mirrored = joins != 0 && k >= kHeld / 2;
    at[k] =
        is_mirrored ? run + ((k + 1LL) << log_gap) - 1 - within : run + (static_cast<long long>(k) << log_gap) + within;
    if (at[k] < n) held[k] = keys[at[k]];
  }
#pragma unroll
  for (int step = 0; step < Steps; ++step) {
    const int distance = kHeld >> (step + 1);
#pragma unroll
    for (int low = 0; low < kHeld; ++low) {
      if ((low & distance) != 0) continue;
      const int high = joins != 0 && step == 0 ? kHeld - 1 - low : low + distance;
      if (at[high] >= n || compared.of(held[low]) <= compared.of(held[high])) continue;
      const T less = held[high];
      held[high] = held[low];
      held[low] = less;
    }
  }
#pragma unroll
  for (int k = 0; k < kHeld; ++k)
    if (at[k] < n) keys[at[k]] = held[k];
}

}  // namespace warpwright::sort

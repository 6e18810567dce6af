// sort/bitonic: Batcher's network, in shared memory as far as a tile reaches and by steps over all keys beyond. Every
// comparison puts the greater key behind, so keys that are not there would stay where they are: nothing stands for
// them. Source: K. Batcher, Sorting Networks and Their Applications, AFIPS 1968.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/sort/keys.cuh"

namespace warpwright::sort {

struct bitonic_params {
  int block_size = 256;
  int coarsening = 4;  ///< keys per thread
  int bank_pad = 0;    ///< keys after every 32 in shared memory
  int fused = 2;       ///< steps over all keys that a launch takes together, at most
  bool operator==(const bitonic_params&) const = default;
};

/// Keys of a block's tile.
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

  /// Two sorted runs of `half` keys become one: the second is compared backwards.
  __device__ __forceinline__ void join(int half) {
    for (int pair = static_cast<int>(threadIdx.x); pair < kTile / 2; pair += P.block_size) {
      const int run = pair / half * 2 * half;
      compare(run + pair % half, run + 2 * half - 1 - pair % half);
    }
    __syncthreads();
  }
  /// Sorts what a join left: comparisons over `distance`, and half of it, down to neighbours.
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

/// Sorts each tile of keys[0..n). Grid: a block for each tile.
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

/// The last steps of a join, over distances within a tile. Grid: a block for each tile.
template <class T, bitonic_params P>
__global__ void __launch_bounds__(P.block_size) bitonic_finish(T* keys, bit_range range, long long n) {
  extern __shared__ __align__(16) unsigned char staging[];
  const long long begin = static_cast<long long>(blockIdx.x) * bitonic_tile(P);
  detail::bitonic_block<T, P> tile(reinterpret_cast<T*>(staging), range, begin, n);
  tile.load(keys + begin);
  tile.finish(bitonic_tile(P) / 2);
  tile.store(keys + begin);
}

/// So many steps of a join over all keys: comparisons over `distance`, and halves of it. Of runs of 2 * distance keys
/// the first of the steps compares the second half backwards if `joins` is not 0. Each thread holds 2^Steps keys, which
/// are 2 * distance / 2^Steps = 2^log_gap apart. Grid: a thread for each 2^Steps of the keys up to a multiple of 2 *
/// distance.
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

// eigen/jacobi_block: the threads of a block rotate the row pairs of one matrix.
#pragma once

#include "kernels/eigen/team.cuh"
#include "kernels/eigen/team_storage.cuh"

namespace warpwright::eigen {

struct jacobi_block_params {
  int block_size = 128;
  int bank_pad = 1;  ///< entries added after each column in shared memory
  int unroll = 1;    ///< rotations of a thread in flight together
  where matrix_in = where::shared;
  where vectors_in = where::shared;
  sweep_order order = sweep_order::round_robin;
  bool operator==(const jacobi_block_params&) const = default;
};

/// All threads of a one-dimensional block of whole warps.
template <int BlockSize>
struct block_team {
  static __device__ __forceinline__ constexpr int size() { return BlockSize; }
  __device__ __forceinline__ int rank() const { return static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ void sync() const { __syncthreads(); }
  __device__ __forceinline__ bool any(bool is_so) const { return __syncthreads_or(is_so ? 1 : 0) != 0; }
  /// To be called once only.
  template <class T>
  __device__ __forceinline__ T largest(T one) const {
    return over_warps(warp_team<32>{}.largest(one), [](T a, T b) { return fmax(a, b); });
  }
  /// To be called once only.
  template <class T>
  __device__ __forceinline__ T sum(T term) const {
    return over_warps(warp_team<32>{}.sum(term), [](T a, T b) { return a + b; });
  }

 private:
  template <class T, class Join>
  __device__ __forceinline__ T over_warps(T of_own, Join join) const {
    __shared__ T of_warps[BlockSize / 32];
    if (rank() % 32 == 0) of_warps[rank() / 32] = of_own;
    __syncthreads();
    T all = of_warps[0];
#pragma unroll
    for (int warp = 1; warp < BlockSize / 32; ++warp) all = join(all, of_warps[warp]);
    return all;
  }
};

/// Computes values and vectors, one matrix per block. `scratch` has the squares of each matrix that lie in global
/// memory; the size of dynamic shared memory is `shared_bytes`.
template <class T, entries E, int N, jacobi_block_params P>
__global__ void __launch_bounds__(P.block_size)
    jacobi_block(const T* __restrict__ matrix, T* __restrict__ values, T* __restrict__ vectors, T* scratch) {
  constexpr layout kLayout{P.matrix_in, P.vectors_in, P.bank_pad};
  const auto storage = storage_of<T, E, N, kLayout>(0, 1, blockIdx.x, scratch);
  const long long at = blockIdx.x;
  constexpr int kSquare = parts<E> * N * N;
  decompose<P.order, P.unroll>(block_team<P.block_size>{}, storage, matrix + at * kSquare, values + at * N,
                               vectors + at * kSquare);
}

}  // namespace warpwright::eigen

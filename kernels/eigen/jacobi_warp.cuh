// eigen/jacobi_warp: some lanes of a warp rotate the pairs of one matrix.
#pragma once

#include "kernels/eigen/team.cuh"
#include "kernels/eigen/team_storage.cuh"

namespace warpwright::eigen {

struct jacobi_warp_params {
  int block_size = 128;
  int lanes = 32;    ///< lanes per matrix
  int bank_pad = 1;  ///< entries added after each column
  int unroll = 1;    ///< rotations of a lane in flight together
  where vectors_in = where::shared;
  sweep_order order = sweep_order::round_robin;
  bool operator==(const jacobi_warp_params&) const = default;
};

/// Computes values and vectors of `matrices` matrices. Grid: block_size / lanes matrices per block. `scratch` has a
/// square for each matrix if vectors lie in global memory; the size of dynamic shared memory is `shared_bytes`.
template <class T, entries E, int N, jacobi_warp_params P>
__global__ void __launch_bounds__(P.block_size) jacobi_warp(const T* __restrict__ matrix, T* __restrict__ values,
                                                            T* __restrict__ vectors, T* scratch, long long matrices) {
  constexpr layout kLayout{where::shared, P.vectors_in, P.bank_pad};
  const warp_team<P.lanes> team;
  const int place = team.lanes.meta_group_rank();
  const long long at = static_cast<long long>(blockIdx.x) * (P.block_size / P.lanes) + place;
  if (at >= matrices) return;
  const auto storage = storage_of<T, E, N, kLayout>(place, P.block_size / P.lanes, at, scratch);
  constexpr int kSquare = parts<E> * N * N;
  decompose<P.order, P.unroll>(team, storage, matrix + at * kSquare, values + at * N, vectors + at * kSquare);
}

}  // namespace warpwright::eigen

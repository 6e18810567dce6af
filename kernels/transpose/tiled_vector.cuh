// transpose/tiled_vector: like tiled, with vector accesses to global memory on both sides.
#pragma once

#include "kernels/transpose/tile.cuh"

namespace warpwright::transpose {

struct tiled_vector_params {
  int tile_dim = 64;
  int vectors_per_thread = 4;  ///< vectors per thread on each side
  int vector_width = 4;        ///< elements per access to global memory
  int bank_pad = 1;            ///< elements added to each row of the tile
  tile_order order = tile_order::along_rows;
  bool operator==(const tiled_vector_params&) const = default;
};

/// out[column][row] = in[row][column] for a row-major rows x columns matrix. A side whose row length is a multiple of
/// vector_width is accessed by vectors, the other by single elements.
template <class T, tiled_vector_params P>
__global__ void __launch_bounds__(P.tile_dim* P.tile_dim / (P.vector_width * P.vectors_per_thread))
    tiled_vector(const T* __restrict__ in, T* __restrict__ out, long long rows, long long columns) {
  constexpr int kVector = P.vector_width;
  constexpr int kVectorsPerRow = P.tile_dim / kVector;
  constexpr int kThreads = P.tile_dim * P.tile_dim / (kVector * P.vectors_per_thread);
  constexpr int kRowStep = kThreads / kVectorsPerRow;
  static_assert(kThreads % kVectorsPerRow == 0, "the block moves whole rows of the tile at a time");
  __shared__ T tile[P.tile_dim][P.tile_dim + P.bank_pad];

  const tile_origin origin = locate_tile<P.tile_dim, P.order, long long>(rows, columns);
  const int slow = static_cast<int>(threadIdx.x) / kVectorsPerRow;
  const int fast = static_cast<int>(threadIdx.x) % kVectorsPerRow * kVector;

  // Rows of the input become rows of the tile.
  vec<T, kVector> held[P.vectors_per_thread];
  const bool vector_reads = columns % kVector == 0 && origin.column + fast + kVector <= columns;
#pragma unroll
  for (int i = 0; i < P.vectors_per_thread; ++i) {
    const long long row = origin.row + slow + i * kRowStep;
    if (row >= rows) continue;
    const T* from = in + row * columns + origin.column + fast;
    if (vector_reads) {
      held[i] = load_vector<kVector>(from);
    } else {
      for (int k = 0; k < kVector; ++k)
        if (origin.column + fast + k < columns) held[i][k] = from[k];
    }
  }
#pragma unroll
  for (int i = 0; i < P.vectors_per_thread; ++i)
#pragma unroll
    for (int k = 0; k < kVector; ++k)
      if (origin.row + slow + i * kRowStep < rows && origin.column + fast + k < columns)
        tile[slow + i * kRowStep][fast + k] = held[i][k];
  __syncthreads();

  // Columns of the tile become rows of the output.
  const bool vector_writes = rows % kVector == 0 && origin.row + fast + kVector <= rows;
#pragma unroll
  for (int i = 0; i < P.vectors_per_thread; ++i) {
    const long long column = origin.column + slow + i * kRowStep;
    if (column >= columns) continue;
    T* to = out + column * rows + origin.row + fast;
    if (vector_writes) {
      vec<T, kVector> gathered;
#pragma unroll
      for (int k = 0; k < kVector; ++k) gathered[k] = tile[fast + k][slow + i * kRowStep];
      store_vector(to, gathered);
    } else {
#pragma unroll 1
      for (int k = 0; k < kVector; ++k)
        if (origin.row + fast + k < rows) to[k] = tile[fast + k][slow + i * kRowStep];
    }
  }
}

}  // namespace warpwright::transpose

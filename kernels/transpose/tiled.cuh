// transpose/tiled: a square tile goes through shared memory, so that reads and writes are both coalesced.
#pragma once

#include "kernels/transpose/tile.cuh"

namespace warpwright::transpose {

struct tiled_params {
  int tile_dim = 32;
  int coarsening = 4;  ///< rows of the tile per thread
  int bank_pad = 1;    ///< elements added to each row of the tile
  tile_order order = tile_order::along_rows;
  bool operator==(const tiled_params&) const = default;
};

/// out[column][row] = in[row][column] for a row-major rows x columns matrix.
/// Source: G. Ruetsch, P. Micikevicius, Optimizing Matrix Transpose in CUDA, NVIDIA, 2009.
template <class T, tiled_params P>
__global__ void __launch_bounds__(P.tile_dim* P.tile_dim / P.coarsening)
    tiled(const T* __restrict__ in, T* __restrict__ out, long long rows, long long columns) {
  constexpr int kRowStep = P.tile_dim / P.coarsening;
  static_assert(P.tile_dim % P.coarsening == 0, "each thread moves whole rows of the tile");
  __shared__ T tile[P.tile_dim][P.tile_dim + P.bank_pad];

  const tile_origin origin = locate_tile<P.tile_dim, P.order>(rows, columns);
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);

#pragma unroll
  for (int i = 0; i < P.tile_dim; i += kRowStep) {
    const long long row = origin.row + y + i;
    const long long column = origin.column + x;
    if (row < rows && column < columns) tile[y + i][x] = in[row * columns + column];
  }
  __syncthreads();

#pragma unroll
  for (int i = 0; i < P.tile_dim; i += kRowStep) {
    const long long row = origin.row + x;
    const long long column = origin.column + y + i;
    if (row < rows && column < columns) out[column * rows + row] = tile[x][y + i];
  }
}

}  // namespace warpwright::transpose

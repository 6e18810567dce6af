// scan/three_kernel: the first kernel only combines each tile, their totals are scanned, and the last kernel reads the
// tiles again and scans each one with its prefix. A param chooses how blocks scan. The other kernels with three kernels
// scan the tiles first, and then add the prefixes to the results.
#pragma once

#include "kernels/block/blelloch.cuh"
#include "kernels/block/brent_kung.cuh"
#include "kernels/block/coarsened.cuh"
#include "kernels/block/kogge_stone.cuh"
#include "kernels/scan/register_tile.cuh"
#include "kernels/scan/section_tile.cuh"
#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

/// How the elements of a tile are scanned: in registers, or by an algorithm of block/.
enum class block_scan { warp_shuffle, coarsened, kogge_stone, brent_kung, blelloch };

/// For P.block_scan and a tile of block_size * coarsening elements: its shared memory, and the number of combinations
/// between an element and a result, without the prefix before the tile.
template <class P>
__host__ __device__ constexpr block::section_cost three_kernel_cost(const P& p) {
  const int size = p.block_size * p.coarsening;
  switch (p.block_scan) {
    case block_scan::coarsened:
      return block::coarsened_cost(size, p.block_size, p.bank_pad);
    case block_scan::kogge_stone:
      return block::kogge_stone_cost(size);
    case block_scan::brent_kung:
      return block::brent_kung_cost(size, p.bank_pad);
    case block_scan::blelloch:
      return block::blelloch_cost(size, p.bank_pad, 32);
    default:
      return register_tile_cost(p.coarsening, p.vector_width);
  }
}

namespace detail {

template <block_scan By, int Size, int Threads, int Pad>
struct chosen_section {
  using type = block::coarsened<Size, Threads, Pad>;
};
template <int Size, int Threads, int Pad>
struct chosen_section<block_scan::kogge_stone, Size, Threads, Pad> {
  using type = block::kogge_stone<Size, Threads>;
};
template <int Size, int Threads, int Pad>
struct chosen_section<block_scan::brent_kung, Size, Threads, Pad> {
  using type = block::brent_kung<Size, Threads, block::mapping::contiguous, Pad>;
};

template <int Size, int Threads, int Pad>
struct chosen_section<block_scan::blelloch, Size, Threads, Pad> {
  using type = block::blelloch<Size, Threads, Pad, 32>;
};

template <class T, class Op, auto P, block_scan By>
struct chosen_tile {
  using section = typename chosen_section<By, P.block_size * P.coarsening, P.block_size, P.bank_pad>::type;
  using type = section_tile<T, Op, P.block_size, P.vector_width, section>;
};
template <class T, class Op, auto P>
struct chosen_tile<T, Op, P, block_scan::warp_shuffle> {
  using type = register_tile<T, Op, P.block_size, P.coarsening, P.vector_width>;
};

}  // namespace detail

/// The tile type for P.block_scan; three_kernel_cost is its cost.
template <class T, class Op, auto P>
using tile_of = typename detail::chosen_tile<T, Op, P, P.block_scan>::type;

struct three_kernel_params {
  int block_size = 256;
  int coarsening = 8;    ///< elements per thread
  int vector_width = 4;  ///< elements per global access
  scan::block_scan block_scan = scan::block_scan::warp_shuffle;
  int bank_pad = 0;  ///< elements added after every 32 of a section in shared memory
  bool operator==(const three_kernel_params&) const = default;
};

/// Scans the totals, in tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, three_kernel_params P>
__global__ void __launch_bounds__(P.block_size) three_kernel(const T* in, T* out, T* totals, long long n) {
  scan_tile<tile_of<T, Op, P>, Kind>(in, out, totals, n);
}

/// totals[tile] = the combination of the tile's elements of in[0..n). Grid: one block per tile.
template <class T, class Op, three_kernel_params P>
__global__ void __launch_bounds__(P.block_size) three_kernel_totals(const T* in, T* totals, long long n) {
  using tile_type = tile_of<T, Op, P>;
  const long long first = static_cast<long long>(blockIdx.x) * tile_type::size;
  tile_type tile;
  tile.load(in + first, n - first, detail::dynamic_shared<T>());
  const T total = tile.scan();
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

/// Scans every tile of in[0..n) with the prefix before[tile] into out[0..n), which may be the same array.
template <class T, class Op, kind Kind, three_kernel_params P>
__global__ void __launch_bounds__(P.block_size) three_kernel_behind(const T* in, T* out, const T* before, long long n) {
  using tile_type = tile_of<T, Op, P>;
  const long long first = static_cast<long long>(blockIdx.x) * tile_type::size;
  tile_type tile;
  tile.load(in + first, n - first, detail::dynamic_shared<T>());
  tile.scan();
  tile.template store<Kind, position::behind>(out + first, n - first, before[blockIdx.x]);
}

}  // namespace warpwright::scan

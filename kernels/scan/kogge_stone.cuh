// scan/kogge_stone: in log2 steps every element is combined with the one 1, 2, 4, ... places before it, in a
// shared-memory section. Sections are scanned by three kernels.
#pragma once

#include "kernels/block/hillis_steele.cuh"
#include "kernels/block/kogge_stone.cuh"
#include "kernels/scan/section_tile.cuh"
#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

/// How a level separates what it reads from what it writes.
enum class buffering {
  temporary,     ///< in registers, between two barriers
  double_buffer  ///< levels alternate between two arrays, with one barrier each
};

struct kogge_stone_params {
  int block_size = 256;
  int coarsening = 2;    ///< elements of the section per thread
  int vector_width = 2;  ///< elements per global access
  scan::buffering buffering = scan::buffering::double_buffer;
  bool operator==(const kogge_stone_params&) const = default;
};

namespace detail {

template <int Size, int Threads, buffering Buffering>
struct buffered_section {
  using type = block::kogge_stone<Size, Threads>;
};
template <int Size, int Threads>
struct buffered_section<Size, Threads, buffering::double_buffer> {
  using type = block::hillis_steele<Size, Threads>;
};

}  // namespace detail

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, kogge_stone_params P>
__global__ void __launch_bounds__(P.block_size) kogge_stone(const T* in, T* out, T* totals, long long n) {
  using section = typename detail::buffered_section<P.block_size * P.coarsening, P.block_size, P.buffering>::type;
  scan_tile<section_tile<T, Op, P.block_size, P.vector_width, section>, Kind>(in, out, totals, n);
}

}  // namespace warpwright::scan

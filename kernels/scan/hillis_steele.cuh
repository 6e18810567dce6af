// scan/hillis_steele: in log2 steps every element is combined with the one 1, 2, 4, ... places before it. Each step is
// a launch over the whole array, or a pass over a section in shared memory.
#pragma once

#include "kernels/block/hillis_steele.cuh"
#include "kernels/scan/section_tile.cuh"
#include "kernels/scan/three_kernel_scheme.cuh"

namespace warpwright::scan {

/// Where the two arrays are between which the steps alternate.
enum class memory {
  global,  ///< the whole array, a launch for each step
  shared   ///< each block has a section of the array; sections are scanned by three kernels
};

struct hillis_steele_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements per thread
  scan::memory memory = scan::memory::global;
  bool operator==(const hillis_steele_params&) const = default;
};

/// One step over the whole array: to[i] = from[i], combined with the element 2^(first_level + index) places before it,
/// for i < n. An exclusive step reads the left neighbour of each element. Grid: one block for block_size * coarsening
/// elements. Source: W. Hillis, G. Steele, Communications of the ACM 29 (1986).
template <class T, class Op, kind Kind, hillis_steele_params P>
__global__ void __launch_bounds__(P.block_size)
    hillis_steele(const T* __restrict__ from, T* __restrict__ to, int first_level, int index, long long n) {
  const long long distance = 1LL << (first_level + index);
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x;
#pragma unroll
  for (int k = 0; k != P.coarsening; ++k) {
    const long long i = first + k * P.block_size;
    if (i >= n) return;
    const long long own = Kind == kind::inclusive ? i : i - 1;
    T value = own >= 0 ? detail::element_of<Op>(from[own]) : Op::template identity<T>();
    if (own >= distance) value = Op::combine(detail::element_of<Op>(from[own - distance]), value);
    to[i] = value;
  }
}

/// Scans tiles of block_size * coarsening elements: see scan_tile.
template <class T, class Op, kind Kind, hillis_steele_params P>
__global__ void __launch_bounds__(P.block_size) hillis_steele_section(const T* in, T* out, T* totals, long long n) {
  using section = block::hillis_steele<P.block_size * P.coarsening, P.block_size>;
  scan_tile<section_tile<T, Op, P.block_size, 1, section>, Kind>(in, out, totals, n);
}

}  // namespace warpwright::scan

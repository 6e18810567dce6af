// scan/hillis_steele: in log2 steps every element is combined with the one 1, 2, 4, ... places before it. Each step is
// a launch over the whole array. scan/kogge_stone does the same within sections in shared memory.
#pragma once

#include "kernels/scan/tile.cuh"

namespace warpwright::scan {

struct hillis_steele_params {
  int block_size = 256;
  int coarsening = 1;  ///< elements per thread
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

}  // namespace warpwright::scan

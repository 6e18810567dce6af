// scan/naive: every thread combines a whole prefix, element by element: n (n - 1) / 2 combinations.
#pragma once

#include "kernels/scan/tile.cuh"

namespace warpwright::scan {

struct naive_params {
  int block_size = 256;
  int coarsening = 1;  ///< prefixes per thread
  int unroll = 4;      ///< elements in flight
  bool operator==(const naive_params&) const = default;
};

/// out[i] = the combination of in[0..i], or in[0..i) if exclusive, for i < n. Grid: one block for block_size *
/// coarsening prefixes.
template <class T, class Op, kind Kind, naive_params P>
__global__ void __launch_bounds__(P.block_size) naive(const T* __restrict__ in, T* __restrict__ out, long long n) {
  constexpr int kUnroll = P.unroll;
  const long long first = static_cast<long long>(blockIdx.x) * P.block_size * P.coarsening + threadIdx.x;
  for (int k = 0; k != P.coarsening; ++k) {
    const long long i = first + k * P.block_size;
    if (i >= n) return;
    const long long end = Kind == kind::inclusive ? i + 1 : i;
    T value = Op::template identity<T>();
    if (end > 0) value = detail::element_of<Op>(in[0]);
#pragma unroll kUnroll
    for (long long j = 1; j < end; ++j) value = Op::combine(value, in[j]);
    out[i] = value;
  }
}

}  // namespace warpwright::scan

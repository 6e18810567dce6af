// The plain scan in wider arithmetic that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/block/operators.cuh"
#include "kernels/block/reduce.cuh"
#include "kernels/block/scan.cuh"

namespace warpwright::scan {

namespace detail {

/// in[i] as type Wide (with Magnitude its absolute value); empty for a NaN that Op ignores.
template <class Wide, class Op, bool Magnitude, class T>
__device__ __forceinline__ Wide wide_element(const T* in, long long i) {
  Wide element = static_cast<Wide>(in[i]);
  if constexpr (Op::ignores_nan) element = Op::combine(Op::template identity<Wide>(), element);
  return Magnitude && element < Wide(0) ? -element : element;
}

}  // namespace detail

/// totals[block] = combination of the block's elements of in[0..n); those of block b begin at b * per_block. Blocks of
/// 256 threads.
template <class T, class Wide, class Op, bool Magnitude>
__global__ void __launch_bounds__(256) reference_totals(const T* in, Wide* totals, long long per_block, long long n) {
  const long long begin = blockIdx.x * per_block;
  Wide value = Op::template identity<Wide>();
  for (long long i = begin + threadIdx.x; i < begin + per_block && i < n; i += 256)
    value = Op::combine(value, detail::wide_element<Wide, Op, Magnitude>(in, i));
  value = block::reduce_shuffle<Op, 256>(value);
  if (threadIdx.x == 0) totals[blockIdx.x] = value;
}

/// Exclusive scan of totals[0..count) in place. One thread.
template <class Wide, class Op>
__global__ void reference_before(Wide* totals, long long count) {
  Wide before = Op::template identity<Wide>();
  for (long long i = 0; i < count; ++i) {
    const Wide own = totals[i];
    totals[i] = before;
    before = Op::combine(before, own);
  }
}

/// The scan of in[0..n); before[block] is the combination of all elements before the block's.
template <class T, class Wide, class Op, bool Inclusive, bool Magnitude>
__global__ void __launch_bounds__(256)
    reference_scan(const T* in, const Wide* before, Wide* out, long long per_block, long long n) {
  const long long begin = blockIdx.x * per_block;
  Wide carry = before[blockIdx.x];
  for (long long first = begin; first < begin + per_block && first < n; first += 256) {
    const long long i = first + threadIdx.x;
    const bool is_there = i < begin + per_block && i < n;
    const Wide own = is_there ? detail::wide_element<Wide, Op, Magnitude>(in, i) : Op::template identity<Wide>();
    const block::scanned<Wide> scanned =
        Inclusive ? block::inclusive_scan<Op, 256>(own) : block::exclusive_scan<Op, 256>(own);
    if (is_there) out[i] = Op::combine(carry, scanned.value);
    carry = Op::combine(carry, scanned.total);
    __syncthreads();
  }
}

}  // namespace warpwright::scan

// Block-level scans over a user's associative operator, shared by kernels. The operator need not commute.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// Addition, for counts and offsets that do not overflow.
struct add {
  template <class T>
  static __device__ __forceinline__ T identity() {
    return T(0);
  }
  template <class T>
  static __device__ __forceinline__ T combine(T a, T b) {
    return a + b;
  }
};

/// Each lane of a full warp gets the combination of the values of all lanes up to its own. Depth 5. Source: P. Kogge,
/// H. Stone, IEEE Transactions on Computers C-22 (1973).
template <class Op, class T>
__device__ __forceinline__ T inclusive_scan_warp(T value) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int delta = 1; delta != 32; delta *= 2) {
    const T before = __shfl_up_sync(0xffffffffU, value, delta);
    if (lane >= delta) value = Op::combine(before, value);
  }
  return value;
}

/// The combination of all values before one's own, or including it, and the combination of all values.
template <class T>
struct scanned {
  T value;
  T total;
};

/// Exclusive scan of one value per warp, passed by lane 31, in a one-dimensional block of BlockSize threads, a multiple
/// of 32. All lanes get the result of their warp. Contains one barrier; the storage may be written again only after
/// another barrier.
template <class Op, int BlockSize, class T>
__device__ __forceinline__ scanned<T> scan_warps(T of_warp) {
  constexpr int kWarps = BlockSize / 32;
  static_assert(BlockSize % 32 == 0 && kWarps <= 32, "whole warps, as many as one warp can scan");
  __shared__ T totals[kWarps];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;

  if (lane == 31) totals[warp] = of_warp;
  __syncthreads();
  const T up_to_lane = inclusive_scan_warp<Op>(lane < kWarps ? totals[lane] : Op::template identity<T>());
  const T before_warp = __shfl_sync(0xffffffffU, up_to_lane, (warp + 31) % 32);
  return {warp == 0 ? Op::template identity<T>() : before_warp, __shfl_sync(0xffffffffU, up_to_lane, 31)};
}

/// Scan of one value per thread of such a block: each gets the combination of the values up to its own. Depth at most
/// 11; one barrier, as in scan_warps.
template <class Op, int BlockSize, class T>
__device__ __forceinline__ scanned<T> inclusive_scan(T value) {
  const T in_warp = inclusive_scan_warp<Op>(value);
  const scanned<T> warps = scan_warps<Op, BlockSize>(in_warp);
  return {Op::combine(warps.value, in_warp), warps.total};
}

/// The same without the thread's own value: the first thread gets the identity.
template <class Op, int BlockSize, class T>
__device__ __forceinline__ scanned<T> exclusive_scan(T value) {
  const T in_warp = inclusive_scan_warp<Op>(value);
  const scanned<T> warps = scan_warps<Op, BlockSize>(in_warp);
  const T before = __shfl_up_sync(0xffffffffU, in_warp, 1);
  return {threadIdx.x % 32 == 0 ? warps.value : Op::combine(warps.value, before), warps.total};
}

}  // namespace warpwright::block

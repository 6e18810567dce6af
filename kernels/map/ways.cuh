// The ways of op=switch: 32 chains of operations that a compiler cannot merge; every compiler rounds them alike.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::map {

inline constexpr int kMostWays = 32;
inline constexpr int kWayOperations = 16;

/// x after way number `Way`: kWayOperations times, a number is added to half of x or subtracted from it, as the bits of
/// `Way` say. Halving a float is exact here, so contraction changes nothing; halves of integers are truncated.
template <int Way, class T>
__host__ __device__ inline T passed(T x) {
  static_assert(Way >= 0 && Way < kMostWays);
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int k = 0; k < kWayOperations; ++k) {
    const T half = x / T(2);
    const T number = T(Way + k + 1);
    x = (Way >> (k % 5) & 1) != 0 ? number - half : number + half;
  }
  return x;
}

/// The same for a way that is known only at run time, by a loop.
template <class T>
__host__ __device__ inline T passed_along(T x, int way) {
  for (int k = 0; k < kWayOperations; ++k) {
    const T half = x / T(2);
    const T number = T(way + k + 1);
    x = (way >> (k % 5) & 1) != 0 ? number - half : number + half;
  }
  return x;
}

/// The way of element i of `ways` ways.
__host__ __device__ inline int way_of(long long i, int ways) {
  return static_cast<int>(i % ways);
}

/// x after a way that a switch selects.
template <class T>
__host__ __device__ inline T passed_by_case(T x, int way) {
  switch (way) {
    case 0:
      return passed<0>(x);
    case 1:
      return passed<1>(x);
    case 2:
      return passed<2>(x);
    case 3:
      return passed<3>(x);
    case 4:
      return passed<4>(x);
    case 5:
      return passed<5>(x);
    case 6:
      return passed<6>(x);
    case 7:
      return passed<7>(x);
    case 8:
      return passed<8>(x);
    case 9:
      return passed<9>(x);
    case 10:
      return passed<10>(x);
    case 11:
      return passed<11>(x);
    case 12:
      return passed<12>(x);
    case 13:
      return passed<13>(x);
    case 14:
      return passed<14>(x);
    case 15:
      return passed<15>(x);
    case 16:
      return passed<16>(x);
    case 17:
      return passed<17>(x);
    case 18:
      return passed<18>(x);
    case 19:
      return passed<19>(x);
    case 20:
      return passed<20>(x);
    case 21:
      return passed<21>(x);
    case 22:
      return passed<22>(x);
    case 23:
      return passed<23>(x);
    case 24:
      return passed<24>(x);
    case 25:
      return passed<25>(x);
    case 26:
      return passed<26>(x);
    case 27:
      return passed<27>(x);
    case 28:
      return passed<28>(x);
    case 29:
      return passed<29>(x);
    case 30:
      return passed<30>(x);
    default:
      return passed<31>(x);
  }
}

/// x after a way that binary search selects among `Count` ways from `First` on.
template <int First, int Count, class T>
__host__ __device__ inline T passed_by_halving(T x, int way) {
  if constexpr (Count == 1) {
    return passed<First>(x);
  } else {
    if (way < First + Count / 2) return passed_by_halving<First, Count / 2>(x, way);
    return passed_by_halving<First + Count / 2, Count / 2>(x, way);
  }
}

/// x after one of the ways [First, ways); all of them are computed, and one result is selected.
template <int First, class T>
__host__ __device__ inline T passed_by_all(T x, int way, int ways) {
  if constexpr (First == kMostWays) {
    return x;
  } else {
    if (First >= ways) return x;
    const T mine = passed<First>(x);
    const T others = passed_by_all<First + 1>(x, way, ways);
    return way == First ? mine : others;
  }
}

}  // namespace warpwright::map

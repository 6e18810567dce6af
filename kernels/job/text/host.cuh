// What functions on the CPU may use of CUDA's host headers, with CUDA installed or not: vector types, dim3, halves, min
// and max.
#pragma once

#ifndef __CUDACC__  // nvcc has them

#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/cpu_model/vector_types.cuh"

namespace warpwright::cuda {

/// CUDA's own for the CPU. As templates, since a source may have others, which are then taken.
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmin(static_cast<T>(a), static_cast<T>(b));
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmax(static_cast<T>(a), static_cast<T>(b));
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

}  // namespace warpwright::cuda

using namespace warpwright::cuda;
using warpwright::bfloat16;
using warpwright::float16;
using half = float16;
using __half = float16;
using __nv_bfloat16 = bfloat16;

#define __host__
#define __device__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#endif

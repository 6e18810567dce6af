// What functions on the CPU may use of CUDA's host headers, with CUDA installed or not: vector types, dim3, halves.
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
#include <utility>
#include <vector>

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/cpu_model/vector_types.cuh"

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

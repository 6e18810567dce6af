// Replaces <cuda_fp16.h> and <cuda_bf16.h> in the simulator: CUDA's half-precision types and functions.
// Replaces: cuda_fp16.h cuda_bf16.h
#pragma once

#include "kernels/runtime/cpu_model/half_arithmetic.cuh"
#include "kernels/runtime/cpu_model/half_conversions.cuh"
#include "kernels/runtime/cpu_model/half_types.cuh"

using namespace warpwright::cuda;

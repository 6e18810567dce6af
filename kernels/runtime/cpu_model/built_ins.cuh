// All of CUDA's built-in functions that need no header.
#pragma once

#include "kernels/runtime/cpu_model/atomics.cuh"
#include "kernels/runtime/cpu_model/cached.cuh"
#include "kernels/runtime/cpu_model/casts.cuh"
#include "kernels/runtime/cpu_model/classify.cuh"
#include "kernels/runtime/cpu_model/diagnostics.cuh"
#include "kernels/runtime/cpu_model/dynamic.cuh"
#include "kernels/runtime/cpu_model/elementary.cuh"
#include "kernels/runtime/cpu_model/extrema.cuh"
#include "kernels/runtime/cpu_model/fast.cuh"
#include "kernels/runtime/cpu_model/integers.cuh"
#include "kernels/runtime/cpu_model/packed.cuh"
#include "kernels/runtime/cpu_model/rounded.cuh"
#include "kernels/runtime/cpu_model/special.cuh"
#include "kernels/runtime/cpu_model/vector_types.cuh"
#include "kernels/runtime/cpu_model/warp.cuh"

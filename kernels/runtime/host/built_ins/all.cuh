// CUDA's built-in functions that need no header of CUDA's, all of them.
#pragma once

#include "kernels/runtime/host/built_ins/atomics.cuh"
#include "kernels/runtime/host/built_ins/cached.cuh"
#include "kernels/runtime/host/built_ins/casts.cuh"
#include "kernels/runtime/host/built_ins/classify.cuh"
#include "kernels/runtime/host/built_ins/diagnostics.cuh"
#include "kernels/runtime/host/built_ins/dynamic.cuh"
#include "kernels/runtime/host/built_ins/elementary.cuh"
#include "kernels/runtime/host/built_ins/extrema.cuh"
#include "kernels/runtime/host/built_ins/fast.cuh"
#include "kernels/runtime/host/built_ins/integers.cuh"
#include "kernels/runtime/host/built_ins/packed.cuh"
#include "kernels/runtime/host/built_ins/rounded.cuh"
#include "kernels/runtime/host/built_ins/special.cuh"
#include "kernels/runtime/host/built_ins/vector_types.cuh"
#include "kernels/runtime/host/built_ins/warp.cuh"

// CUDA C++ for the CPU's compiler: qualifiers, built-in variables, synchronisation, and warpwright's device functions,
// as the simulator models them. Without WARPWRIGHT_HOST_TARGET the same text only declares them, so that a program can
// read a kernel's Params.
#pragma once

#include "kernels/runtime/common/standard_names.cuh"
#include "kernels/runtime/cpu_model/async.cuh"
#include "kernels/runtime/cpu_model/index_types.cuh"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/cpu_model/vector_access.cuh"

// A module includes only the headers that its device code needs (header_index.hpp), since all take long to compile.
#ifndef WARPWRIGHT_HOST_TARGET
#include "kernels/runtime/cpu_model/built_ins.cuh"
#endif

// Functions called by a kernel are inlined if possible: a call that returns a struct into memory has no hook for that
// store, as with g++'s -fsanitize=thread; the inlined assignment has one. Functions that call a barrier are not
// inlined, as their callers matter: g++ never inlines what calls a function that "returns twice".
#define WARPWRIGHT_BARRIER __attribute__((returns_twice)) WARPWRIGHT_UNSEEN
#ifdef WARPWRIGHT_HOST_TARGET
#define __global__ inline __attribute__((flatten))
#else
#define __global__ inline
#endif
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline
// Empty, since headers of the C++ library use the word inside an attribute.
#define __noinline__
#define __managed__
#define __maxnreg__(...)
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
// For the compiler a __shared__ variable is thread-local, one per declaration and template instance. The module
// provides its address (module.cuh). Stores to it are seen even if nothing reads it.
#ifdef WARPWRIGHT_HOST_TARGET
#define __shared__ thread_local __attribute__((tls_model("global-dynamic"), used))
#else
#define __shared__ thread_local
#endif

#define threadIdx (::warpwright::simulator::thread_index())
#define blockIdx (::warpwright::simulator::block_index())
#define blockDim (::warpwright::simulator::block_extent())
#define gridDim (::warpwright::simulator::grid_extent())

namespace warpwright::simulator {

// Constant for the whole run of a thread, which is all that a compiler can see.
[[gnu::const]] WARPWRIGHT_UNSEEN inline cuda::uint3 thread_index() {
  const Index3 found = runtime->built_ins()->thread_index;
  return {found.x, found.y, found.z};
}
[[gnu::const]] WARPWRIGHT_UNSEEN inline cuda::uint3 block_index() {
  const Index3 found = runtime->built_ins()->block_index;
  return {found.x, found.y, found.z};
}
[[gnu::const]] WARPWRIGHT_UNSEEN inline cuda::dim3 block_extent() {
  const Index3 found = runtime->built_ins()->block_extent;
  return {found.x, found.y, found.z};
}
[[gnu::const]] WARPWRIGHT_UNSEEN inline cuda::dim3 grid_extent() {
  const Index3 found = runtime->built_ins()->grid_extent;
  return {found.x, found.y, found.z};
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

inline constexpr int warpSize = 32;

WARPWRIGHT_BARRIER inline void __syncthreads() {
  simulator::runtime->sync_threads(simulator::BarrierReduction::none, 0, __builtin_return_address(0),
                                   __builtin_frame_address(0));
}
WARPWRIGHT_BARRIER inline int __syncthreads_count(int predicate) {
  return simulator::runtime->sync_threads(simulator::BarrierReduction::count, predicate, __builtin_return_address(0),
                                          __builtin_frame_address(0));
}
WARPWRIGHT_BARRIER inline int __syncthreads_and(int predicate) {
  return simulator::runtime->sync_threads(simulator::BarrierReduction::all, predicate, __builtin_return_address(0),
                                          __builtin_frame_address(0));
}
WARPWRIGHT_BARRIER inline int __syncthreads_or(int predicate) {
  return simulator::runtime->sync_threads(simulator::BarrierReduction::any, predicate, __builtin_return_address(0),
                                          __builtin_frame_address(0));
}

WARPWRIGHT_UNSEEN inline void __threadfence() {
  simulator::runtime->fence(simulator::Scope::device, true, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __threadfence_block() {
  simulator::runtime->fence(simulator::Scope::block, true, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __threadfence_system() {
  simulator::runtime->fence(simulator::Scope::device, true, __builtin_return_address(0));
}

/// Checked in launches that may begin before the launch before them is complete.
WARPWRIGHT_UNSEEN inline void cudaGridDependencySynchronize() {
  simulator::runtime->wait_for_previous_launch();
}
/// In the simulator, the launch before is always complete.
inline void cudaTriggerProgrammaticLaunchCompletion() {}

/// Lets other threads run, as on a GPU. The time is ignored.
WARPWRIGHT_UNSEEN inline void __nanosleep(unsigned) {
  simulator::runtime->pause(__builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __trap() {
  simulator::runtime->trap(__builtin_return_address(0));
}

}  // namespace warpwright::cuda

namespace warpwright {

/// States that the code below needs all blocks of the grid to be resident together.
WARPWRIGHT_UNSEEN inline void require_cooperative_launch() {
  simulator::runtime->require_cooperative_launch(__builtin_return_address(0));
}

}  // namespace warpwright

using namespace warpwright::cuda;

namespace warpwright {
// Names found here hide functions of the same names that a standard header may have declared globally.
using namespace cuda;
}  // namespace warpwright

#ifdef WARPWRIGHT_HOST_TARGET
// The compiler's own names of these functions, which otherwise become calls of the C library that nobody sees.
#define WARPWRIGHT_SEEN(name, ...) \
  (__builtin_is_constant_evaluated() ? (__builtin_##name)(__VA_ARGS__) : ::warpwright::cuda::name(__VA_ARGS__))
#define __builtin_memcpy(...) WARPWRIGHT_SEEN(memcpy, __VA_ARGS__)
#define __builtin_memmove(...) WARPWRIGHT_SEEN(memmove, __VA_ARGS__)
#define __builtin_memset(...) WARPWRIGHT_SEEN(memset, __VA_ARGS__)
#endif

// Code without a model comes last, since it makes `asm` a macro.
#include "kernels/runtime/cpu_model/unmodelled.cuh"

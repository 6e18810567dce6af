// CUDA C++ for a host compiler: qualifiers, built-in variables, synchronisation, and warpwright's primitives, as the
// SIMT executor models them. Without WARPWRIGHT_HOST_TARGET the same text only declares them, so that Params can be
// read.
#pragma once

#include "kernels/runtime/common/standard_names.cuh"
#include "kernels/runtime/cpu_model/async.cuh"
#include "kernels/runtime/cpu_model/index_types.cuh"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/cpu_model/vector_access.cuh"

// A module includes what its device code names (offers.hpp), since all of them take long to read.
#ifndef WARPWRIGHT_HOST_TARGET
#include "kernels/runtime/cpu_model/built_ins.cuh"
#endif

// What a kernel calls becomes part of it, as far as that can be: a call's result that goes to memory has no hook
// (neither has it in g++'s -fsanitize=thread), the assignment that it becomes has. What calls a barrier stays a
// function, since who called it counts: g++ keeps what calls a function that "returns twice".
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
// Empty, since headers of the C++ library use the word within an attribute.
#define __noinline__
#define __managed__
#define __maxnreg__(...)
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// For the compiler a __shared__ variable is a thread-local one, one per declaration and template instance; the module
// itself says where it is (module.cuh). Even where nothing reads it, stores to it are seen.
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

// Constant for as long as a thread runs, which is all the time that a compiler can see.
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
  simulator::runtime->fence(simulator::Scope::device, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __threadfence_block() {
  simulator::runtime->fence(simulator::Scope::block, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __threadfence_system() {
  simulator::runtime->fence(simulator::Scope::device, __builtin_return_address(0));
}

/// Lets other threads run, as on a device; the time means nothing here.
WARPWRIGHT_UNSEEN inline void __nanosleep(unsigned) {
  simulator::runtime->pause(__builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __trap() {
  simulator::runtime->trap(__builtin_return_address(0));
}

}  // namespace warpwright::cuda

namespace warpwright {

/// Says that what follows needs all blocks of the grid to be resident together.
WARPWRIGHT_UNSEEN inline void require_cooperative_launch() {
  simulator::runtime->require_cooperative_launch(__builtin_return_address(0));
}

}  // namespace warpwright

using namespace warpwright::cuda;

namespace warpwright {
// Found here, CUDA's functions hide those of the same names that a standard header may have put into the global scope.
using namespace cuda;
}  // namespace warpwright

// What there is no model of comes last: it makes `asm` a macro.
#include "kernels/runtime/cpu_model/unmodelled.cuh"

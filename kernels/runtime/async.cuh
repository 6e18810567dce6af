// Asynchronous copies into shared memory for a device: groups that a thread waits for, and bulk copies that complete a
// phase of a barrier. Included by device.cuh.
#pragma once

#include "kernels/runtime/device.cuh"

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)

namespace warpwright {

/// Starts copying Bytes (4, 8 or 16) from global to shared memory, both aligned to Bytes. The copy is done after the
/// async_wait that covers its group; before sm_80 it is done at once.
template <int Bytes>
__device__ __forceinline__ void async_copy(void* shared_to, const void* global_from) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "an asynchronous copy moves 4, 8 or 16 bytes");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared_to));
  const auto from = __cvta_generic_to_global(global_from);
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
  }
#else
  using chunk = typename detail::chunk<Bytes>::type;
  *static_cast<chunk*>(shared_to) = *static_cast<const chunk*>(global_from);
#endif
}

/// Ends the group of this thread's asynchronous copies that were started since the last call.
__device__ __forceinline__ void async_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most Pending of this thread's latest groups are still under way. Other threads see the copies after a
/// barrier that follows.
template <int Pending>
__device__ __forceinline__ void async_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

/// A barrier in shared memory whose phases complete when as many threads have arrived as it was set up for, and as many
/// bytes as they said they expect. Phases are counted from 0; their parity is what one waits for. From sm_90.
using phase_barrier = unsigned long long;

namespace detail {

// A template, so that only a kernel that uses these primitives needs the architecture.
template <class T>
__device__ __forceinline__ unsigned shared_address(T* pointer) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T*) == 0 || __CUDA_ARCH__ >= 900, "barriers with phases and bulk copies need sm_90");
#endif
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

}  // namespace detail

/// Sets a barrier up, for `arrivals` of each phase. One thread calls it; others, and copies, use the barrier behind a
/// fence_async and a barrier of the block.
template <class T>
__device__ __forceinline__ void phase_init(T* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(detail::shared_address(barrier)), "r"(arrivals)
               : "memory");
}

/// Arrives. What the thread did before is visible to who waits for the phase.
template <class T>
__device__ __forceinline__ void phase_arrive(T* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(detail::shared_address(barrier)) : "memory");
}

/// Arrives, and says that the phase also waits for that many bytes of bulk copies.
template <class T>
__device__ __forceinline__ void phase_arrive_expect(T* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(detail::shared_address(barrier)),
               "r"(bytes)
               : "memory");
}

/// Whether the phase of that parity (0 or 1) has completed: the running one is of the other. It may take a while.
template <class T>
__device__ __forceinline__ bool phase_done(T* barrier, unsigned parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(detail::shared_address(barrier)), "r"(parity)
               : "memory");
  return done != 0;
}

/// Waits for the phase of that parity.
template <class T>
__device__ __forceinline__ void phase_wait(T* barrier, unsigned parity) {
  while (!phase_done(barrier, parity)) {
  }
}

/// Orders this thread's accesses to shared memory before asynchronous copies that follow.
template <class T = void>
__device__ __forceinline__ void fence_async() {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T*) == 0 || __CUDA_ARCH__ >= 900, "bulk copies need sm_90");
#endif
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Starts copying bytes, a multiple of 16, from global to shared memory, both 16-byte aligned. They are there when the
/// phase of the barrier that they are part of has completed, for who has waited for it.
template <class T>
__device__ __forceinline__ void bulk_copy(void* shared_to, const void* global_from, unsigned bytes, T* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(shared_to))),
               "l"(__cvta_generic_to_global(global_from)), "r"(bytes), "r"(detail::shared_address(barrier))
               : "memory");
}

}  // namespace warpwright

#endif

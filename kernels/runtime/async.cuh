// Asynchronous copies into shared memory: copies in groups that a thread waits for (cp.async), and bulk copies that
// complete a phase of a barrier (TMA). Included by device.cuh.
#pragma once

#include "kernels/runtime/common/tensor_map.cuh"
#include "kernels/runtime/device.cuh"

#if defined(__CUDACC__) && !defined(WARPWRIGHT_HOST_TARGET)

namespace warpwright {

/// Starts copying Bytes (4, 8 or 16) from global to shared memory, both aligned to Bytes. The copy is complete after
/// the async_wait for its group. Before sm_80 it is an ordinary copy.
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

/// Makes a group of all asynchronous copies that this thread has started since its last call of async_commit.
__device__ __forceinline__ void async_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most the Pending latest groups of this thread are still under way. Other threads see the copied data
/// only after a barrier that follows.
template <int Pending>
__device__ __forceinline__ void async_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

/// A barrier in shared memory (mbarrier). A phase completes when the expected number of threads have arrived, and all
/// bytes that they announced. Threads wait for the parity of a phase; phases count from 0. From sm_80, and with bulk
/// copies from sm_90.
using phase_barrier = unsigned long long;

namespace detail {

// A template, so that only kernels that use these functions need the architecture.
template <bool OfBulkCopies = false, class T>
__device__ __forceinline__ unsigned shared_address(T* pointer) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T*) == 0 || __CUDA_ARCH__ >= 800, "barriers with phases need sm_80");
  static_assert(!OfBulkCopies || sizeof(T*) == 0 || __CUDA_ARCH__ >= 900, "bulk copies need sm_90");
#endif
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

}  // namespace detail

/// Sets a barrier up for `arrivals` arrivals per phase. One thread calls it. Other threads and copies may use the
/// barrier after a fence_async and a barrier of the block.
template <class T>
__device__ __forceinline__ void phase_init(T* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(detail::shared_address(barrier)), "r"(arrivals)
               : "memory");
}

/// Arrives. A thread that waits for the phase sees everything that this thread did before.
template <class T>
__device__ __forceinline__ void phase_arrive(T* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(detail::shared_address(barrier)) : "memory");
}

/// Arrives when all copies that this thread has started by async_copy are complete. A thread that waits for the phase
/// sees what they copied; this thread need not wait for their groups.
template <class T>
__device__ __forceinline__ void phase_arrive_copied(T* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(detail::shared_address(barrier))
               : "memory");
}

/// Arrives, and makes the phase also wait for that many bytes of bulk copies.
template <class T>
__device__ __forceinline__ void phase_arrive_expect(T* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(detail::shared_address<true>(barrier)),
               "r"(bytes)
               : "memory");
}

/// The phase also waits for that many bytes of bulk copies. It does not arrive.
template <class T>
__device__ __forceinline__ void phase_expect(T* barrier, unsigned bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(detail::shared_address<true>(barrier)),
               "r"(bytes)
               : "memory");
}

/// Whether the phase of that parity (0 or 1) has completed. May block for a short time.
template <class T>
__device__ __forceinline__ bool phase_done(T* barrier, unsigned parity) {
  unsigned done;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#else
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#endif
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

/// Orders this thread's earlier accesses to shared memory before later bulk copies and products of warpgroups. Before
/// sm_90, where there are none, it does nothing.
template <class T = void>
__device__ __forceinline__ void fence_async() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Starts copying bytes, a multiple of 16, from global to shared memory, both 16-byte aligned. Threads that have waited
/// for the barrier's phase to complete see the copied data.
template <class T>
__device__ __forceinline__ void bulk_copy(void* shared_to, const void* global_from, unsigned bytes, T* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(shared_to))),
               "l"(__cvta_generic_to_global(global_from)), "r"(bytes), "r"(detail::shared_address<true>(barrier))
               : "memory");
}

/// Starts copying a box of a matrix, from that column and row on, to shared memory at a multiple of 128 bytes (1,024
/// for rows swizzled by 128 bytes, 512 by 64, 256 by 32). Rows of the box follow each other there; elements outside the
/// matrix are zeros. All bytes of the box count for the barrier. `from` is a parameter of the kernel; the column is a
/// multiple of 16 bytes.
template <class T>
__device__ __forceinline__ void bulk_copy_box(void* shared_to, const tensor_map& from, int column, int row,
                                              T* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared_to))),
      "l"(&from), "r"(column), "r"(row), "r"(detail::shared_address<true>(barrier))
      : "memory");
}

}  // namespace warpwright

#endif

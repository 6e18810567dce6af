// Asynchronous copies: into shared memory in groups that a thread waits for (cp.async), bulk copies that complete a
// phase of a barrier, and bulk copies back to global memory, in groups too (TMA). Included by device.cuh.
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
/// multiple of 16 bytes. For tensor maps of two dimensions.
template <class T>
__device__ __forceinline__ void bulk_copy_box(void* shared_to, const tensor_map& from, int column, int row,
                                              T* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared_to))),
      "l"(&from), "r"(column), "r"(row), "r"(detail::shared_address<true>(barrier))
      : "memory");
}

/// The same for a tensor map of N dimensions, from one to five. `first` is the box's first column, row, and so on.
template <int N, class T>
__device__ __forceinline__ void bulk_copy_box(void* shared_to, const tensor_map& from, const int (&first)[N],
                                              T* barrier) {
  static_assert(N >= 1 && N <= 5, "a tensor map has one to five dimensions");
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared_to));
  const unsigned of = detail::shared_address<true>(barrier);
  if constexpr (N == 1) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::
            "r"(to),
        "l"(&from), "r"(first[0]), "r"(of)
        : "memory");
  } else if constexpr (N == 2) {
    bulk_copy_box(shared_to, from, first[0], first[1], barrier);
  } else if constexpr (N == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], "
        "[%5];" ::"r"(to),
        "l"(&from), "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(of)
        : "memory");
  } else if constexpr (N == 4) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, "
        "%5}], [%6];" ::"r"(to),
        "l"(&from), "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(of)
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, "
        "%6}], [%7];" ::"r"(to),
        "l"(&from), "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(first[4]), "r"(of)
        : "memory");
  }
}

/// Starts copying bytes, a multiple of 16, from shared to global memory, both 16-byte aligned. Stores to shared memory
/// come before it if a fence_async follows them. The source may change after bulk_wait_reads; the thread, and who is
/// ordered behind it, sees the target after bulk_wait.
template <class T = void>
__device__ __forceinline__ void bulk_store(void* global_to, const void* shared_from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(global_to)),
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared_from))), "r"(bytes)
               : "memory");
}

/// The same for a box, with the rules of bulk_copy_box. Elements outside the matrix are not written. The box may end
/// outside the tensor, but it must not begin before it: a negative column, row or layer is an illegal instruction.
template <class T = void>
__device__ __forceinline__ void bulk_store_box(const tensor_map& to, int column, int row, const void* shared_from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
               "r"(column), "r"(row), "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared_from)))
               : "memory");
}

/// The same for a tensor map of N dimensions, from one to five.
template <int N>
__device__ __forceinline__ void bulk_store_box(const tensor_map& to, const int (&first)[N], const void* shared_from) {
  static_assert(N >= 1 && N <= 5, "a tensor map has one to five dimensions");
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(shared_from));
  if constexpr (N == 1) {
    asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%1}], [%2];" ::"l"(&to),
                 "r"(first[0]), "r"(from)
                 : "memory");
  } else if constexpr (N == 2) {
    bulk_store_box(to, first[0], first[1], shared_from);
  } else if constexpr (N == 3) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&to),
                 "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(from)
                 : "memory");
  } else if constexpr (N == 4) {
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&to),
                 "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(from)
                 : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(&to),
        "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(first[4]), "r"(from)
        : "memory");
  }
}

/// How bulk_reduce combines an element of the target with one of the source. increment: x >= y ? 0 : x + 1; decrement:
/// x == 0 or x > y ? y : x - 1 (as atomicInc and atomicDec).
enum class reduction { add, min, max, increment, decrement, bit_and, bit_or, bit_xor };

/// Like bulk_store, but combines each element of the target with one of the source, as an atomic operation (relaxed,
/// device scope) for each. For int, unsigned, long long and unsigned long long; `add` also for float and double, but
/// not for long long; increment and decrement for unsigned only.
template <reduction Op, class T>
__device__ __forceinline__ void bulk_reduce(T* global_to, const T* shared_from, unsigned bytes) {
  const auto to = __cvta_generic_to_global(global_to);
  const auto from = static_cast<unsigned>(__cvta_generic_to_shared(shared_from));
  constexpr bool kIsReal = static_cast<T>(0.5) != T(0), kIsWide = sizeof(T) == 8, kIsSigned = T(-1) < T(0);
  static_assert(!kIsReal || Op == reduction::add, "floats and doubles can only be added");
  static_assert(Op != reduction::add || kIsReal || !kIsWide || !kIsSigned, "add unsigned long long instead");
  static_assert((Op != reduction::increment && Op != reduction::decrement) || (!kIsWide && !kIsSigned),
                "only unsigned is incremented and decremented");
#define WARPWRIGHT_REDUCE(condition, operation)                                                              \
  if constexpr (condition)                                                                                   \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." operation " [%0], [%1], %2;" ::"l"(to), \
               "r"(from), "r"(bytes)                                                                         \
               : "memory")
#define WARPWRIGHT_REDUCE_INTEGERS(op, name)                                     \
  WARPWRIGHT_REDUCE(Op == op && !kIsReal && !kIsWide && kIsSigned, name "s32");  \
  WARPWRIGHT_REDUCE(Op == op && !kIsReal && !kIsWide && !kIsSigned, name "u32"); \
  WARPWRIGHT_REDUCE(Op == op && !kIsReal && kIsWide && !kIsSigned, name "u64")
  WARPWRIGHT_REDUCE_INTEGERS(reduction::add, "add.");
  WARPWRIGHT_REDUCE_INTEGERS(reduction::min, "min.");
  WARPWRIGHT_REDUCE_INTEGERS(reduction::max, "max.");
  WARPWRIGHT_REDUCE(Op == reduction::add && kIsReal && !kIsWide, "add.f32");
  WARPWRIGHT_REDUCE(Op == reduction::add && kIsReal && kIsWide, "add.f64");
  WARPWRIGHT_REDUCE(Op == reduction::min && kIsWide && kIsSigned, "min.s64");
  WARPWRIGHT_REDUCE(Op == reduction::max && kIsWide && kIsSigned, "max.s64");
  WARPWRIGHT_REDUCE(Op == reduction::increment, "inc.u32");
  WARPWRIGHT_REDUCE(Op == reduction::decrement, "dec.u32");
  WARPWRIGHT_REDUCE(Op == reduction::bit_and && !kIsWide, "and.b32");
  WARPWRIGHT_REDUCE(Op == reduction::bit_and && kIsWide, "and.b64");
  WARPWRIGHT_REDUCE(Op == reduction::bit_or && !kIsWide, "or.b32");
  WARPWRIGHT_REDUCE(Op == reduction::bit_or && kIsWide, "or.b64");
  WARPWRIGHT_REDUCE(Op == reduction::bit_xor && !kIsWide, "xor.b32");
  WARPWRIGHT_REDUCE(Op == reduction::bit_xor && kIsWide, "xor.b64");
#undef WARPWRIGHT_REDUCE_INTEGERS
#undef WARPWRIGHT_REDUCE
}

/// Makes a group of all bulk stores and reductions that this thread has started since its last call of bulk_commit.
template <class T = void>
__device__ __forceinline__ void bulk_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until at most the Pending latest groups of this thread are still under way.
template <int Pending>
__device__ __forceinline__ void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}

/// Waits until at most the Pending latest groups of this thread still read their sources. A thread does so before it
/// leaves the kernel.
template <int Pending>
__device__ __forceinline__ void bulk_wait_reads() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

}  // namespace warpwright

#endif

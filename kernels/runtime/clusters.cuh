// Clusters of blocks: their barrier, shared memory of the other blocks, and asynchronous copies and stores to it. From
// sm_90; the launch says how many blocks a cluster has.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright {

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)

WARPWRIGHT_UNSEEN inline void cluster_arrive() {
  simulator::runtime->cluster_arrive(true, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void cluster_wait() {
  simulator::runtime->cluster_wait(__builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void cluster_sync() {
  simulator::runtime->cluster_arrive(true, __builtin_return_address(0));
  simulator::runtime->cluster_wait(__builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline unsigned cluster_rank() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &at = known.block_index, &extent = known.cluster_extent;
  return at.x % extent.x + extent.x * (at.y % extent.y + extent.y * (at.z % extent.z));
}
WARPWRIGHT_UNSEEN inline unsigned cluster_blocks() {
  const simulator::Index3 extent = simulator::runtime->built_ins()->cluster_extent;
  return extent.x * extent.y * extent.z;
}
template <class T>
WARPWRIGHT_UNSEEN T* in_block_of_cluster(T* shared, unsigned rank) {
  return static_cast<T*>(simulator::runtime->map_shared(shared, rank, __builtin_return_address(0)));
}
WARPWRIGHT_UNSEEN inline void bulk_copy_multicast(void* shared_to, const void* global_from, unsigned bytes,
                                                  phase_barrier* barrier, unsigned short blocks) {
  simulator::runtime->bulk_copy(shared_to, global_from, bytes, barrier, blocks, __builtin_return_address(0));
}
template <int N>
WARPWRIGHT_UNSEEN void bulk_copy_box_multicast(void* shared_to, const tensor_map& from, const int (&first)[N],
                                               phase_barrier* barrier, unsigned short blocks) {
  static_assert(N == 2 || N == 3, "only these are written here");
  simulator::runtime->bulk_copy_box(shared_to, {&from, first, N}, barrier, blocks, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void bulk_copy_to_block(void* shared_to, const void* shared_from, unsigned bytes,
                                                 phase_barrier* barrier) {
  simulator::runtime->bulk_copy(shared_to, shared_from, bytes, barrier, 0, __builtin_return_address(0));
}
template <class T>
WARPWRIGHT_UNSEEN void store_async(T* shared_to, simulator::same<T> value, phase_barrier* barrier) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "st.async stores 4, 8 or 16 bytes");
  simulator::runtime->store_async(shared_to, &value, sizeof(T), barrier, __builtin_return_address(0));
}

#else

namespace detail {

// A template, so that only kernels that use these functions need the architecture.
template <class T>
__device__ __forceinline__ void need_clusters() {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T) == 0 || __CUDA_ARCH__ >= 900, "clusters of blocks need sm_90");
#endif
}

}  // namespace detail

/// Arrives at the barrier of the cluster. Each thread of its blocks arrives once, and then waits once.
template <class T = int>
__device__ __forceinline__ void cluster_arrive() {
  detail::need_clusters<T>();
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}

/// Waits until all threads of the cluster that have not left the kernel have arrived. What they did before is then
/// done.
template <class T = int>
__device__ __forceinline__ void cluster_wait() {
  detail::need_clusters<T>();
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

/// Both. Blocks call it before they use each other's shared memory, since others may not have started, and behind their
/// last use, since others must not have left.
template <class T = int>
__device__ __forceinline__ void cluster_sync() {
  cluster_arrive<T>();
  cluster_wait<T>();
}

/// The number of the block in its cluster.
template <class T = int>
__device__ __forceinline__ unsigned cluster_rank() {
  detail::need_clusters<T>();
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// Blocks of the cluster.
template <class T = int>
__device__ __forceinline__ unsigned cluster_blocks() {
  detail::need_clusters<T>();
  unsigned count;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  return count;
}

/// A place in shared memory of the caller's block, in the block of that rank.
template <class T>
__device__ __forceinline__ T* in_block_of_cluster(T* shared, unsigned rank) {
  detail::need_clusters<T>();
  T* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(shared), "r"(rank));
  return there;
}

/// As bulk_copy, to the same place in shared memory of several blocks: those whose bits are set in `blocks`. The bytes
/// count for the barrier at that place in each of them.
template <class T>
__device__ __forceinline__ void bulk_copy_multicast(void* shared_to, const void* global_from, unsigned bytes,
                                                    T* barrier, unsigned short blocks) {
  detail::need_clusters<T>();
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], "
      "%4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared_to))),
      "l"(__cvta_generic_to_global(global_from)), "r"(bytes), "r"(detail::shared_address<true>(barrier)), "h"(blocks)
      : "memory");
}

/// The same as bulk_copy_box, for tensor maps of two or three dimensions.
template <int N, class T>
__device__ __forceinline__ void bulk_copy_box_multicast(void* shared_to, const tensor_map& from, const int (&first)[N],
                                                        T* barrier, unsigned short blocks) {
  static_assert(N == 2 || N == 3, "only these are written here");
  detail::need_clusters<T>();
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared_to));
  const unsigned of = detail::shared_address<true>(barrier);
  if constexpr (N == 2) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%2, %3}], [%4], %5;" ::"r"(to),
        "l"(&from), "r"(first[0]), "r"(first[1]), "r"(of), "h"(blocks)
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
        "l"(&from), "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(of), "h"(blocks)
        : "memory");
  }
}

/// Starts copying bytes, a multiple of 16, from shared memory to that of another block. They count for the barrier,
/// which is in that block. Both places there are made by in_block_of_cluster.
template <class T>
__device__ __forceinline__ void bulk_copy_to_block(void* shared_to, const void* shared_from, unsigned bytes,
                                                   T* barrier) {
  detail::need_clusters<T>();
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(shared_to))),
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared_from))), "r"(bytes),
               "r"(detail::shared_address<true>(barrier))
               : "memory");
}

/// Stores a value of 4, 8 or 16 bytes to shared memory of another block. They count for the barrier, which is in that
/// block.
template <class T, class B>
__device__ __forceinline__ void store_async(T* shared_to, T value, B* barrier) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "st.async stores 4, 8 or 16 bytes");
  detail::need_clusters<T>();
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared_to));
  const unsigned of = detail::shared_address<true>(barrier);
  unsigned parts[sizeof(T) / 4];
  memcpy(parts, &value, sizeof value);
  if constexpr (sizeof(T) == 4) {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
                 "r"(parts[0]), "r"(of)
                 : "memory");
  } else if constexpr (sizeof(T) == 8) {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(to),
                 "r"(parts[0]), "r"(parts[1]), "r"(of)
                 : "memory");
  } else {
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
        "r"(parts[0]), "r"(parts[1]), "r"(parts[2]), "r"(parts[3]), "r"(of)
        : "memory");
  }
}

#endif

}  // namespace warpwright

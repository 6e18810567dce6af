// Clusters of blocks: their barrier, and shared memory of the other blocks. From sm_90; the launch says how many blocks
// a cluster has.
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

#endif

}  // namespace warpwright

// CUDA's functions of clusters in the simulator. kernels/runtime/clusters.cuh has warpwright's own.
// Declares: __cluster*
#pragma once

#include "kernels/runtime/cpu_model/index_types.cuh"
#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::cuda {

WARPWRIGHT_UNSEEN inline void __cluster_barrier_arrive() {
  simulator::runtime->cluster_arrive(true, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __cluster_barrier_arrive_relaxed() {
  simulator::runtime->cluster_arrive(false, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void __cluster_barrier_wait() {
  simulator::runtime->cluster_wait(__builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void* __cluster_map_shared_rank(const void* shared, unsigned rank) {
  return simulator::runtime->map_shared(shared, rank, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline unsigned __cluster_query_shared_rank(const void* shared) {
  return simulator::runtime->rank_of_shared(shared, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline dim3 __clusterDim() {
  const simulator::Index3 extent = simulator::runtime->built_ins()->cluster_extent;
  return {extent.x, extent.y, extent.z};
}
WARPWRIGHT_UNSEEN inline dim3 __clusterGridDimInClusters() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &grid = known.grid_extent, &extent = known.cluster_extent;
  return {grid.x / extent.x, grid.y / extent.y, grid.z / extent.z};
}
WARPWRIGHT_UNSEEN inline dim3 __clusterIdx() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &at = known.block_index, &extent = known.cluster_extent;
  return {at.x / extent.x, at.y / extent.y, at.z / extent.z};
}
WARPWRIGHT_UNSEEN inline dim3 __clusterRelativeBlockIdx() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &at = known.block_index, &extent = known.cluster_extent;
  return {at.x % extent.x, at.y % extent.y, at.z % extent.z};
}
WARPWRIGHT_UNSEEN inline unsigned __clusterRelativeBlockRank() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &at = known.block_index, &extent = known.cluster_extent;
  return at.x % extent.x + extent.x * (at.y % extent.y + extent.y * (at.z % extent.z));
}
WARPWRIGHT_UNSEEN inline unsigned __clusterSizeInBlocks() {
  const simulator::Index3 extent = simulator::runtime->built_ins()->cluster_extent;
  return extent.x * extent.y * extent.z;
}

}  // namespace warpwright::cuda

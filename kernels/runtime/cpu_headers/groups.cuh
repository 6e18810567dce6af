// CUDA's cooperative groups in the simulator: the block, the grid, and what all groups share.
#pragma once

#include "kernels/runtime/cpu_model/index_types.cuh"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/cpu_model/unmodelled.cuh"

namespace cooperative_groups {

using warpwright::cuda::dim3;

namespace details {

namespace simulator = warpwright::simulator;

/// The rank of the calling thread in its block, and of its lane in the warp.
WARPWRIGHT_UNSEEN inline unsigned rank_in_block() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &at = known.thread_index, &extent = known.block_extent;
  return at.x + extent.x * (at.y + extent.y * at.z);
}
WARPWRIGHT_UNSEEN inline unsigned lane() {
  return static_cast<unsigned>(__builtin_ctz(simulator::runtime->active_mask()));
}
WARPWRIGHT_UNSEEN inline unsigned block_size() {
  const simulator::Index3 extent = simulator::runtime->built_ins()->block_extent;
  return extent.x * extent.y * extent.z;
}
WARPWRIGHT_UNSEEN inline unsigned long long block_rank() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &at = known.block_index, &extent = known.grid_extent;
  return at.x + static_cast<unsigned long long>(extent.x) * (at.y + static_cast<unsigned long long>(extent.y) * at.z);
}
WARPWRIGHT_UNSEEN inline unsigned cluster_blocks() {
  const simulator::Index3 extent = simulator::runtime->built_ins()->cluster_extent;
  return extent.x * extent.y * extent.z;
}
/// The rank of the calling thread's block in its cluster.
WARPWRIGHT_UNSEEN inline unsigned rank_in_cluster() {
  const simulator::BuiltIns& known = *simulator::runtime->built_ins();
  const simulator::Index3 &at = known.block_index, &extent = known.cluster_extent;
  return at.x % extent.x + extent.x * (at.y % extent.y + extent.y * (at.z % extent.z));
}
WARPWRIGHT_UNSEEN inline unsigned long long grid_blocks() {
  const simulator::Index3 extent = simulator::runtime->built_ins()->grid_extent;
  return static_cast<unsigned long long>(extent.x) * extent.y * extent.z;
}

enum class Kind : unsigned { block, lanes, grid, cluster };

/// Waits for the group. `site` and `frame` are those of the function that device code called.
WARPWRIGHT_UNSEEN inline void wait_for(Kind kind, unsigned mask, const void* site, const void* frame) {
  if (kind == Kind::block) simulator::runtime->sync_threads(simulator::BarrierReduction::none, 0, site, frame);
  if (kind == Kind::lanes) simulator::runtime->warp({simulator::WarpOperation::sync, mask, 0, 32}, 0, site);
  if (kind == Kind::grid) simulator::runtime->sync_grid(site, frame);
  if (kind == Kind::cluster) {
    simulator::runtime->cluster_arrive(true, site);
    simulator::runtime->cluster_wait(site);
  }
}

}  // namespace details

/// Any group, for functions that accept all kinds.
class thread_group {
 public:
  WARPWRIGHT_UNSEEN void sync() const {
    details::wait_for(kind_, mask_, __builtin_return_address(0), __builtin_frame_address(0));
  }
  WARPWRIGHT_UNSEEN unsigned long long size() const {
    if (kind_ == details::Kind::lanes) return static_cast<unsigned>(__builtin_popcount(mask_));
    if (kind_ == details::Kind::cluster) return details::block_size() * details::cluster_blocks();
    return details::block_size() * (kind_ == details::Kind::grid ? details::grid_blocks() : 1);
  }
  WARPWRIGHT_UNSEEN unsigned long long num_threads() const { return size(); }
  WARPWRIGHT_UNSEEN unsigned long long thread_rank() const {
    if (kind_ == details::Kind::lanes)
      return static_cast<unsigned>(__builtin_popcount(mask_ & ((1u << details::lane()) - 1)));
    unsigned long long before = 0;  // blocks of the group
    if (kind_ == details::Kind::grid) before = details::block_rank();
    if (kind_ == details::Kind::cluster) before = details::rank_in_cluster();
    return before * details::block_size() + details::rank_in_block();
  }
  bool is_valid() const { return true; }

  /// Only for functions of this library.
  details::Kind simulated_kind() const { return kind_; }
  unsigned simulated_mask() const { return mask_; }

 protected:
  explicit thread_group(details::Kind kind, unsigned mask = 0) : kind_(kind), mask_(mask) {}

 private:
  details::Kind kind_;
  unsigned mask_;  ///< lanes
};

class thread_block : public thread_group {
 public:
  WARPWRIGHT_UNSEEN static void sync() {
    details::wait_for(details::Kind::block, 0, __builtin_return_address(0), __builtin_frame_address(0));
  }
  static unsigned size() { return details::block_size(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return details::rank_in_block(); }
  WARPWRIGHT_UNSEEN static dim3 group_index() {
    const details::simulator::Index3 at = details::simulator::runtime->built_ins()->block_index;
    return {at.x, at.y, at.z};
  }
  WARPWRIGHT_UNSEEN static dim3 thread_index() {
    const details::simulator::Index3 at = details::simulator::runtime->built_ins()->thread_index;
    return {at.x, at.y, at.z};
  }
  WARPWRIGHT_UNSEEN static dim3 dim_threads() {
    const details::simulator::Index3 extent = details::simulator::runtime->built_ins()->block_extent;
    return {extent.x, extent.y, extent.z};
  }
  static dim3 group_dim() { return dim_threads(); }

 private:
  thread_block() : thread_group(details::Kind::block) {}
  friend thread_block this_thread_block();
};

inline thread_block this_thread_block() {
  return {};
}

/// All threads of a cooperative launch.
class grid_group : public thread_group {
 public:
  WARPWRIGHT_UNSEEN void sync() const {
    details::wait_for(details::Kind::grid, 0, __builtin_return_address(0), __builtin_frame_address(0));
  }
  static unsigned long long size() { return details::block_size() * details::grid_blocks(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return details::block_rank() * details::block_size() + details::rank_in_block();
  }
  static unsigned long long block_rank() { return details::block_rank(); }
  static unsigned long long num_blocks() { return details::grid_blocks(); }
  static dim3 block_index() { return thread_block::group_index(); }
  WARPWRIGHT_UNSEEN static dim3 dim_blocks() {
    const details::simulator::Index3 extent = details::simulator::runtime->built_ins()->grid_extent;
    return {extent.x, extent.y, extent.z};
  }
  static dim3 group_dim() { return dim_blocks(); }

 private:
  grid_group() : thread_group(details::Kind::grid) {}
  friend grid_group this_grid();
};

inline grid_group this_grid() {
  return {};
}

/// The blocks of a cluster.
class cluster_group : public thread_group {
 public:
  WARPWRIGHT_UNSEEN static void sync() {
    details::simulator::runtime->cluster_arrive(true, __builtin_return_address(0));
    details::simulator::runtime->cluster_wait(__builtin_return_address(0));
  }
  WARPWRIGHT_UNSEEN static void barrier_arrive() {
    details::simulator::runtime->cluster_arrive(true, __builtin_return_address(0));
  }
  WARPWRIGHT_UNSEEN static void barrier_wait() {
    details::simulator::runtime->cluster_wait(__builtin_return_address(0));
  }
  template <class T>
  WARPWRIGHT_UNSEEN T* map_shared_rank(T* address, int rank) const {
    return static_cast<T*>(
        details::simulator::runtime->map_shared(const_cast<const void*>(static_cast<const volatile void*>(address)),
                                                static_cast<unsigned>(rank), __builtin_return_address(0)));
  }
  WARPWRIGHT_UNSEEN static unsigned query_shared_rank(const void* address) {
    return details::simulator::runtime->rank_of_shared(address, __builtin_return_address(0));
  }
  static unsigned block_rank() { return details::rank_in_cluster(); }
  static unsigned num_blocks() { return details::cluster_blocks(); }
  static unsigned num_threads() { return num_blocks() * details::block_size(); }
  static unsigned size() { return num_threads(); }
  static unsigned thread_rank() { return block_rank() * details::block_size() + details::rank_in_block(); }
  WARPWRIGHT_UNSEEN static dim3 block_index() {
    const details::simulator::BuiltIns& known = *details::simulator::runtime->built_ins();
    const details::simulator::Index3 &at = known.block_index, &extent = known.cluster_extent;
    return {at.x % extent.x, at.y % extent.y, at.z % extent.z};
  }
  WARPWRIGHT_UNSEEN static dim3 dim_blocks() {
    const details::simulator::Index3 extent = details::simulator::runtime->built_ins()->cluster_extent;
    return {extent.x, extent.y, extent.z};
  }

 private:
  cluster_group() : thread_group(details::Kind::cluster) {}
  friend cluster_group this_cluster();
};

inline cluster_group this_cluster() {
  return {};
}

/// As free functions, the same as the members of these names.
template <class Group>
WARPWRIGHT_UNSEEN void sync(const Group& group) {
  details::wait_for(group.simulated_kind(), group.simulated_mask(), __builtin_return_address(0),
                    __builtin_frame_address(0));
}
template <class Group>
WARPWRIGHT_UNSEEN void synchronize(const Group& group) {
  details::wait_for(group.simulated_kind(), group.simulated_mask(), __builtin_return_address(0),
                    __builtin_frame_address(0));
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

// Asynchronous copies by a group into shared memory (cooperative_groups::memcpy_async): complete at the wait.
#pragma once

#include "kernels/runtime/cpu_headers/copies.cuh"
#include "kernels/runtime/cpu_headers/groups.cuh"

namespace cooperative_groups {

/// Copies bytes. Every thread of the group calls it, and for its own wait its copies are one group.
template <class Group, class To, class From, class Size>
WARPWRIGHT_UNSEEN void memcpy_async(const Group& group, To* to, const From* from, const Size& bytes) {
  const auto count = static_cast<unsigned long long>(static_cast<unsigned long>(bytes));
  const warpwright::simulator::CopyShare share{group.thread_rank(), group.size(), nullptr, __builtin_return_address(0)};
  warpwright::simulator::start_copies(to, from, count, share);
  warpwright::simulator::runtime->async_commit();
}

/// Copies elements, as many as both layouts have.
template <class Group, class T, class ToLayout, class FromLayout>
WARPWRIGHT_UNSEEN void memcpy_async(const Group& group, T* to, const ToLayout& to_count, const T* from,
                                    const FromLayout& from_count) {
  const auto all = static_cast<unsigned long long>(static_cast<unsigned long>(to_count));
  const auto given = static_cast<unsigned long long>(static_cast<unsigned long>(from_count));
  const warpwright::simulator::CopyShare share{group.thread_rank(), group.size(), nullptr, __builtin_return_address(0)};
  warpwright::simulator::start_copies(to, from, (all < given ? all : given) * sizeof(T), share);
  warpwright::simulator::runtime->async_commit();
}

/// Waits for all but the latest Pending copies of the group, and for its threads.
template <unsigned Pending, class Group>
WARPWRIGHT_UNSEEN void wait_prior(const Group& group) {
  warpwright::simulator::runtime->async_wait(Pending, __builtin_return_address(0));
  details::wait_for(group.simulated_kind(), group.simulated_mask(), __builtin_return_address(0),
                    __builtin_frame_address(0));
}
template <class Group>
WARPWRIGHT_UNSEEN void wait(const Group& group) {
  warpwright::simulator::runtime->async_wait(0, __builtin_return_address(0));
  details::wait_for(group.simulated_kind(), group.simulated_mask(), __builtin_return_address(0),
                    __builtin_frame_address(0));
}

}  // namespace cooperative_groups

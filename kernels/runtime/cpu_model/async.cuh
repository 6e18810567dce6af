// Asynchronous copies into shared memory in the simulator. For a GPU, kernels/runtime/async.cuh has the same
// functions.
#pragma once

#include "kernels/runtime/common/tensor_map.cuh"
#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright {

/// A copy from global to shared memory. It happens at the async_wait for its group, and not before.
template <int Bytes>
WARPWRIGHT_UNSEEN void async_copy(void* shared_to, const void* global_from) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "an asynchronous copy moves 4, 8 or 16 bytes");
  simulator::runtime->async_copy(shared_to, global_from, Bytes, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void async_commit() {
  simulator::runtime->async_commit();
}

template <int Pending>
WARPWRIGHT_UNSEEN void async_wait() {
  simulator::runtime->async_wait(Pending, __builtin_return_address(0));
}

/// A barrier in shared memory with phases. The simulator keeps its counters.
using phase_barrier = unsigned long long;

WARPWRIGHT_UNSEEN inline void phase_init(phase_barrier* barrier, unsigned arrivals) {
  simulator::runtime->phase_init(barrier, arrivals, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void phase_arrive(phase_barrier* barrier) {
  simulator::runtime->phase_arrive(barrier, 1, 0, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void phase_arrive_expect(phase_barrier* barrier, unsigned bytes) {
  simulator::runtime->phase_arrive(barrier, 1, bytes, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void phase_expect(phase_barrier* barrier, unsigned bytes) {
  simulator::runtime->phase_arrive(barrier, 0, bytes, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void phase_arrive_copied(phase_barrier* barrier) {
  simulator::runtime->phase_arrive_copied(barrier, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline bool phase_done(phase_barrier* barrier, unsigned parity) {
  return simulator::runtime->phase_done(barrier, parity, __builtin_return_address(0)) != 0;
}

WARPWRIGHT_WAITING inline void phase_wait(phase_barrier* barrier, unsigned parity) {
  while (simulator::runtime->phase_done(barrier, parity, __builtin_return_address(0)) == 0) {
  }
}

/// Checked for barriers: the thread that sets one up must call this before bulk copies use it.
WARPWRIGHT_UNSEEN inline void fence_async() {
  simulator::runtime->fence_async(false);
}

WARPWRIGHT_UNSEEN inline void bulk_copy(void* shared_to, const void* global_from, unsigned bytes,
                                        phase_barrier* barrier) {
  simulator::runtime->bulk_copy(shared_to, global_from, bytes, barrier, 0, __builtin_return_address(0));
}

/// Elements outside the tensor are zeros.
WARPWRIGHT_UNSEEN inline void bulk_copy_box(void* shared_to, const tensor_map& from, int column, int row,
                                            phase_barrier* barrier) {
  const int first[] = {column, row};
  simulator::runtime->bulk_copy_box(shared_to, {&from, first, 2}, barrier, 0, __builtin_return_address(0));
}
template <int N>
WARPWRIGHT_UNSEEN void bulk_copy_box(void* shared_to, const tensor_map& from, const int (&first)[N],
                                     phase_barrier* barrier) {
  static_assert(N >= 1 && N <= 5, "a tensor map has one to five dimensions");
  simulator::runtime->bulk_copy_box(shared_to, {&from, first, N}, barrier, 0, __builtin_return_address(0));
}

/// A copy from shared to global memory. It happens at the wait for its group, and reads until bulk_wait_reads.
WARPWRIGHT_UNSEEN inline void bulk_store(void* global_to, const void* shared_from, unsigned bytes) {
  simulator::runtime->bulk_store(global_to, shared_from, bytes, __builtin_return_address(0));
}

enum class reduction { add, min, max, increment, decrement, bit_and, bit_or, bit_xor };

namespace simulator {

/// An element of a bulk reduction, in any memory of its size.
template <reduction Op, class T>
WARPWRIGHT_UNSEEN void combine_element(void* to, const void* from) {
  T old, given;
  __builtin_memcpy(&old, to, sizeof old);
  __builtin_memcpy(&given, from, sizeof given);
  if constexpr (Op == reduction::add) old = static_cast<T>(old + given);
  if constexpr (Op == reduction::min) old = given < old ? given : old;
  if constexpr (Op == reduction::max) old = given > old ? given : old;
  if constexpr (Op == reduction::increment) old = old >= given ? T(0) : old + 1;
  if constexpr (Op == reduction::decrement) old = old == T(0) || old > given ? given : old - 1;
  if constexpr (Op == reduction::bit_and) old = old & given;
  if constexpr (Op == reduction::bit_or) old = old | given;
  if constexpr (Op == reduction::bit_xor) old = old ^ given;
  __builtin_memcpy(to, &old, sizeof old);
}

}  // namespace simulator

/// A reduction into global memory. It happens like bulk_store, with an atomic operation for each element.
template <reduction Op, class T>
WARPWRIGHT_UNSEEN void bulk_reduce(T* global_to, const T* shared_from, unsigned bytes) {
  simulator::runtime->bulk_reduce(global_to, shared_from, bytes, {simulator::combine_element<Op, T>, sizeof(T)},
                                  __builtin_return_address(0));
}

/// Elements outside the tensor are not written.
WARPWRIGHT_UNSEEN inline void bulk_store_box(const tensor_map& to, int column, int row, const void* shared_from) {
  const int first[] = {column, row};
  simulator::runtime->bulk_store_box({&to, first, 2}, shared_from, __builtin_return_address(0));
}
template <int N>
WARPWRIGHT_UNSEEN void bulk_store_box(const tensor_map& to, const int (&first)[N], const void* shared_from) {
  static_assert(N >= 1 && N <= 5, "a tensor map has one to five dimensions");
  simulator::runtime->bulk_store_box({&to, first, N}, shared_from, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void bulk_commit() {
  simulator::runtime->bulk_commit();
}
template <int Pending>
WARPWRIGHT_UNSEEN void bulk_wait() {
  simulator::runtime->bulk_wait(Pending, true, __builtin_return_address(0));
}
template <int Pending>
WARPWRIGHT_UNSEEN void bulk_wait_reads() {
  simulator::runtime->bulk_wait(Pending, false, __builtin_return_address(0));
}

}  // namespace warpwright

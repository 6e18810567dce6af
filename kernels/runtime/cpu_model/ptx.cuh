// What inline PTX of device code becomes in the simulator, where it is modelled (simulator/module/inline_ptx.hpp):
// operands of instructions, and addresses of shared memory in 32 bits.
// Declares: asm __asm __asm__ __cvta_generic_to_shared __cvta_shared_to_generic
#pragma once

#include "kernels/runtime/cpu_model/approximations.cuh"
#include "kernels/runtime/cpu_model/async.cuh"
#include "kernels/runtime/cpu_model/matrix.cuh"
#include "kernels/runtime/cpu_model/warp.cuh"
#include "kernels/runtime/cpu_model/warpgroup.cuh"

namespace warpwright::simulator {

/// The registers of a lane for a part of a matrix, from the operands of an instruction.
template <class T, int Count>
struct fragment {
  typename detail::matrix_register<T>::type of[Count];

  template <class... Values>
  constexpr explicit fragment(Values... values)
      : of{static_cast<typename detail::matrix_register<T>::type>(values)...} {}
};

/// A 32-bit register that an instruction reads: its place in device code, unless it is a value of its own.
struct RegisterAt {
  const void* place;
  unsigned value;
};

template <class T>
WARPWRIGHT_UNSEEN RegisterAt register_at(T& place) {
  static_assert(sizeof(T) == sizeof(unsigned), "a register of A has 32 bits");
  RegisterAt made{&place, 0};
  __builtin_memcpy(&made.value, &place, sizeof made.value);
  return made;
}
template <class T>
WARPWRIGHT_UNSEEN RegisterAt register_at(const T&& value) {
  RegisterAt made = register_at(value);
  made.place = nullptr;
  return made;
}

/// The operands of wgmma.mma_async, as they stand in device code.
struct ProductOperands {
  void* const* sums;        ///< the places of the registers
  const RegisterAt* of_a;   ///< four registers of A; null if `a` describes it
  unsigned long long a, b;  ///< descriptors
  bool adds, a_is_negated, b_is_negated, a_is_transposed, b_is_transposed;
};

template <int N, class A, class B, class Sum, bool Saturates>
WARPWRIGHT_UNSEEN void start_product(const ProductOperands& given) {
  static_assert(is_warpgroup_product<N, A, B, Sum>, "no wgmma has this shape and these types");
  need_warpgroups<A>();
  constexpr unsigned kRegisters = 4;
  unsigned values[kRegisters];
  const void* places[kRegisters];
  for (unsigned i = 0; given.of_a != nullptr && i < kRegisters; ++i) {
    values[i] = given.of_a[i].value;
    places[i] = given.of_a[i].place;
  }
  const WarpgroupProduct lane{
      .shape = {64, N, terms_of_warpgroup<A>, element_of<A>, element_of<B>, element_of<Sum>, Spread::mma, Saturates},
      .a = given.a,
      .b = given.b,
      .of_a = given.of_a == nullptr ? nullptr : values,
      .sums = nullptr,
      .adds = given.adds,
      .b_is_transposed = given.b_is_transposed,
      .a_is_transposed = given.a_is_transposed,
      .a_is_negated = given.a_is_negated,
      .b_is_negated = given.b_is_negated,
      .places_of_sums = given.sums,
      .places_of_a = given.of_a == nullptr ? nullptr : places};
  warp_operation(WarpOperation::start_product, &lane, __builtin_return_address(0));
}

/// cp.async with a size of the source: that many bytes, and zeros behind them.
template <int Bytes>
WARPWRIGHT_UNSEEN void async_copy_with_zeros(void* to, const void* from, unsigned bytes) {
  const void* const site = __builtin_return_address(0);
  if (bytes == Bytes)
    runtime->async_copy(to, from, Bytes, site);
  else if (bytes == 0)
    runtime->fill(to, 0, Bytes, site);
  else
    runtime->no_model("cp.async of a part of its bytes", site);
}

/// Bulk copies to several blocks of a cluster (.multicast::cluster), and st.async.
WARPWRIGHT_UNSEEN inline void multicast(void* to, const void* from, unsigned bytes, phase_barrier* barrier,
                                        unsigned blocks) {
  runtime->bulk_copy(to, from, bytes, barrier, blocks & 0xffff, __builtin_return_address(0));
}
template <int N>
WARPWRIGHT_UNSEEN void multicast_box(void* to, const tensor_map& from, const int (&first)[N], phase_barrier* barrier,
                                     unsigned blocks) {
  runtime->bulk_copy_box(to, {&from, first, N}, barrier, blocks & 0xffff, __builtin_return_address(0));
}
template <class T, int N>
WARPWRIGHT_UNSEEN void store_async(void* to, const T (&values)[N], phase_barrier* barrier) {
  runtime->store_async(to, values, sizeof values, barrier, __builtin_return_address(0));
}

/// mbarrier.arrive; returns the state of the phase.
WARPWRIGHT_UNSEEN inline unsigned arrive(phase_barrier* barrier, unsigned arrivals, unsigned bytes) {
  return runtime->phase_arrive(barrier, arrivals, bytes, __builtin_return_address(0));
}

/// fence.mbarrier_init
WARPWRIGHT_UNSEEN inline void fence_barriers() {
  runtime->fence_async(true);
}

/// bar.sync or bar.arrive
WARPWRIGHT_UNSEEN inline void block_barrier(unsigned barrier, unsigned threads, bool waits, bool is_aligned) {
  runtime->named_barrier({barrier, threads, waits, is_aligned}, __builtin_return_address(0),
                         __builtin_frame_address(0));
}

WARPWRIGHT_UNSEEN inline void fence_memory(Scope scope, bool is_sequential) {
  runtime->fence(scope, is_sequential, __builtin_return_address(0));
}

WARPWRIGHT_UNSEEN inline void sleep() {
  runtime->pause(__builtin_return_address(0));
}

/// bar.warp.sync
WARPWRIGHT_UNSEEN inline void warp_barrier(unsigned mask) {
  runtime->warp({WarpOperation::sync, mask, 0, 32}, 0, __builtin_return_address(0));
}

/// griddepcontrol.wait
WARPWRIGHT_UNSEEN inline void wait_for_launch() {
  runtime->wait_for_previous_launch();
}

WARPWRIGHT_UNSEEN inline unsigned lane_of_thread() {
  return static_cast<unsigned>(__builtin_ctz(runtime->active_mask()));
}

/// elect.sync: the lane of the mask that is elected.
WARPWRIGHT_UNSEEN inline unsigned elect(unsigned mask) {
  runtime->warp({WarpOperation::sync, mask, 0, 32}, 0, __builtin_return_address(0));
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// barrier.cluster
WARPWRIGHT_UNSEEN inline void arrive_at_cluster(bool releases) {
  runtime->cluster_arrive(releases, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void wait_for_cluster() {
  runtime->cluster_wait(__builtin_return_address(0));
}

/// The rank of the block in its cluster, and the number of blocks there.
WARPWRIGHT_UNSEEN inline unsigned rank_in_cluster() {
  const BuiltIns& known = *runtime->built_ins();
  const Index3 &at = known.block_index, &extent = known.cluster_extent;
  return at.x % extent.x + extent.x * (at.y % extent.y + extent.y * (at.z % extent.z));
}
WARPWRIGHT_UNSEEN inline unsigned blocks_of_cluster() {
  const Index3 extent = runtime->built_ins()->cluster_extent;
  return extent.x * extent.y * extent.z;
}

/// The pointer for an address of shared memory. Other blocks of the cluster lie before or behind the own one.
WARPWRIGHT_UNSEEN inline void* in_shared_memory(unsigned long long address) {
  return watch.window_end - shared_window_bytes + static_cast<int>(address);
}

/// mapa, of addresses in 32 bits and of pointers.
WARPWRIGHT_UNSEEN inline unsigned mapped_address(unsigned address, unsigned rank) {
  const void* const there = runtime->map_shared(in_shared_memory(address), rank, __builtin_return_address(0));
  return static_cast<unsigned>(static_cast<const char*>(there) - (watch.window_end - shared_window_bytes));
}
WARPWRIGHT_UNSEEN inline unsigned long long mapped_pointer(unsigned long long pointer, unsigned rank) {
  return reinterpret_cast<unsigned long long>(
      runtime->map_shared(reinterpret_cast<const void*>(pointer), rank, __builtin_return_address(0)));
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

WARPWRIGHT_UNSEEN inline unsigned long __cvta_generic_to_shared(const void* pointer) {
  if (simulator::runtime->space_of(pointer) != simulator::Space::shared)
    simulator::runtime->no_model("__cvta_generic_to_shared of an address outside shared memory",
                                 __builtin_return_address(0));
  return static_cast<unsigned long>(static_cast<const char*>(pointer) -
                                    (simulator::watch.window_end - simulator::shared_window_bytes));
}

WARPWRIGHT_UNSEEN inline void* __cvta_shared_to_generic(unsigned long address) {
  return simulator::in_shared_memory(address);
}

}  // namespace warpwright::cuda

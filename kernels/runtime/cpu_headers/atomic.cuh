// Replaces <cuda/atomic> in the simulator: atomics with an order and a scope, checked like CUDA's atomic functions.
// Replaces: cuda/atomic cuda/std/atomic
#pragma once

#include "kernels/runtime/cpu_headers/barrier.cuh"
#include "kernels/runtime/cpu_model/atomics.cuh"

namespace cuda {

namespace std {

enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};

}  // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace simulated {

namespace simulator = warpwright::simulator;

/// The access code for an access of that order and scope.
template <thread_scope Scope>
WARPWRIGHT_UNSEEN constexpr unsigned code_of(memory_order order) {
  const bool acquires = order != memory_order_relaxed && order != memory_order_release;
  const bool releases = order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst;
  return (acquires ? unsigned{simulator::access_acquire} : 0u) | (releases ? unsigned{simulator::access_release} : 0u) |
         (Scope >= thread_scope_block ? unsigned{simulator::access_block_scope} : 0u);
}

/// A sequentially consistent operation begins with a fence; acquire and release order only what they say.
template <thread_scope Scope>
WARPWRIGHT_UNSEEN void fence_before(memory_order order, const void* site) {
  if (order != memory_order_seq_cst) return;
  simulator::runtime->fence(Scope >= thread_scope_block ? simulator::Scope::block : simulator::Scope::device, true,
                            site);
}

/// The operations that atomic and atomic_ref share, at the address `at`.
template <class T, thread_scope Scope, class Self>
class Operations {
 public:
  WARPWRIGHT_UNSEEN T load(memory_order order = memory_order_seq_cst) const {
    fence_before<Scope>(order, __builtin_return_address(0));
    simulator::runtime->access(
        at(), sizeof(T) | simulator::access_atomic | (code_of<Scope>(order) & ~simulator::access_release),
        __builtin_return_address(0));
    return *at();
  }
  WARPWRIGHT_UNSEEN void store(T value, memory_order order = memory_order_seq_cst) {
    fence_before<Scope>(order, __builtin_return_address(0));
    simulator::runtime->access(at(),
                               sizeof(T) | simulator::access_atomic | simulator::access_write |
                                   simulator::access_store_only | (code_of<Scope>(order) & ~simulator::access_acquire),
                               __builtin_return_address(0));
    *at() = value;
  }
  WARPWRIGHT_UNSEEN operator T() const { return load(); }

#define WARPWRIGHT_UPDATE(name, code, expression)                                                                  \
  WARPWRIGHT_UNSEEN T name(T value, memory_order order = memory_order_seq_cst) {                                   \
    fence_before<Scope>(order, __builtin_return_address(0));                                                       \
    return simulator::replace(at(), code_of<Scope>(order) | (code), __builtin_return_address(0),                   \
                              [=] WARPWRIGHT_UNTRACED_LAMBDA([[maybe_unused]] T old) -> T { return expression; }); \
  }
  WARPWRIGHT_UPDATE(exchange, unsigned{simulator::access_exchange}, value)
  WARPWRIGHT_UPDATE(fetch_add, 0U, old + value)
  WARPWRIGHT_UPDATE(fetch_sub, 0U, old - value)
  WARPWRIGHT_UPDATE(fetch_and, 0U, old& value)
  WARPWRIGHT_UPDATE(fetch_or, 0U, old | value)
  WARPWRIGHT_UPDATE(fetch_xor, 0U, old ^ value)
  WARPWRIGHT_UPDATE(fetch_min, 0U, value < old ? value : old)
  WARPWRIGHT_UPDATE(fetch_max, 0U, old < value ? value : old)
#undef WARPWRIGHT_UPDATE

  WARPWRIGHT_UNSEEN bool compare_exchange_strong(T& expected, T value, memory_order order = memory_order_seq_cst) {
    fence_before<Scope>(order, __builtin_return_address(0));
    const T old =
        simulator::compare_and_swap(at(), expected, value, code_of<Scope>(order), __builtin_return_address(0));
    const bool is_done = old == expected;
    expected = old;
    return is_done;
  }
  WARPWRIGHT_UNSEEN bool compare_exchange_weak(T& expected, T value, memory_order order = memory_order_seq_cst) {
    fence_before<Scope>(order, __builtin_return_address(0));
    const T old =
        simulator::compare_and_swap(at(), expected, value, code_of<Scope>(order), __builtin_return_address(0));
    const bool is_done = old == expected;
    expected = old;
    return is_done;
  }
  T operator++() {
    return fetch_add(1) + 1;
  }
  T operator++(int) {
    return fetch_add(1);
  }
  T operator--() {
    return fetch_sub(1) - 1;
  }
  T operator--(int) {
    return fetch_sub(1);
  }
  T operator+=(T value) {
    return fetch_add(value) + value;
  }
  T operator-=(T value) {
    return fetch_sub(value) - value;
  }

 private:
  T* at() const {
    return static_cast<const Self*>(this)->place();
  }
};

}  // namespace simulated

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public simulated::Operations<T, Scope, atomic<T, Scope>> {
 public:
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  T operator=(T value) {
    this->store(value);
    return value;
  }
  T* place() const { return const_cast<T*>(&value_); }

 private:
  T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public simulated::Operations<T, Scope, atomic_ref<T, Scope>> {
 public:
  explicit atomic_ref(T& value) : place_(&value) {}
  T* place() const { return place_; }

 private:
  T* place_;
};

WARPWRIGHT_UNSEEN inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
  warpwright::simulator::runtime->fence(
      scope >= thread_scope_block ? warpwright::simulator::Scope::block : warpwright::simulator::Scope::device,
      order == memory_order_seq_cst, __builtin_return_address(0));
}

}  // namespace cuda

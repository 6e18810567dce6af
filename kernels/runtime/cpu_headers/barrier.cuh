// Replaces <cuda/barrier> in the simulator: barriers of a block with phases, which can wait for asynchronous copies.
// Replaces: cuda/barrier cuda/std/barrier
#pragma once

#include "kernels/runtime/cpu_headers/copies.cuh"
#include "kernels/runtime/cpu_model/unmodelled.cuh"
#include "kernels/runtime/standard_library.cuh"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

/// A number of bytes whose addresses have a known alignment.
template <unsigned long Alignment>
struct aligned_size_t {
  unsigned long value;
  explicit aligned_size_t(unsigned long bytes) : value(bytes) {}
  operator unsigned long() const { return value; }
};

/// A barrier in shared memory, for threads of its block. A phase completes when the expected number of threads have
/// arrived and the copies that belong to it are complete.
template <thread_scope Scope, class Completion = void>
class barrier {
 public:
  struct arrival_token {
    unsigned parity;
  };

  barrier() = default;
  WARPWRIGHT_UNSEEN explicit barrier(long expected) { set_up(expected, __builtin_return_address(0)); }

  WARPWRIGHT_UNSEEN arrival_token arrive(long count = 1) {
    const void* const site = __builtin_return_address(0);
    return {arrive_at(site, 0, static_cast<unsigned>(count))};
  }
  WARPWRIGHT_UNSEEN void wait(arrival_token token) { wait_at(token.parity, __builtin_return_address(0)); }
  WARPWRIGHT_UNSEEN void wait_parity(bool parity) { wait_at(parity ? 1 : 0, __builtin_return_address(0)); }
  WARPWRIGHT_UNSEEN bool try_wait_parity(bool parity) {
    return warpwright::simulator::runtime->phase_done(&counted_, parity ? 1 : 0, __builtin_return_address(0)) != 0;
  }
  WARPWRIGHT_UNSEEN void arrive_and_wait() {
    const void* const site = __builtin_return_address(0);
    wait_at(arrive_at(site), site);
  }
  WARPWRIGHT_UNSEEN void arrive_and_drop() {
    warpwright::simulator::runtime->no_model("barrier::arrive_and_drop", __builtin_return_address(0));
  }

  /// Only for functions of this library. Sets the barrier up; `site` is in device code.
  WARPWRIGHT_UNSEEN void set_up(long expected, const void* site) {
    if (Scope != thread_scope_block) warpwright::simulator::runtime->no_model("a barrier beyond the block", site);
    warpwright::simulator::runtime->phase_init(&counted_, static_cast<unsigned>(expected), site);
  }
  WARPWRIGHT_UNSEEN unsigned arrive_at(const void* site, unsigned bytes = 0, unsigned count = 1) {
    return warpwright::simulator::runtime->phase_arrive(&counted_, count, bytes, site);
  }
  WARPWRIGHT_WAITING void wait_at(unsigned parity, const void* site) {
    while (warpwright::simulator::runtime->phase_done(&counted_, parity, site) == 0) {
    }
  }
  void* barrier_address() { return &counted_; }

 private:
  unsigned long long counted_;
};

template <thread_scope Scope, class Completion>
WARPWRIGHT_UNSEEN void init(barrier<Scope, Completion>* made, long expected) {
  made->set_up(expected, __builtin_return_address(0));
}

/// Copies by the calling thread, or by all threads of a group, for which the running phase waits.
template <class To, class From, class Size, thread_scope Scope, class Completion>
WARPWRIGHT_UNSEEN void memcpy_async(To* to, const From* from, const Size& bytes, barrier<Scope, Completion>& done) {
  warpwright::simulator::start_copies(to, from, static_cast<unsigned long>(bytes),
                                      {0, 1, done.barrier_address(), __builtin_return_address(0)});
}
template <class Group, class To, class From, class Size, thread_scope Scope, class Completion>
WARPWRIGHT_UNSEEN void memcpy_async(const Group& group, To* to, const From* from, const Size& bytes,
                                    barrier<Scope, Completion>& done) {
  const warpwright::simulator::CopyShare share{group.thread_rank(), group.size(), done.barrier_address(),
                                               __builtin_return_address(0)};
  warpwright::simulator::start_copies(to, from, static_cast<unsigned long>(bytes), share);
}

namespace device {

template <thread_scope Scope, class Completion>
WARPWRIGHT_UNSEEN auto barrier_arrive_tx(barrier<Scope, Completion>& done, long arrivals, long bytes) {
  const unsigned parity =
      done.arrive_at(__builtin_return_address(0), static_cast<unsigned>(bytes), static_cast<unsigned>(arrivals));
  return typename barrier<Scope, Completion>::arrival_token{parity};
}

namespace experimental {

WARPWRIGHT_UNSEEN inline void fence_proxy_async_shared_cta() {
  warpwright::simulator::runtime->fence_async(false);
}
template <thread_scope Scope, class Completion>
WARPWRIGHT_UNSEEN void cp_async_bulk_global_to_shared(void* to, const void* from, unsigned bytes,
                                                      barrier<Scope, Completion>& done) {
  warpwright::simulator::runtime->bulk_copy(to, from, bytes, done.barrier_address(), 0, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void cp_async_bulk_shared_to_global(void* to, const void* from, unsigned bytes) {
  warpwright::simulator::runtime->bulk_store(to, from, bytes, __builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline void cp_async_bulk_commit_group() {
  warpwright::simulator::runtime->bulk_commit();
}
template <int Pending>
WARPWRIGHT_UNSEEN void cp_async_bulk_wait_group_read() {
  warpwright::simulator::runtime->bulk_wait(Pending, false, __builtin_return_address(0));
}

// Boxes of tensor maps of one to five dimensions.
#define WARPWRIGHT_BOXES(dimensions, declared, ...)                                                             \
  template <class Map, thread_scope Scope, class Completion>                                                    \
  WARPWRIGHT_UNSEEN void cp_async_bulk_tensor_##dimensions##d_global_to_shared(                                 \
      void* to, const Map* from, WARPWRIGHT_LIST declared, barrier<Scope, Completion>& done) {                  \
    const int first[] = {__VA_ARGS__};                                                                          \
    warpwright::simulator::runtime->bulk_copy_box(to, {from, first, dimensions}, done.barrier_address(), 0,     \
                                                  __builtin_return_address(0));                                 \
  }                                                                                                             \
  template <class Map>                                                                                          \
  WARPWRIGHT_UNSEEN void cp_async_bulk_tensor_##dimensions##d_shared_to_global(                                 \
      const Map* to, WARPWRIGHT_LIST declared, const void* from) {                                              \
    const int first[] = {__VA_ARGS__};                                                                          \
    warpwright::simulator::runtime->bulk_store_box({to, first, dimensions}, from, __builtin_return_address(0)); \
  }
#define WARPWRIGHT_LIST(...) __VA_ARGS__
WARPWRIGHT_BOXES(1, (int a), a)
WARPWRIGHT_BOXES(2, (int a, int b), a, b)
WARPWRIGHT_BOXES(3, (int a, int b, int c), a, b, c)
WARPWRIGHT_BOXES(4, (int a, int b, int c, int d), a, b, c, d)
WARPWRIGHT_BOXES(5, (int a, int b, int c, int d, int e), a, b, c, d, e)
#undef WARPWRIGHT_LIST
#undef WARPWRIGHT_BOXES

}  // namespace experimental

}  // namespace device

}  // namespace cuda

// Replaces <cuda/pipeline> in the simulator: stages of asynchronous copies, for one thread or a group.
// Replaces: cuda/pipeline
#pragma once

#include "kernels/runtime/cpu_headers/barrier.cuh"

namespace cuda {

enum class pipeline_role { producer, consumer };

/// The barriers of a group's pipeline, in shared memory: two per stage, one for "the stage is filled", and one for "the
/// stage is free again".
template <thread_scope Scope, unsigned char Stages>
struct pipeline_shared_state {
  unsigned long long filled[Stages], freed[Stages];
};

/// Stages are filled at the head and used at the tail, in a ring. Without a state, the pipeline is for one thread.
template <thread_scope Scope>
class pipeline {
 public:
  WARPWRIGHT_UNSEEN void producer_acquire() {
    if (filled_ == nullptr || head_ < stages_) return;
    wait_at(freed_ + head_ % stages_, (head_ / stages_ - 1) & 1, __builtin_return_address(0));
  }
  WARPWRIGHT_UNSEEN void producer_commit() {
    if (filled_ == nullptr) {
      warpwright::simulator::runtime->async_commit();
    } else {
      warpwright::simulator::runtime->phase_arrive(filled_ + head_ % stages_, 1, 0, __builtin_return_address(0));
    }
    ++head_;
  }
  WARPWRIGHT_UNSEEN void consumer_wait() {
    const void* const site = __builtin_return_address(0);
    if (filled_ == nullptr) {
      warpwright::simulator::runtime->async_wait(head_ > tail_ ? head_ - tail_ - 1 : 0, site);
    } else {
      wait_at(filled_ + tail_ % stages_, (tail_ / stages_) & 1, site);
    }
  }
  WARPWRIGHT_UNSEEN void consumer_release() {
    if (filled_ != nullptr)
      warpwright::simulator::runtime->phase_arrive(freed_ + tail_ % stages_, 1, 0, __builtin_return_address(0));
    ++tail_;
  }
  WARPWRIGHT_UNSEEN void consumer_wait_prior(unsigned pending, const void* site) {
    warpwright::simulator::runtime->async_wait(pending, site);
    tail_ = head_ > pending ? head_ - pending : 0;
  }
  bool quit() { return true; }

  /// Only for functions of this library: with the state's barriers, and without.
  pipeline(unsigned long long* filled, unsigned long long* freed, unsigned stages)
      : filled_(filled), freed_(freed), stages_(stages) {}
  pipeline() = default;
  void* barrier_address() { return filled_ == nullptr ? nullptr : filled_ + head_ % stages_; }

 private:
  WARPWRIGHT_WAITING static void wait_at(unsigned long long* counted, unsigned parity, const void* site) {
    while (warpwright::simulator::runtime->phase_done(counted, parity, site) == 0) {
    }
  }

  unsigned long long* filled_ = nullptr;
  unsigned long long* freed_ = nullptr;
  unsigned stages_ = 1;
  unsigned head_ = 0, tail_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline() {
  return {};
}

/// Sets up the state for that many producers and consumers. Every thread of the group calls it.
template <class Group, thread_scope Scope, unsigned char Stages>
WARPWRIGHT_UNSEEN pipeline<Scope> simulated_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                                     unsigned producers, unsigned consumers, const void* site,
                                                     const void* frame) {
  if (group.thread_rank() == 0) {
    for (unsigned stage = 0; stage < Stages; ++stage) {
      warpwright::simulator::runtime->phase_init(state->filled + stage, producers, site);
      warpwright::simulator::runtime->phase_init(state->freed + stage, consumers, site);
    }
  }
  warpwright::simulator::runtime->sync_threads(warpwright::simulator::BarrierReduction::none, 0, site, frame);
  return {state->filled, state->freed, Stages};
}

template <class Group, thread_scope Scope, unsigned char Stages>
WARPWRIGHT_UNSEEN pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state) {
  const auto all = static_cast<unsigned>(group.size());
  return simulated_pipeline(group, state, all, all, __builtin_return_address(0), __builtin_frame_address(0));
}
template <class Group, thread_scope Scope, unsigned char Stages>
WARPWRIGHT_UNSEEN pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                                unsigned long producers) {
  const auto all = static_cast<unsigned>(group.size());
  return simulated_pipeline(group, state, static_cast<unsigned>(producers), all - static_cast<unsigned>(producers),
                            __builtin_return_address(0), __builtin_frame_address(0));
}
/// Every thread passes its role; the roles are counted.
template <class Group, thread_scope Scope, unsigned char Stages>
WARPWRIGHT_UNSEEN pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                                pipeline_role role) {
  const void* const site = __builtin_return_address(0);
  const auto producers = static_cast<unsigned>(warpwright::simulator::runtime->sync_threads(
      warpwright::simulator::BarrierReduction::count, role == pipeline_role::producer ? 1 : 0, site,
      __builtin_frame_address(0)));
  return simulated_pipeline(group, state, producers, static_cast<unsigned>(group.size()) - producers, site,
                            __builtin_frame_address(0));
}

/// Waits for all but the latest Pending stages of the calling thread.
template <unsigned char Pending>
WARPWRIGHT_UNSEEN void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& of_thread) {
  of_thread.consumer_wait_prior(Pending, __builtin_return_address(0));
}

template <class To, class From, class Size, thread_scope Scope>
WARPWRIGHT_UNSEEN void memcpy_async(To* to, const From* from, const Size& bytes, pipeline<Scope>& stages) {
  warpwright::simulator::start_copies(to, from, static_cast<unsigned long>(bytes),
                                      {0, 1, stages.barrier_address(), __builtin_return_address(0)});
}
template <class Group, class To, class From, class Size, thread_scope Scope>
WARPWRIGHT_UNSEEN void memcpy_async(const Group& group, To* to, const From* from, const Size& bytes,
                                    pipeline<Scope>& stages) {
  const warpwright::simulator::CopyShare share{group.thread_rank(), group.size(), stages.barrier_address(),
                                               __builtin_return_address(0)};
  warpwright::simulator::start_copies(to, from, static_cast<unsigned long>(bytes), share);
}

}  // namespace cuda

// The switch from one thread to the next, inlined where a thread waits.
#pragma once

#include <algorithm>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

[[gnu::always_inline]] inline Thread* Scheduler::pick() {
  constexpr std::size_t worth_forgetting = 4096;
  if (ready_begin_ == ready_.size()) return nullptr;
  if (explorer_ != nullptr) [[unlikely]]
    return pick_explored();
  if (order_ == Order::random) {
    std::swap(ready_[ready_begin_ + random_.below(ready_.size() - ready_begin_)], ready_.back());
    Thread* const thread = ready_.back();
    ready_.pop_back();
    return thread;
  }
  Thread* const thread = ready_[ready_begin_++];
  if (ready_begin_ == ready_.size() || (ready_begin_ >= worth_forgetting && ready_begin_ * 2 > ready_.size())) {
    forget_started();
  }
  return thread;
}

template <class Resume>
[[gnu::always_inline]] inline void Scheduler::make_current(Thread& thread, Resume resume) {
  running_ = &thread;
  thread.state = ThreadState::ready;
  resume(thread);
}

template <class Resume>
[[gnu::always_inline]] inline void Scheduler::switch_to(Thread& next, Resume resume) {
  Suspended& from = running_ == nullptr ? caller_ : running_->fiber->suspended;
  if (next.fiber == nullptr) next.fiber = fibers_.take();
  make_current(next, resume);
  switch_context(from, next.fiber->suspended);
}

template <class Resume>
[[gnu::always_inline]] inline void Scheduler::give_way(Resume resume) {
  Thread* const next = pick();
  if (next == running_) {
    make_current(*next, resume);
  } else if (next != nullptr) {
    switch_to(*next, resume);
  } else {
    Suspended& from = running_->fiber->suspended;
    running_ = nullptr;
    switch_context(from, caller_);
  }
}

template <class Resume>
[[gnu::always_inline]] inline void Scheduler::run(Resume resume) {
  running_ = nullptr;
  blocks_left_then_ = 0;
  watchdog_.start();
  if (Thread* const first = pick(); first != nullptr) switch_to(*first, resume);
  watchdog_.stop();
  running_ = nullptr;
}

template <class Resume>
[[gnu::always_inline]] inline void Scheduler::finish(Fiber* fiber, Thread* next, Resume resume) {
  if (next != nullptr && next->fiber == nullptr) {
    next->fiber = fiber;
    make_current(*next, resume);
    return;
  }
  fibers_.give_back(fiber);
  running_ = nullptr;
  if (next != nullptr) make_current(*next, resume);
  switch_context(fiber->suspended, next != nullptr ? next->fiber->suspended : caller_);
}

[[gnu::always_inline]] inline void Engine::resume(Thread& thread) {
  built_ins_.thread_index = thread.index;
  built_ins_.block_index = thread.block->index;
  watch_->window_end = thread.block->window_end;
  RaceDetector::resume(thread);
  if (trace_ != nullptr) [[unlikely]]
    branches_.follow(thread);
}

[[gnu::always_inline]] inline void Engine::give_way() {
  scheduler_.give_way([this](Thread & thread) __attribute__((always_inline)) { resume(thread); });
}

}  // namespace warpwright::simulator

// The switch from one thread to the next, to be inlined where a thread waits.
#pragma once

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

[[gnu::always_inline]] inline Thread* Engine::pick() {
  constexpr std::size_t worth_forgetting = 4096;
  if (ready_begin_ == ready_.size()) return nullptr;
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

[[gnu::always_inline]] inline void Engine::make_current(Thread& thread) {
  running_ = &thread;
  thread.state = ThreadState::ready;
  built_ins_.thread_index = thread.index;
  built_ins_.block_index = thread.block->index;
  watch_->window_end = thread.block->window_end;
  RaceDetector::resume(thread);
  if (branches_) [[unlikely]]
    follow_branches(thread);
}

[[gnu::always_inline]] inline void Engine::switch_to(Thread& next) {
  Suspended& from = running_ == nullptr ? caller_ : running_->fiber->suspended;
  if (next.fiber == nullptr) next.fiber = fibers_.take();
  make_current(next);
  switch_context(from, next.fiber->suspended);
}

[[gnu::always_inline]] inline void Engine::give_way() {
  Thread* const next = pick();
  if (next == running_) {
    make_current(*next);
  } else if (next != nullptr) {
    switch_to(*next);
  } else {
    Suspended& from = running_->fiber->suspended;
    running_ = nullptr;
    switch_context(from, caller_);
  }
}

}  // namespace warpwright::simulator

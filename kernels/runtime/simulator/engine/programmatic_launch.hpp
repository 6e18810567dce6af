// A launch that begins before the launch before it is complete, and its threads that have waited for that one.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// Which threads of a programmatic dependent launch (CUDA C++ Programming Guide, "Programmatic Dependent Launch and
/// Synchronization") may use what earlier launches write. The simulator completes these first, so values are right in
/// any case; but a thread that has not waited for them must not touch their memory.
class ProgrammaticLaunch {
 public:
  /// Before an execution.
  void begin() { *this = ProgrammaticLaunch(); }
  /// `previous` and `own`: the first times of the launch before this one (0 if there is none), and of this one.
  void begin_launch(bool is_programmatic, std::uint32_t previous, std::uint32_t own) {
    // The launch before may have begun early itself. Unless it waited, launches before it may run even longer.
    const bool is_chain = is_on() && !has_waited_;
    previous_ = previous;
    since_ = is_programmatic && previous != 0 ? (is_chain ? since_ : previous) : 0;
    own_ = own;
    has_waited_ = false;
    threads_.clear();
    blocks_.clear();
  }
  bool is_on() const { return since_ != 0; }
  /// The thread has waited, at its current time.
  void wait(const Thread& thread) {
    has_waited_ = true;
    threads_.insert(thread.id);
    blocks_.try_emplace(thread.block->number, thread.time);
  }
  /// Whether the thread has waited, or another one of its block has, before a barrier of the block.
  bool has_waited(const Thread& thread) const {
    if (threads_.contains(thread.id)) return true;
    const auto first = blocks_.find(thread.block->number);
    return first != blocks_.end() && first->second < thread.block->order.barrier_time;
  }
  /// Whether an access was made by a launch that may still run, for a thread that has waited for the launch before, or
  /// has not.
  bool may_still_run(const AccessRecord& by, bool has_waited) const {
    return by.time >= since_ && by.time < (has_waited ? previous_ : own_);
  }
  /// Whether launches may still run after a thread has waited.
  bool outlasts_wait() const { return since_ < previous_; }

 private:
  std::uint32_t since_ = 0, own_ = 0;  ///< times from since_ until own_ are of launches that may still run
  std::uint32_t previous_ = 0;         ///< those from previous_ on are of the launch before
  bool has_waited_ = false;
  std::unordered_set<std::uint32_t> threads_;                ///< that have waited
  std::unordered_map<std::uint64_t, std::uint32_t> blocks_;  ///< by number, with the time of the first wait
};

}  // namespace warpwright::simulator

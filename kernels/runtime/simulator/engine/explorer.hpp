// Explores all schedules of small launches, and all older values that their loads may return: one execution after
// another, each with other choices than those before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// Chooses which thread makes its next visible step: a volatile or atomic access, or a fence. What a thread does
/// between two of these is ordered with what others do, or is a race that each execution with the same order of visible
/// steps finds. Executions that differ in the order of independent steps only are not repeated: backtracking as in C.
/// Flanagan, P. Godefroid, Dynamic Partial-Order Reduction for Model Checking Software, 2005, with the sleep sets of P.
/// Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996. A thread that repeats a step in
/// a loop waits until the value there changes. If there are too many executions, some with random choices follow.
class Explorer {
 public:
  /// In one launch; larger ones are not explored.
  static constexpr std::size_t most_threads = most_explored_threads;
  /// In one execution.
  static constexpr std::size_t most_steps = 400;

  /// The step that a thread is about to make.
  struct Step {
    std::uintptr_t address = 0;
    std::uint32_t bytes = 0;  ///< 0: a fence
    bool writes = false;
    const void* site = nullptr;
  };

  /// Starts the next execution. Returns false if there is none: all were made, or exploring was given up.
  bool next();
  /// Starts an execution whose choices are all random, if not all were made. Returns false if it would be the same as
  /// those before: all launches are too large, or there was nothing to choose.
  bool next_random(std::uint64_t seed);
  /// Whether `next` returned false because all executions were made.
  bool is_exhausted() const { return is_complete_ && nodes_.empty(); }
  /// Whether the execution was ended early because another one is equivalent to it.
  bool is_redundant() const { return is_redundant_; }
  /// Explores nothing from now on: the execution has something that is not explored.
  void give_up() { is_complete_ = false; }

  // For the engine.
  void begin_launch(std::size_t threads, std::size_t threads_per_block);
  /// After the last launch of an execution.
  void end_execution();
  /// The running thread is about to make a visible step; it does so when `pick` has chosen it and `make` was called.
  void announce(const Thread& thread, const Step& step);
  void make(const Thread& thread);
  /// All of these threads wait for each other.
  void meet(std::span<Thread* const> threads);
  /// The position of the next thread among those that can run; their number if the execution ends here.
  std::size_t pick(std::span<Thread* const> ready);
  /// One of so many outcomes of the step that is being made, from 0.
  std::size_t choose(std::size_t outcomes);

 private:
  using Threads = std::uint64_t;  ///< a bit for each
  /// For each thread, the number of its steps' last event that happens before, plus 1.
  using Clock = std::array<std::uint16_t, most_threads>;

  struct Pending {
    Step step;
    std::uint32_t warp = 0;
    bool is_announced = false;
  };
  /// A choice: of the next thread, or of an outcome.
  struct Node {
    std::size_t outcomes = 0;  ///< 0: of a thread
    std::size_t chosen = 0;
    Threads enabled = 0, to_try = 0, done = 0, asleep = 0;
    std::vector<Pending> pending = {};  ///< of all threads
  };
  struct Event {
    unsigned thread = 0;
    std::size_t node = 0;
    Pending what;
    Clock before{};  ///< what happens before it, and itself
  };
  /// What is known of a thread.
  struct State {
    Pending pending;
    Clock clock{};
    const void* site = nullptr;  ///< of its last step
    std::uintptr_t address = 0;
    bool repeats = false;     ///< the last step was the same as the one before, and so was the value there
    std::uint64_t value = 0;  ///< before the last step
    bool saw_older = false;   ///< in the last step
    bool is_held = false;     ///< it was kept from repeating its step, and nothing has changed since
    bool is_shown = false;    ///< the last step saw the newest value only because the one before saw an older one
  };

  /// Whether this launch's choices are those of a systematic search.
  bool is_exploring() const { return is_followed_ && is_complete_ && !is_random_; }
  /// A random thread among those that can run; often the one that ran last.
  std::size_t pick_random(std::span<Thread* const> ready);
  unsigned number_of(const Thread& thread) const;
  static bool depend(const Pending& one, const Pending& other);
  /// Whether the thread would only repeat its last step, without having seen or changed anything.
  static bool waits(const State& state);
  /// Lets threads come first, in other executions, whose step does not commute with what `thread` is about to do.
  /// Returns what happens before that.
  Clock add_alternatives(unsigned thread, const Pending& what);
  /// Records the step that the thread is about to make.
  void add_event(unsigned thread);
  void add_node(Threads enabled);
  std::size_t first_of(std::span<Thread* const> ready, unsigned number) const;

  std::vector<Node> nodes_;
  std::size_t at_ = 0;  ///< the number of choices of this execution so far
  bool has_begun_ = false, is_complete_ = true, is_redundant_ = false;
  bool is_followed_ = false;  ///< this launch is explored
  bool is_random_ = false;    ///< this execution makes random choices
  bool has_choices_ = false;  ///< in some execution so far
  Random random_;
  std::uint64_t switches_ =
      1;  ///< of so many steps of a random execution, one is by another thread than the one before
  unsigned last_ = most_threads;  ///< the thread that made the last step
  std::size_t threads_per_block_ = 1;
  std::vector<State> threads_;  ///< of this launch
  std::vector<Event> events_;   ///< likewise
  std::size_t steps_ = 0;       ///< of the execution
};

}  // namespace warpwright::simulator

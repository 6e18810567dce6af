// Which thread runs next, on which fiber, and for how long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/fiber.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"
#include "kernels/runtime/simulator/state/watchdog.hpp"

namespace warpwright::simulator {

/// Runs threads one at a time. A thread runs until it waits, polls, or has used up its slice of steps: accesses and
/// waits. `resume(thread)` is called before a thread goes on. Functions that switch are inline: the processor predicts
/// every return after a switch wrongly.
class Scheduler {
 public:
  /// Every fiber runs `body`. `on_time` is called while threads run; see Watchdog.
  Scheduler(void (*body)(), Watchdog::Handler on_time);
  const FiberPool& fibers() const { return fibers_; }

  /// Starts an execution of the module that counts its basic blocks there; both outlive it.
  void begin(const SimulationOptions& options, Watch& module_watch);
  /// Starts a launch: draws begin from the schedule's seed.
  void begin_launch();
  /// Below `bound`; 0 for seed 0.
  std::uint64_t draw(std::uint64_t bound) { return options_->schedule.seed == 0 ? 0 : random_.below(bound); }
  Random& random() { return random_; }
  void draw_order() { order_ = static_cast<Order>(draw(4)); }
  void draw_preemption();

  Thread* running() const { return running_; }
  /// Of the execution.
  std::uint64_t steps() const { return steps_ + static_cast<std::uint64_t>(slice_length_ - slice_); }
  std::uint64_t launches() const { return launches_; }

  // The queue of threads that can run.
  void add(Block& block);
  void make_ready(Thread& thread);
  /// Threads that have met go on, in the drawn order; forgets them in the list.
  void make_all_ready(std::vector<Thread*>& threads);
  Thread* pick();

  // Switches.
  /// Runs threads until none can go on, or `leave` is called.
  template <class Resume>
  void run(Resume resume);
  /// Suspends the running thread; its state says why.
  template <class Resume>
  void give_way(Resume resume);
  /// The thread of this fiber is finished: `next` goes on, if it is not null.
  template <class Resume>
  void finish(Fiber* fiber, Thread* next, Resume resume);
  /// Ends `run`; the running thread never goes on.
  [[noreturn]] void leave();
  void abandon_fibers() { fibers_.abandon_all(); }

  // The slice of the running thread.
  /// Counts a step; whether it was the last of the slice.
  bool step() { return --slice_ <= 0; }
  void begin_slice();
  /// Whether the thread gives way at the end of a slice.
  bool preempts() const { return preemption_ != 0; }
  /// The next step ends the slice.
  void shorten_slice() {
    slice_length_ -= slice_ - 1;
    slice_ = 1;
  }
  /// The same, but the slice goes on with `resume_slice`: steps that are left.
  std::int64_t interrupt_slice() { return std::exchange(slice_, 1); }
  void resume_slice(std::int64_t left) { slice_ = left; }

  /// Whether the thread, before a volatile or atomic access, gives way to those that it may wait for.
  bool gives_way(Thread& self, const void* address, unsigned code);
  /// Whether no step was made and no basic block begun since the last call.
  bool is_stuck();

 private:
  enum class Order { natural, reversed, shuffled, random };

  void forget_started();
  template <class Resume>
  void make_current(Thread& thread, Resume resume);
  template <class Resume>
  void switch_to(Thread& next, Resume resume);

  FiberPool fibers_;
  Watchdog watchdog_;
  const SimulationOptions* options_ = nullptr;
  Watch* watch_ = nullptr;
  std::vector<Thread*> ready_;
  std::size_t ready_begin_ = 0;
  Thread* running_ = nullptr;
  Suspended caller_;
  Random random_;
  Order order_ = Order::natural;
  std::int64_t preemption_ = 0;  ///< steps between preemptions, on average; 0: none
  std::int64_t slice_ = 0, slice_length_ = 0;
  std::uint64_t steps_ = 0, launches_ = 0;
  std::int64_t slice_then_ = 0, blocks_left_then_ = 0;  ///< at the last call of is_stuck
};

}  // namespace warpwright::simulator

// Decides which thread runs next, on which fiber, and for how long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/engine/explorer.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/fiber.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"
#include "kernels/runtime/simulator/state/watchdog.hpp"

namespace warpwright::simulator {

/// Runs threads one at a time. A thread runs until it waits, polls, or has used up its slice of steps: accesses and
/// waits. `resume(thread)` is called before a thread continues. Functions that switch are inline, because the CPU
/// mispredicts every return after a switch.
class Scheduler {
 public:
  /// Every fiber runs `body`. `on_time` is called while threads run; see Watchdog.
  Scheduler(void (*body)(), Watchdog::Handler on_time);
  const FiberPool& fibers() const { return fibers_; }

  /// Starts an execution of a module that counts its basic blocks in `module_watch`; both must outlive it.
  void begin(const SimulationOptions& options, Watch& module_watch);
  /// Starts a launch: random draws start from the schedule's seed.
  void begin_launch();
  /// A random number below `bound`; 0 for seed 0.
  std::uint64_t draw(std::uint64_t bound) { return options_->schedule.seed == 0 ? 0 : random_.below(bound); }
  Random& random() { return random_; }
  void draw_order() { order_ = static_cast<Order>(draw(4)); }
  void draw_preemption();
  /// After the order: whether threads take turns at each volatile or atomic access, or some run far ahead of the
  /// others.
  void draw_pace();

  /// Null: threads run as the schedule says.
  void explore_with(Explorer* explorer) { explorer_ = explorer; }
  Explorer* explorer() const { return explorer_; }

  Thread* running() const { return running_; }
  /// The number of steps of the execution so far.
  std::uint64_t steps() const { return steps_ + static_cast<std::uint64_t>(slice_length_ - slice_); }
  std::uint64_t launches() const { return launches_; }

  // The queue of threads that can run.
  void add(Block& block);
  /// `waits`: it goes on when others have run, since it may wait for one of them.
  void make_ready(Thread& thread, bool waits = false);
  /// Threads that have met continue, in the drawn order; empties the list.
  void make_all_ready(std::vector<Thread*>& threads);
  Thread* pick();

  // Switches.
  /// Runs threads until none can continue, or `leave` is called.
  template <class Resume>
  void run(Resume resume);
  /// Suspends the running thread; its state says why.
  template <class Resume>
  void give_way(Resume resume);
  /// The thread of this fiber is finished; `next` continues, unless it is null.
  template <class Resume>
  void finish(Fiber* fiber, Thread* next, Resume resume);
  /// Ends `run`; the running thread never continues.
  [[noreturn]] void leave();
  void abandon_fibers() { fibers_.abandon_all(); }

  // The slice of the running thread.
  /// Counts a step; returns whether it was the last of the slice.
  bool step() { return --slice_ <= 0; }
  void begin_slice();
  /// Whether the thread gives way at the end of a slice.
  bool preempts() const { return preemption_ != 0; }
  /// The next step ends the slice.
  void shorten_slice() {
    slice_length_ -= slice_ - 1;
    slice_ = 1;
  }
  /// The same, but `resume_slice` continues the slice with the remaining steps, which this returns.
  std::int64_t interrupt_slice() { return std::exchange(slice_, 1); }
  void resume_slice(std::int64_t left) { slice_ = left; }

  /// Whether the thread, before a volatile or atomic access, gives way to those that it may wait for.
  bool gives_way(Thread& self, const void* address, unsigned code);
  /// Whether the thread gives way to others behind a fence, where what they do now makes a difference.
  bool gives_way_behind_fence(const Thread& self);
  /// Whether no step was made and no basic block begun since the last call.
  bool is_stuck();

 private:
  enum class Order { natural, reversed, shuffled, random };
  enum class Pace { usual, lock_step, a_warp_ahead, blocks_ahead };

  /// Whether the thread is one of those that run ahead of the others.
  bool is_ahead(const Thread& thread) const;
  Thread* pick_explored();
  void add_first(Thread& thread);

  void forget_started();
  template <class Resume>
  void make_current(Thread& thread, Resume resume);
  template <class Resume>
  void switch_to(Thread& next, Resume resume);

  FiberPool fibers_;
  Watchdog watchdog_;
  const SimulationOptions* options_ = nullptr;
  Watch* watch_ = nullptr;
  Explorer* explorer_ = nullptr;
  std::vector<Thread*> ready_;
  std::size_t ready_begin_ = 0;
  Thread* running_ = nullptr;
  Suspended caller_;
  Random random_;
  Order order_ = Order::natural;
  Pace pace_ = Pace::usual;
  std::size_t slot_ahead_ = 0;    ///< the blocks that run ahead have this slot
  std::uint32_t warp_ahead_ = 0;  ///< among the last ones of such a block
  int polls_ahead_ = 0;           ///< see gives_way; those that are left
  std::int64_t preemption_ = 0;   ///< steps between preemptions, on average; 0: none
  std::int64_t slice_ = 0, slice_length_ = 0;
  std::uint64_t steps_ = 0, launches_ = 0;
  std::int64_t slice_then_ = 0, blocks_left_then_ = 0;  ///< at the last call of is_stuck
};

}  // namespace warpwright::simulator

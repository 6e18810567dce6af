// Decides which thread runs next, on which fiber, and for how long.
#include "kernels/runtime/simulator/engine/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace warpwright::simulator {
namespace {

constexpr std::size_t stack_bytes = std::size_t{96} << 10;
constexpr std::int64_t longest_slice = 1 << 20;
/// Of threads that run ahead, in one launch: so often they look again at what has not changed before others run.
constexpr int most_polls_ahead = 2000;

}  // namespace

Scheduler::Scheduler(void (*body)(), Watchdog::Handler on_time)
    : fibers_(stack_bytes, most_cooperative_threads, body), watchdog_(on_time) {}

void Scheduler::begin(const SimulationOptions& options, Watch& module_watch) {
  options_ = &options;
  watch_ = &module_watch;
  launches_ = steps_ = 0;
  slice_ = slice_length_ = 1;
}

void Scheduler::begin_launch() {
  ready_.clear();
  ready_begin_ = 0;
  random_ = Random(options_->schedule.seed * 0x2545f4914f6cdd1du + launches_++);
}

void Scheduler::draw_preemption() {
  constexpr std::int64_t preemptions[] = {0, 0, 40, 400};
  preemption_ = preemptions[draw(4)];
}

void Scheduler::draw_pace() {
  constexpr Pace paces[] = {Pace::usual, Pace::usual,     Pace::usual,        Pace::usual,
                            Pace::usual, Pace::lock_step, Pace::a_warp_ahead, Pace::blocks_ahead};
  const std::uint64_t seed = options_->schedule.seed;
  Random own(seed * 0x9fb21c651e98df25u + launches_);
  pace_ = seed == 0 ? Pace::usual : paces[own.below(8)];
  slot_ahead_ = own.below(3);
  warp_ahead_ = static_cast<std::uint32_t>(own.below(8));
  polls_ahead_ = own.below(4) == 0 ? 0 : most_polls_ahead;
  // Each thread that can run comes before one that has just run.
  if (pace_ != Pace::usual && order_ == Order::random) order_ = Order::shuffled;
}

bool Scheduler::is_ahead(const Thread& thread) const {
  if (pace_ != Pace::a_warp_ahead && pace_ != Pace::blocks_ahead) return false;
  const Block& block = *thread.block;
  if (block.slot != slot_ahead_) return false;
  return pace_ == Pace::blocks_ahead || thread.warp->number == warp_ahead_ % block.warps.size();
}

void Scheduler::add_first(Thread& thread) {
  if (ready_begin_ > 0)
    ready_[--ready_begin_] = &thread;
  else
    ready_.insert(ready_.begin(), &thread);
}

void Scheduler::add(Block& block) {
  const auto count = static_cast<std::uint32_t>(block.threads.size());
  const std::size_t first = ready_.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    ready_.push_back(&block.threads[order_ == Order::reversed ? count - 1 - i : i]);
  }
  if (order_ == Order::shuffled) {
    for (std::uint32_t i = count; i > 1; --i) std::swap(ready_[first + i - 1], ready_[first + random_.below(i)]);
  }
  if (pace_ == Pace::a_warp_ahead || pace_ == Pace::blocks_ahead)
    std::stable_partition(ready_.begin() + static_cast<std::ptrdiff_t>(ready_begin_), ready_.end(),
                          [this](const Thread* thread) { return is_ahead(*thread); });
}

void Scheduler::make_ready(Thread& thread, bool waits) {
  thread.state = ThreadState::ready;
  if (!waits && is_ahead(thread)) [[unlikely]]
    return add_first(thread);
  ready_.push_back(&thread);
}

Thread* Scheduler::pick_explored() {
  const std::size_t next = explorer_->pick(std::span(ready_).subspan(ready_begin_));
  if (ready_begin_ + next == ready_.size()) return nullptr;
  const auto at = ready_.begin() + static_cast<std::ptrdiff_t>(ready_begin_ + next);
  Thread* const thread = *at;
  ready_.erase(at);
  return thread;
}

void Scheduler::make_all_ready(std::vector<Thread*>& threads) {
  if (order_ == Order::reversed) std::reverse(threads.begin(), threads.end());
  if (order_ == Order::shuffled) random_.shuffle(threads);
  ready_.insert(ready_.end(), threads.begin(), threads.end());
  threads.clear();
}

void Scheduler::forget_started() {
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(ready_begin_));
  ready_begin_ = 0;
}

void Scheduler::leave() {
  Suspended& from = running_->fiber->suspended;
  running_ = nullptr;
  switch_context(from, caller_);
  __builtin_unreachable();
}

void Scheduler::begin_slice() {
  steps_ += static_cast<std::uint64_t>(slice_length_);
  slice_length_ = preemption_ == 0 ? longest_slice : 1 + static_cast<std::int64_t>(random_.below(2 * preemption_));
  slice_ = slice_length_;
}

bool Scheduler::gives_way(Thread& self, const void* address, unsigned code) {
  const bool store = (code & access_write) != 0;
  std::uint64_t value = 0;
  std::memcpy(&value, address, std::min<std::size_t>(code & access_size, sizeof(value)));
  const bool again = self.polled == address && (!store || self.polled_value == value);
  self.polled = address;
  self.polled_value = value;
  if (pace_ == Pace::lock_step) return true;
  if (is_ahead(self)) {
    // A loop that looks a limited number of times may look as often before another thread does anything.
    if (again && polls_ahead_ > 0) return --polls_ahead_ == 0;
    return again || random_.below(64) == 0;
  }
  return again ? (!store || random_.below(4) == 0) : random_.below(16) == 0;
}

bool Scheduler::gives_way_behind_fence(const Thread& self) {
  return explorer_ == nullptr && random_.below(is_ahead(self) ? 64 : 16) == 0;
}

bool Scheduler::is_stuck() {
  const bool unchanged = slice_then_ == slice_ && blocks_left_then_ == watch_->blocks_left;
  slice_then_ = slice_;
  blocks_left_then_ = watch_->blocks_left;
  return unchanged;
}

}  // namespace warpwright::simulator

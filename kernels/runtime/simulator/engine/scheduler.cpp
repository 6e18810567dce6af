// Which thread runs next and for how long, on which fiber; when nothing can go on; which branches are taken.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::int64_t longest_slice = 1 << 20;
// Volatile or atomic accesses that find nothing new, with no plain store, barrier or exit in between by any thread, and
// by none more than so many plain loads since its last such access, before it is called a hang.
constexpr std::uint64_t most_fruitless_polls = 1'000'000;
constexpr std::uint32_t most_plain_loads = 64;

}  // namespace

void Engine::forget_started() {
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(ready_begin_));
  ready_begin_ = 0;
}

void Engine::make_ready(Thread& thread) {
  thread.state = ThreadState::ready;
  ready_.push_back(&thread);
}

void Engine::fiber_body() {
  Engine::current().run_fiber();
}

void Engine::run_fiber() {
  for (;;) {
    entry_->invoke(entry_->kernel, arguments_);
    Fiber* const fiber = running_->fiber;
    thread_finished();
    Thread* const next = launch_ended_ ? nullptr : pick();
    if (next != nullptr && next->fiber == nullptr) {
      next->fiber = fiber;
      make_current(*next);
      continue;
    }
    fibers_.give_back(fiber);
    running_ = nullptr;
    if (next != nullptr) make_current(*next);
    switch_context(fiber->suspended, next != nullptr ? next->fiber->suspended : caller_);
  }
}

void Engine::run() {
  running_ = nullptr;
  if (Thread* const first = pick(); first != nullptr) switch_to(*first);
  running_ = nullptr;
  if (!launch_ended_ && blocks_left_ > 0) report_deadlock();
  if (stopped_) fibers_.abandon_all();
}

void Engine::block_finished(Block& block) {
  if (trace_) trace_->meet_block(block.slot);
  if (branches_) meet(block);
  --blocks_left_;
  if (next_block_ == launch_->grid.count()) return;
  // A cluster gives its place to the next one when all of its blocks are done.
  const std::size_t first = block.slot / cluster_ * cluster_;
  for (std::size_t slot = first; slot < first + cluster_; ++slot)
    if (blocks_[slot]->live > 0) return;
  for (std::size_t slot = first; slot < first + cluster_; ++slot) admit_block(*blocks_[slot]);
}

void Engine::end_slice(const void* site) {
  if (racing_store_) settle_store();
  if (stale_.is_shown()) {
    show_newest();
    if (--slice_ > 0) return;
  }
  steps_ += static_cast<std::uint64_t>(slice_length_);
  const bool preempt = preemption_ != 0;
  slice_length_ = preemption_ == 0 ? longest_slice : 1 + static_cast<std::int64_t>(random_.below(2 * preemption_));
  slice_ = slice_length_;
  refill_blocks();
  if (steps_ > options_->limits.steps) {
    add(finding_by(FindingKind::hang, *running_, site,
                   fmt::format("the execution took more than {} steps", options_->limits.steps)));
    stop();
  }
  if (preempt) {
    if (running_->plain_loads > most_plain_loads) fruitless_polls_ = 0;
    running_->site = site;
    make_ready(*running_);
    give_way();
  }
}

void Engine::refill_blocks() {
  watch_->blocks_left = static_cast<std::int64_t>(options_->limits.blocks);
  watch_->await_block(watch_->compared != 0);
}

void Engine::classify(const void* comparison) {
  // Those of the executor's own headers, such as with the bounds of shared arrays, a device does not make.
  const bool of_host = is_cpu_model(module_->line_of(comparison).file);
  const auto offset = static_cast<const std::byte*>(comparison) - module_base_;
  module_->comparisons()[static_cast<std::size_t>(offset)] = of_host ? comparison_of_host : comparison_of_device;
}

void Engine::follow_branches(Thread& thread) {
  leave_branches();
  followed_ = &thread;
  BranchTrace::Lane& lane = (*thread.warp->branches)[thread.lane];
  watch_->stack_bottom = static_cast<const char*>(thread.fiber->suspended.stack_bottom);
  watch_->next = lane.next();
  watch_->end = lane.end();
  watch_->compared = thread.compared;
  watch_->await_block(thread.compared != 0);
}

void Engine::leave_branches() {
  if (followed_ == nullptr) return;
  followed_->compared = watch_->compared;
  (*followed_->warp->branches)[followed_->lane].noted_up_to(watch_->next);
  followed_ = nullptr;
  watch_->compared = 0;
  watch_->await_block(false);
}

void Engine::meet(Block& block) {
  Thread* const thread = followed_;
  leave_branches();
  branches_->meet(block.slot);
  if (thread != nullptr) follow_branches(*thread);
}

void Engine::branches_full() {
  Thread& self = *followed_;
  leave_branches();
  branches_->make_room(*self.warp->branches, self.lane);
  follow_branches(self);
}

void Engine::endless(const void* site) {
  add(finding_by(FindingKind::hang, *running_, site,
                 fmt::format("{} basic blocks ran with hardly a memory access: a loop that does not end",
                             options_->limits.blocks)));
  stop();
}

void Engine::time_passed(const void* instruction) {
  const bool unchanged = slice_then_ == slice_ && blocks_left_then_ == watch_->blocks_left;
  slice_then_ = slice_;
  blocks_left_then_ = watch_->blocks_left;
  if (running_ == nullptr || !unchanged || !module_->contains(instruction)) return;
  const void* const site = static_cast<const std::byte*>(instruction) + 1;  // as if it were a call
  add(finding_by(FindingKind::hang, *running_, site, "an empty loop that does not end"));
  stop();
}

void Engine::scheduling_point(const void* address, unsigned code, const void* site) {
  Thread& self = *running_;
  const bool store = (code & access_write) != 0;
  std::uint64_t value = 0;
  std::memcpy(&value, address, std::min<std::size_t>(code & access_size, sizeof(value)));
  const bool again = self.polled == address;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const bool is_new = place < self.polled_low || place > self.polled_high;
  const bool fruitless = store ? again && self.polled_value == value : !is_new;
  if (self.plain_loads > most_plain_loads) fruitless_polls_ = 0;
  self.plain_loads = 0;
  self.polled = address;
  self.polled_value = value;
  self.polled_low = std::min(self.polled_low, place);
  self.polled_high = std::max(self.polled_high, place);
  fruitless_polls_ = fruitless ? fruitless_polls_ + 1 : 0;
  if (fruitless_polls_ > most_fruitless_polls) {
    {
      MemoryLocation spot = spot_of(place);
      Finding finding = finding_by(
          FindingKind::hang, self, site,
          fmt::format("threads poll memory that no thread changes any more, such as {}: what they wait for is "
                      "done by a block that has not started, or by nobody",
                      spot.words));
      at_spot(finding, std::move(spot), place);
      add(std::move(finding));
    }
    stop();
  }
  const bool gives_way = again && fruitless ? (!store || random_.below(4) == 0) : random_.below(16) == 0;
  if (!gives_way) return;
  self.site = site;
  make_ready(self);
  give_way();
}

void Engine::report_deadlock() {
  std::map<std::pair<std::string, int>, std::uint64_t> waiting;
  const Thread* first = nullptr;
  for (const auto& block : blocks_) {
    if (block->live == 0) continue;
    for (const Thread& thread : block->threads) {
      if (thread.state != ThreadState::at_barrier && thread.state != ThreadState::at_warp_operation) continue;
      if (first == nullptr) first = &thread;
      const auto source = module_->line_of(thread.site);
      const char* const where = thread.state == ThreadState::at_barrier ? "barrier" : "warp operation";
      ++waiting[{fmt::format("{} at {}:{}", where, source.file, source.line), 0}];
    }
  }
  stopped_ = true;
  if (first == nullptr) return;
  std::string message = "no thread can go on:";
  for (const auto& [place, count] : waiting) message += fmt::format(" {} wait in the {};", count, place.first);
  message.pop_back();
  add(finding_by(FindingKind::hang, *first, first->site, message));
}

}  // namespace warpwright::simulator

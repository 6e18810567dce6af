// The steps of threads: when a thread yields to others, and when threads hang.
#include <fmt/format.h>

#include <map>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/launch_limits.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {

void Engine::end_slice(const void* site) {
  if (findings_.watches_store()) findings_.settle_store();
  if (memory_.stale.is_shown()) {
    show_newest();
    if (!scheduler_.step()) return;
  }
  scheduler_.begin_slice();
  if (scheduler_.steps() > options_->limits.steps)
    stop_at_limit(options_->limits.steps, "memory accesses and waits", site);
  if (scheduler_.preempts()) let_others_run(site);
}

void Engine::let_others_run(const void* site, bool waits) {
  running().site = site;
  scheduler_.make_ready(running(), waits);
  give_way();
}

void Engine::pause(const void* site) {
  count_step(site);
  counters_.disturb(running());
  loops_.note_wait();
  let_others_run(site, true);
}

void Engine::scheduling_point(const void* pointer, unsigned code, const void* site) {
  loops_.note_wait();
  counters_.disturb(running());
  const bool gives_way = scheduler_.gives_way(running(), pointer, code);
  if (scheduler_.explorer() != nullptr) [[unlikely]]
    return explore_step({.address = reinterpret_cast<std::uintptr_t>(pointer),
                         .bytes = code & access_size,
                         .writes = (code & access_write) != 0,
                         .site = site});
  if (gives_way) let_others_run(site, true);
}

void Engine::explore_step(const Explorer::Step& step) {
  scheduler_.explorer()->announce(running(), step);
  let_others_run(step.site);
  scheduler_.explorer()->make(running());
}

void Engine::stop_at_limit(std::uint64_t limit, const char* of_what, const void* site) {
  fail(FindingKind::too_much_work, site, [&] { return fmt::format("stopped after {} {}", limit, of_what); });
}

void Engine::block_begun(const void* site, const void* frame, const void* registers) {
  const Thread& self = running();
  const auto* const stack = static_cast<const std::byte*>(frame);
  const Suspended& own = self.fiber->suspended;
  if (!loops_.watches()) counters_.observe(self);
  const auto* const end = static_cast<const std::byte*>(own.stack_bottom) + own.stack_bytes;
  switch (loops_.block_begun(self, {stack, end}, registers)) {
    case LoopProof::Outcome::goes_on:
      return;
    case LoopProof::Outcome::loops:
      fail(FindingKind::hang, site, [] {
        return "a loop that does not end: the thread is here again with the same values, and no memory has changed";
      });
    case LoopProof::Outcome::to_be_checked:
      check_loops(site);
      loops_.look_later();
      if (loops_.blocks() > options_->limits.blocks)
        stop_at_limit(options_->limits.blocks, "basic blocks of one launch", site);
  }
}

void Engine::compared(const Compared& values) {
  const auto so_far = [this] { return Effort{.blocks = loops_.blocks(), .steps = scheduler_.steps()}; };
  if (auto words = counters_.compared(running(), values, so_far))
    fail(FindingKind::hang, values.site, [&] { return std::move(*words); });
}

void Engine::check_loops(const void* site) {
  const Thread* polls = nullptr;
  for (const auto& block : blocks_.slots()) {
    for (const Thread& thread : block->threads) {
      const bool waits = thread.state == ThreadState::at_barrier || thread.state == ThreadState::at_warp_operation;
      if (thread.state == ThreadState::finished || (waits && !loops_.has_run(thread))) continue;
      if (!loops_.is_in_a_loop(thread)) return;
      if (polls == nullptr && thread.polled != nullptr) polls = &thread;
    }
  }
  if (polls == nullptr)
    fail(FindingKind::hang, site, [] {
      return "loops that do not end: all threads are where they were, with the same values, and no memory has changed";
    });
  needs_held_grids_ =
      !holds_small_grids_ && blocks_.has_more() && fits_on_one_multiprocessor(*launch_, options_->device);
  fail([&] {
    const auto address = reinterpret_cast<std::uintptr_t>(polls->polled);
    MemoryLocation location = memory_.location_of(address, *polls->block);
    Finding finding = findings_.made_by(
        FindingKind::hang, *polls, polls->site != nullptr ? polls->site : site,
        fmt::format("threads poll memory that no thread changes any more, such as {}: what they wait for is done by a "
                    "block that has not started, or by nobody",
                    location.words));
    finding.buffer = std::move(location.buffer);
    finding.offset = location.offset;
    finding.address = address;
    return finding;
  });
}

void Engine::time_passed(const void* instruction) {
  const bool is_stuck = scheduler_.is_stuck();
  if (scheduler_.running() == nullptr || !is_stuck || !module_->contains(instruction)) return;
  const void* const site = static_cast<const std::byte*>(instruction) + 1;  // as if it were a call
  fail(FindingKind::hang, site, [] { return "an empty loop that does not end"; });
}

void Engine::report_deadlock() {
  std::map<std::string, std::uint64_t> waiting;
  const Thread* first = nullptr;
  for (const auto& block : blocks_.slots()) {
    if (block->live == 0) continue;
    for (const Thread& thread : block->threads) {
      if (thread.state != ThreadState::at_barrier && thread.state != ThreadState::at_warp_operation) continue;
      if (first == nullptr) first = &thread;
      const auto source = module_->line_of(thread.site);
      const char* const where = thread.state == ThreadState::at_barrier ? "barrier" : "warp operation";
      ++waiting[fmt::format("{} at {}:{}", where, source.file, source.line)];
    }
  }
  stopped_ = true;
  if (first == nullptr) return;
  std::string message = "no thread can go on:";
  for (const auto& [place, count] : waiting) message += fmt::format(" {} wait in the {};", count, place);
  message.pop_back();
  findings_.add(findings_.made_by(FindingKind::hang, *first, first->site, message));
}

}  // namespace warpwright::simulator

// The steps of threads: when a thread yields to others, and when threads hang.
#include <fmt/format.h>

#include <map>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {

void Engine::end_slice(const void* site) {
  if (findings_.watches_store()) findings_.settle_store();
  if (memory_.stale.is_shown()) {
    show_newest();
    if (!scheduler_.step()) return;
  }
  scheduler_.begin_slice();
  if (scheduler_.steps() > options_->limits.steps) {
    fail(FindingKind::hang, site,
         [&] { return fmt::format("the execution took more than {} steps", options_->limits.steps); });
  }
  if (scheduler_.preempts()) let_others_run(site);
}

void Engine::let_others_run(const void* site) {
  running().site = site;
  scheduler_.make_ready(running());
  give_way();
}

void Engine::pause(const void* site) {
  count_step(site);
  let_others_run(site);
}

void Engine::scheduling_point(const void* pointer, unsigned code, const void* site) {
  const auto poll = scheduler_.poll(running(), pointer, code);
  if (poll == Scheduler::Poll::hangs) {
    fail([&] {
      const auto address = reinterpret_cast<std::uintptr_t>(pointer);
      return finding_at(FindingKind::hang, site, address, [](const std::string& where) {
        return fmt::format(
            "threads poll memory that no thread changes any more, such as {}: what they wait for is "
            "done by a block that has not started, or by nobody",
            where);
      });
    });
  }
  if (poll == Scheduler::Poll::gives_way) let_others_run(site);
}

void Engine::endless(const void* site) {
  fail(FindingKind::hang, site, [&] {
    return fmt::format("{} basic blocks ran with hardly a memory access: a loop that does not end",
                       options_->limits.blocks);
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

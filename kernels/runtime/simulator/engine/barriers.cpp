// Barriers of a block, fences, and threads that exit.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {
namespace {

/// Whether two calls are at the same position in the source.
bool same_source(const Module& module, const void* a, const void* b) {
  if (a == b) return true;
  const auto first = module.line_of(a);
  return first.line != 0 && first == module.line_of(b);
}

}  // namespace

template <class Words>
Finding Engine::divergence_at(const void* site, const Thread& other, const void* other_site, Words words) const {
  Finding finding = findings_.made_by(FindingKind::barrier_divergence, running(), site, "");
  finding.other = findings_.where(other, other_site);
  finding.message = words(finding);
  return finding;
}

void Engine::check_barrier(BarrierReduction reduction, const void* site) {
  Block& block = *running().block;
  const auto has_left = [&] {
    const Thread& left = *std::find_if(block.threads.begin(), block.threads.end(),
                                       [](const Thread& thread) { return thread.state == ThreadState::finished; });
    return divergence_at(site, left, nullptr, [&](const Finding&) {
      return fmt::format(
          "a thread waits for its block, of which {} threads have left the kernel, such as thread ({}, {}, {})",
          block.count - block.live, left.index.x, left.index.y, left.index.z);
    });
  };
  if (block.live < block.count && !findings_.tolerate_exit(site, has_left)) stop();
  if (block.arrived.empty()) return;
  const Thread& other = *block.arrived.front();
  if (block.reduction == reduction && same_source(*module_, other.site, site)) return;
  fail([&] {
    return divergence_at(site, other, other.site, [](const Finding& finding) {
      return fmt::format("threads of one block wait at different barriers: {}:{} and {}:{}", finding.location.file,
                         finding.location.line, finding.other.file, finding.other.line);
    });
  });
}

int Engine::sync_threads(BarrierReduction reduction, int predicate, const void* site, const void* frame) {
  count_step(site);
  Thread& self = running();
  loops_.note_wait();
  if (reduction != BarrierReduction::none) counters_.disturb(self);
  if (loops_.watches()) [[unlikely]]
    loops_.note_value(self, predicate != 0 ? 1 : 0, site);
  Block& block = *self.block;
  const bool first = block.arrived.empty();
  const bool differs = !first && (site != block.barrier_site || reduction != block.reduction);
  if (differs || block.live < block.count) [[unlikely]]
    check_barrier(reduction, site);
  if (first) {
    if (!block.named_barriers.empty() && block.named_barriers[0].threads != 0) [[unlikely]]
      refuse_barrier(site, block.named_barriers[0].first, block.named_barriers[0].site,
                     "__syncthreads while threads have arrived at barrier 0, which is the same one");
    block.barrier_site = site;
    block.barrier_path.take(frame, memory_.stacks_begin, memory_.stacks_bytes,
                            [&](const void* caller) { return module_->contains(caller); });
    block.reduction = reduction;
    block.accumulated = reduction == BarrierReduction::all ? 1 : 0;
  } else if (const void* const caller =
                 block.barrier_path.first_other(frame, memory_.stacks_begin, memory_.stacks_bytes)) [[unlikely]] {
    fail([&] {
      const Thread& other = *block.arrived.front();
      return divergence_at(site, other, other.site, [&](const Finding& finding) {
        const auto called = module_->line_of(caller);
        return fmt::format("threads of one block wait at the barrier of {}:{}, called at {}:{} and elsewhere",
                           finding.location.file, finding.location.line, called.file, called.line);
      });
    });
  }
  switch (reduction) {
    case BarrierReduction::none:
      break;
    case BarrierReduction::count:
      block.accumulated += predicate != 0 ? 1 : 0;
      break;
    case BarrierReduction::all:
      block.accumulated &= predicate != 0 ? 1 : 0;
      break;
    case BarrierReduction::any:
      block.accumulated |= predicate != 0 ? 1 : 0;
      break;
  }
  self.site = site;
  self.state = ThreadState::at_barrier;
  block.arrived.push_back(&self);
  if (block.arrived.size() == block.live) release_barrier(block);
  give_way();
  return block.reduced;
}

void Engine::release_barrier(Block& block) {
  if (trace_) {
    trace_->meet_block(block.slot);
    trace_->add_barrier(block.barrier_site);
  }
  if (trace_ != nullptr) branches_.meet(block);
  if (memory_.check_races) memory_.detector.at_barrier(block);
  block.reduced = block.accumulated;
  if (Explorer* const explorer = scheduler_.explorer(); explorer != nullptr) [[unlikely]]
    explorer->meet(block.arrived);
  scheduler_.make_all_ready(block.arrived);
}

void Engine::sync_grid(const void* site, const void* frame) {
  require_cooperative_launch(site);
  sync_threads(BarrierReduction::none, 0, site, frame);
  Thread& self = running();
  self.site = site;
  self.state = ThreadState::at_barrier;
  if (blocks_.arrive_at_grid(self)) {
    if (memory_.check_races) memory_.detector.at_grid_barrier(blocks_.slots());
    if (Explorer* const explorer = scheduler_.explorer(); explorer != nullptr) explorer->meet(blocks_.at_grid());
    scheduler_.make_all_ready(blocks_.at_grid());
  }
  give_way();
}

bool Engine::leave_barrier(const Thread& self) {
  Block& block = *self.block;
  if (block.arrived.empty()) return true;
  const Thread& waiting = *block.arrived.front();
  const auto leaves = [&] {
    Finding finding =
        findings_.made_by(FindingKind::barrier_divergence, waiting, waiting.site,
                          fmt::format("threads wait for their block while thread ({}, {}, {}) leaves the kernel",
                                      self.index.x, self.index.y, self.index.z));
    finding.other = findings_.where(self, nullptr);
    return finding;
  };
  if (!findings_.tolerate_exit(waiting.site, leaves)) return false;
  if (block.arrived.size() == block.live) release_barrier(block);
  return true;
}

void Engine::fence(Scope scope, bool is_sequential, const void* site) {
  count_step(site);
  if (scheduler_.explorer() != nullptr) [[unlikely]]
    explore_step({.site = site});
  if (memory_.check_races) {
    running().block->has_extras = true;
    memory_.detector.fence(running(), scope, is_sequential);
  }
  if (scheduler_.gives_way_behind_fence(running())) let_others_run(site);
}

}  // namespace warpwright::simulator

// Barriers of a block, fences, and threads that leave.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {

template <class Words>
Finding Engine::divergence_at(const void* site, const Thread& other, const void* other_site, Words words) const {
  Finding finding = finding_by(FindingKind::barrier_divergence, *running_, site, "");
  finding.other = place_of(other, other_site);
  finding.message = words(finding);
  return finding;
}

template <class Words>
void Engine::refuse_barrier(const void* site, const Thread& other, const void* other_site, Words words) {
  add(divergence_at(site, other, other_site, words));
  stop();
}

void Engine::check_barrier(BarrierReduction reduction, const void* site) {
  Block& block = *running_->block;
  const auto has_left = [&] {
    const Thread& left = *std::find_if(block.threads.begin(), block.threads.end(),
                                       [](const Thread& thread) { return thread.state == ThreadState::finished; });
    return divergence_at(site, left, nullptr, [&](const Finding&) {
      return fmt::format(
          "a thread waits for its block, of which {} threads have left the kernel, such as thread ({}, {}, {})",
          block.exited, left.index.x, left.index.y, left.index.z);
    });
  };
  if (block.exited > 0 && !forgives_exit(site, has_left)) stop();
  if (block.arrived.empty()) return;
  const Thread& other = *block.arrived.front();
  if (block.reduction == reduction && same_source(other.site, site)) return;
  refuse_barrier(site, other, other.site, [](const Finding& finding) {
    return fmt::format("threads of one block wait at different barriers: {}:{} and {}:{}", finding.place.file,
                       finding.place.line, finding.other.file, finding.other.line);
  });
}

int Engine::sync_threads(BarrierReduction reduction, int predicate, const void* site, const void* frame) {
  count_step(site);
  Thread& self = *running_;
  Block& block = *self.block;
  const bool first = block.arrived.empty();
  const bool differs = !first && (site != block.barrier_site || reduction != block.reduction);
  if (differs || block.exited > 0) [[unlikely]]
    check_barrier(reduction, site);
  if (first) {
    block.barrier_site = site;
    block.barrier_path.take(frame, stacks_begin_, stacks_bytes_,
                            [&](const void* caller) { return module_->contains(caller); });
    block.reduction = reduction;
    block.accumulated = reduction == BarrierReduction::all ? 1 : 0;
  } else if (const void* const caller = block.barrier_path.first_other(frame, stacks_begin_, stacks_bytes_))
      [[unlikely]] {
    refuse_barrier(site, *block.arrived.front(), block.arrived.front()->site, [&](const Finding& finding) {
      const auto called = module_->line_of(caller);
      return fmt::format("threads of one block wait at the barrier of {}:{}, called at {}:{} and elsewhere",
                         finding.place.file, finding.place.line, called.file, called.line);
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
  if (branches_) meet(block);
  if (check_races_) judge_.at_barrier(block);
  block.reduced = block.accumulated;
  fruitless_polls_ = 0;
  if (order_ == Order::reversed) std::reverse(block.arrived.begin(), block.arrived.end());
  if (order_ == Order::shuffled) random_.shuffle(block.arrived);
  ready_.insert(ready_.end(), block.arrived.begin(), block.arrived.end());
  block.arrived.clear();
}

void Engine::sync_grid(const void* site, const void* frame) {
  require_cooperative_launch(site);
  sync_threads(BarrierReduction::none, 0, site, frame);
  Thread& self = *running_;
  self.site = site;
  self.state = ThreadState::at_barrier;
  at_grid_.push_back(&self);
  if (++self.block->at_grid == self.block->live) {
    self.block->at_grid = 0;
    if (++blocks_at_grid_ == launch_->grid.count()) release_grid();
  }
  give_way();
}

void Engine::release_grid() {
  if (check_races_) judge_.at_grid_barrier(blocks_);
  blocks_at_grid_ = 0;
  fruitless_polls_ = 0;
  if (order_ == Order::reversed) std::reverse(at_grid_.begin(), at_grid_.end());
  if (order_ == Order::shuffled) random_.shuffle(at_grid_);
  ready_.insert(ready_.end(), at_grid_.begin(), at_grid_.end());
  at_grid_.clear();
}

void Engine::thread_finished() {
  show_newest();
  if (racing_store_) [[unlikely]]
    settle_store();
  if (branches_) leave_branches();
  Thread& self = *running_;
  Block& block = *self.block;
  self.state = ThreadState::finished;
  self.fiber = nullptr;
  fruitless_polls_ = 0;
  if (!async_copies_.empty()) [[unlikely]]
    leave_transfers(self);
  ++block.exited;
  --block.live;
  if (!leave_warp(self) || !leave_barrier(self)) {
    launch_ended_ = stopped_ = true;
    return;
  }
  if (block.live == 0) block_finished(block);
}

bool Engine::leave_barrier(const Thread& self) {
  Block& block = *self.block;
  if (block.arrived.empty()) return true;
  const Thread& waiting = *block.arrived.front();
  const auto leaves = [&] {
    Finding finding = finding_by(FindingKind::barrier_divergence, waiting, waiting.site,
                                 fmt::format("threads wait for their block while thread ({}, {}, {}) leaves the kernel",
                                             self.index.x, self.index.y, self.index.z));
    finding.other = place_of(self, nullptr);
    return finding;
  };
  if (!forgives_exit(waiting.site, leaves)) return false;
  if (block.arrived.size() == block.live) release_barrier(block);
  return true;
}

void Engine::fence(Scope scope, const void* site) {
  count_step(site);
  if (!check_races_) return;
  running_->block->has_extras = true;
  judge_.fence(*running_, scope);
}

}  // namespace warpwright::simulator

// Barriers of a block by number (bar.sync, bar.arrive), as device code calls them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/engine/switch.hpp"

namespace warpwright::simulator {
namespace {

constexpr unsigned barrier_count = 16, warp_size = 32;

bool has_arrived(const NamedBarrier& barrier, const Warp& warp) {
  const std::uint32_t lanes = barrier.lanes[warp.number], there = warp.existing & ~warp.exited;
  return lanes != 0 && (lanes & there) == there;
}

}  // namespace

void Engine::refuse_barrier(const void* site, const Thread* other, const void* other_site, std::string message) {
  fail([&] {
    Finding finding = findings_.made_by(FindingKind::barrier_divergence, running(), site, std::move(message));
    if (other != nullptr) finding.other = findings_.where(*other, other_site);
    return finding;
  });
}

void Engine::check_named_barrier(const NamedBarrierCall& call, const void* site) {
  stop_exploring();
  const Thread& self = running();
  Block& block = *self.block;
  const auto refuse = [&](std::string message, const Thread* other = nullptr, const void* other_site = nullptr) {
    refuse_barrier(site, other, other_site, std::move(message));
  };
  if (call.barrier >= barrier_count) refuse(fmt::format("barrier {}: a block has barriers 0 to 15", call.barrier));
  if (call.threads == 0 || call.threads % warp_size != 0)
    refuse(fmt::format("barrier {} for {} threads, which is no multiple of 32", call.barrier, call.threads));
  if (call.threads > block.warps.size() * warp_size)
    refuse(fmt::format("barrier {} for {} threads, by a block of {}", call.barrier, call.threads, block.count));
  if (block.named_barriers.empty()) {
    block.named_barriers.resize(barrier_count);
    for (NamedBarrier& made : block.named_barriers) made.lanes.resize(block.warps.size());
  }
  const NamedBarrier& barrier = block.named_barriers[call.barrier];
  if (call.barrier == 0 && !block.arrived.empty())
    refuse("barrier 0 while threads wait in __syncthreads, which is the same one", block.arrived.front(),
           block.arrived.front()->site);
  if (barrier.threads != 0 && barrier.threads != call.threads)
    refuse(fmt::format("barrier {} for {} threads, while others have arrived there for {}", call.barrier, call.threads,
                       barrier.threads),
           barrier.first, barrier.site);
  const std::uint32_t lanes = barrier.lanes[self.warp->number];
  if ((lanes >> self.lane & 1U) != 0)
    refuse(fmt::format("a warp arrives at barrier {} again, of which the phase is not complete", call.barrier),
           barrier.first, barrier.site);
  if (!call.is_aligned) return;
  // Lanes of the warp that wait: only here, and at this line.
  for (const NamedBarrier& one : block.named_barriers)
    for (const std::vector<Thread*>* const list : {&one.waiting, &one.meeting})
      for (const Thread* const lane : *list) {
        const bool is_same = &one == &barrier && module_->line_of(lane->site) == module_->line_of(site);
        if (lane->warp == self.warp && !is_same)
          refuse("lanes of one warp wait at different barriers", lane, lane->site);
      }
  for (const Thread* const lane : block.arrived)
    if (lane->warp == self.warp) refuse("lanes of one warp wait at different barriers", lane, lane->site);
}

void Engine::named_barrier(const NamedBarrierCall& called, const void* site, const void* frame) {
  NamedBarrierCall call = called;
  Thread& self = running();
  Block& block = *self.block;
  const auto all = static_cast<unsigned>(block.warps.size()) * warp_size;
  if (call.threads == 0 && call.waits) call.threads = all;
  if (call.barrier == 0 && call.waits && call.threads == all) {
    sync_threads(BarrierReduction::none, 0, site, frame);
    return;
  }
  count_step(site);
  loops_.note_wait();
  loops_.note_change();
  counters_.disturb(self);
  check_named_barrier(call, site);
  NamedBarrier& barrier = block.named_barriers[call.barrier];
  if (barrier.threads == 0) {
    barrier.threads = call.threads;
    barrier.first = &self;
    barrier.site = site;
  }
  barrier.lanes[self.warp->number] |= 1U << self.lane;
  if (memory_.check_races) memory_.detector.arrive(self, barrier.order);
  const bool meets = !call.waits && call.is_aligned && !has_arrived(barrier, *self.warp);
  if (call.waits || meets) {
    self.site = site;
    self.state = ThreadState::at_barrier;
    (meets ? barrier.meeting : barrier.waiting).push_back(&self);
  }
  complete_named_barrier(block, barrier);
  if (call.waits || meets) give_way();
}

void Engine::complete_named_barrier(Block& block, NamedBarrier& barrier) {
  std::erase_if(barrier.meeting, [&](Thread* thread) {
    if (!has_arrived(barrier, *thread->warp)) return false;
    scheduler_.make_ready(*thread);
    return true;
  });
  const auto arrived = std::ranges::count_if(block.warps, [&](const Warp& warp) { return has_arrived(barrier, warp); });
  if (barrier.threads == 0 || static_cast<unsigned>(arrived) * warp_size < barrier.threads) return;
  // Lanes of a warp that is not complete belong to the next phase.
  NamedBarrier next;
  next.lanes.resize(block.warps.size());
  next.meeting = std::move(barrier.meeting);
  for (const Warp& warp : block.warps) {
    if (barrier.lanes[warp.number] == 0 || has_arrived(barrier, warp)) continue;
    next.lanes[warp.number] = barrier.lanes[warp.number];
    next.threads = barrier.threads;
    next.first = &warp.lanes[std::countr_zero(next.lanes[warp.number])];
    next.site = barrier.site;
    next.order = barrier.order;
  }
  std::vector<Thread*> released;
  for (Thread* const thread : barrier.waiting)
    (has_arrived(barrier, *thread->warp) ? released : next.waiting).push_back(thread);
  if (memory_.check_races)
    for (Thread* const thread : released) memory_.detector.learn(*thread, barrier.order);
  if (trace_) trace_->add_warp_operation(barrier.site);
  scheduler_.make_all_ready(released);
  barrier = std::move(next);
}

void Engine::leave_named_barriers(const Thread& self) {
  for (NamedBarrier& barrier : self.block->named_barriers) complete_named_barrier(*self.block, barrier);
}

}  // namespace warpwright::simulator

// The happens-before order of accesses: what barriers and fences add to it.
#include <algorithm>
#include <bit>

#include "kernels/runtime/simulator/races/race_detector.hpp"

namespace warpwright::simulator {
namespace {

void join(ThreadClocks& all, const ThreadClocks& order) {
  join(all.known, order.known);
  join(all.fenced, order.fenced);
  join(all.fenced_block, order.fenced_block);
  join(all.observed, order.observed);
  join(all.observed_block, order.observed_block);
  all.block_fence = std::max(all.block_fence, order.block_fence);
  all.device_fence = std::max(all.device_fence, order.device_fence);
}

/// Merges the vector clocks of threads that meet. `for_each` calls a function with each of them.
template <class ForEach>
void share_clocks(ForEach&& for_each) {
  ThreadClocks all;
  for_each([&](Thread& thread) { join(all, thread.extras->clocks); });
  if (!all.known && !all.fenced && !all.fenced_block && !all.observed && !all.observed_block) return;
  for_each([&](Thread& thread) { thread.extras->clocks = all; });
}

}  // namespace

void RaceDetector::at_barrier(Block& block) {
  BlockOrder& order = block.order;
  order.barrier_time = ++order.latest;
  latest_ = std::max(latest_, order.latest);
  if (!order.knows_others) return;
  share_clocks([&](auto&& visit) {
    for (Thread& thread : block.threads) visit(thread);
  });
}

void RaceDetector::at_grid_barrier(const std::vector<std::unique_ptr<Block>>& blocks) {
  VectorClock all(threads_per_block_);
  for (const auto& block : blocks) {
    at_barrier(*block);
    all.learn_block(static_cast<std::uint32_t>(block->number), block->order.barrier_time);
  }
  // As after a fence of every thread: its next strong store publishes what it did before.
  ThreadClocks told;
  told.known = told.fenced = told.fenced_block = std::make_shared<const VectorClock>(std::move(all));
  if (keeps_older_) told.block_fence = told.device_fence = fences_;
  for (const auto& block : blocks) {
    block->order.knows_others = block->has_extras = true;
    for (Thread& thread : block->threads) thread.extras->clocks = told;
  }
}

void RaceDetector::arrive(Thread& thread, ThreadClocks& order) {
  join(order, thread.extras->clocks);
  join(order.known, snapshot(thread));
  thread.block->order.knows_others = true;
  tick(thread);
}

void RaceDetector::learn(Thread& thread, const ThreadClocks& order) {
  join(thread.extras->clocks, order);
  thread.block->order.knows_others = thread.block->has_extras = true;
}

void RaceDetector::at_syncwarp(Warp& warp, std::uint32_t lanes) {
  Block& block = *warp.lanes->block;
  LaneClocks& known = *warp.known;
  LaneClocks::value_type together{};
  std::uint32_t time = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    time = std::max(time, warp.lanes[lane].time);
    for (unsigned i = 0; i < 32; ++i) together[i] = std::max(together[i], known[lane][i]);
  }
  ++time;
  block.order.latest = std::max(block.order.latest, time);
  latest_ = std::max(latest_, time);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    together[static_cast<unsigned>(std::countr_zero(rest))] = time;
  }
  const auto for_each = [&](auto&& visit) {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) visit(warp.lanes[std::countr_zero(rest)]);
  };
  for_each([&](Thread& thread) {
    thread.time = time;
    known[thread.lane] = together;
  });
  if (block.order.knows_others) share_clocks(for_each);
}

SharedClock RaceDetector::snapshot(const Thread& thread) const {
  const BlockOrder& block = thread.block->order;
  const SharedClock& known = thread.extras->clocks.known;
  VectorClock all = known == nullptr ? VectorClock(threads_per_block_) : *known;
  all.learn_block(static_cast<std::uint32_t>(thread.block->number), block.barrier_time);
  const std::uint32_t first = thread.id - thread.lane;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint32_t time = (*thread.warp->known)[thread.lane][lane];
    if (lane != thread.lane && time > block.barrier_time) all.learn_thread(first + lane, time);
  }
  all.learn_thread(thread.id, thread.time + 1);
  all.stamp({thread.id, thread.time});
  return std::make_shared<const VectorClock>(std::move(all));
}

void RaceDetector::tick(Thread& thread) {
  BlockOrder& block = thread.block->order;
  block.latest = std::max(block.latest, ++thread.time);
  latest_ = std::max(latest_, block.latest);
}

void RaceDetector::fence(Thread& thread, Scope scope, bool is_sequential) {
  ThreadClocks& order = thread.extras->clocks;
  join(order.known, order.observed_block);
  order.observed_block = nullptr;
  if (scope == Scope::device) {
    join(order.known, order.observed);
    order.observed = nullptr;
  }
  order.fenced_block = snapshot(thread);
  if (scope == Scope::device) order.fenced = order.fenced_block;
  if (keeps_older_ && is_sequential) {
    log_fence(thread, scope == Scope::device);
    order.block_fence = fences_;
    if (scope == Scope::device) order.device_fence = fences_;
  }
  thread.block->order.knows_others = true;
  tick(thread);
}

void RaceDetector::log_fence(const Thread& thread, bool in_device) {
  BlockOrder& block = thread.block->order;
  block.fences->push_back(
      {.number = ++fences_, .thread = thread.id, .barrier_time = block.barrier_time, .in_device = in_device});
}

}  // namespace warpwright::simulator

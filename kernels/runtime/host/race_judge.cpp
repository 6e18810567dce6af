// Finds data races by what orders accesses, not by the order in which they happened to run.
#include "kernels/runtime/host/race_judge.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::host {
namespace {

void join(SharedKnowledge& all, const SharedKnowledge& one) {
  if (one != nullptr) all = merged(all, one);
}

/// What threads that meet tell one another. `for_each` calls a function with each of them.
template <class ForEach>
void share_knowledge(ForEach&& for_each) {
  ThreadKnowledge all;
  for_each([&](Thread& thread) {
    const ThreadKnowledge& order = thread.extras->knowledge;
    join(all.known, order.known);
    join(all.fenced, order.fenced);
    join(all.fenced_block, order.fenced_block);
    join(all.observed, order.observed);
    join(all.observed_block, order.observed_block);
    all.block_fence = std::max(all.block_fence, order.block_fence);
    all.device_fence = std::max(all.device_fence, order.device_fence);
  });
  if (!all.known && !all.fenced && !all.fenced_block && !all.observed && !all.observed_block) return;
  for_each([&](Thread& thread) { thread.extras->knowledge = all; });
}

}  // namespace

void RaceJudge::begin_launch(std::uint32_t threads_per_block, bool keeps_older) {
  threads_per_block_ = threads_per_block;
  launch_start_ = ++latest_;
  keeps_older_ = keeps_older;
  fences_ = 0;
  places_.clear();
}

void RaceJudge::admit(Block& block) {
  BlockOrder& order = block.order;
  order.latest = std::max(order.latest, launch_start_) + 1;
  order.barrier_time = order.latest;
  order.first_thread = static_cast<std::uint32_t>(block.number * threads_per_block_);
  order.knows_others = false;
  order.places.clear();
  order.fences = keeps_older_ ? std::make_shared<Fences>() : nullptr;
  latest_ = std::max(latest_, order.latest);
  for (Thread& thread : block.threads) {
    thread.id = order.first_thread + thread.number;
    thread.time = order.latest;
  }
  for (Warp& warp : block.warps) {
    if (warp.known == nullptr) warp.known = std::make_unique<LaneClocks>();
  }
}

void RaceJudge::at_barrier(Block& block) {
  BlockOrder& order = block.order;
  order.barrier_time = ++order.latest;
  latest_ = std::max(latest_, order.latest);
  if (!order.knows_others) return;
  share_knowledge([&](auto&& visit) {
    for (Thread& thread : block.threads) visit(thread);
  });
}

void RaceJudge::at_grid_barrier(const std::vector<std::unique_ptr<Block>>& blocks) {
  Knowledge all(threads_per_block_);
  for (const auto& block : blocks) {
    at_barrier(*block);
    all.learn_block(static_cast<std::uint32_t>(block->number), block->order.barrier_time);
  }
  // As behind a fence of every thread: what it did before is told by what it stores next.
  ThreadKnowledge told;
  told.known = told.fenced = told.fenced_block = std::make_shared<const Knowledge>(std::move(all));
  if (keeps_older_) told.block_fence = told.device_fence = fences_;
  for (const auto& block : blocks) {
    block->order.knows_others = block->has_extras = true;
    for (Thread& thread : block->threads) thread.extras->knowledge = told;
  }
}

void RaceJudge::at_syncwarp(Warp& warp, std::uint32_t lanes) {
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
  if (block.order.knows_others) share_knowledge(for_each);
}

SharedKnowledge RaceJudge::snapshot(const Thread& thread) const {
  const BlockOrder& block = thread.block->order;
  const SharedKnowledge& known = thread.extras->knowledge.known;
  Knowledge all = known == nullptr ? Knowledge(threads_per_block_) : *known;
  all.learn_block(static_cast<std::uint32_t>(thread.block->number), block.barrier_time);
  const std::uint32_t first = thread.id - thread.lane;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint32_t time = (*thread.warp->known)[thread.lane][lane];
    if (lane != thread.lane && time > block.barrier_time) all.learn_thread(first + lane, time);
  }
  all.learn_thread(thread.id, thread.time + 1);
  all.stamp({thread.id, thread.time});
  return std::make_shared<const Knowledge>(std::move(all));
}

void RaceJudge::tick(Thread& thread) {
  BlockOrder& block = thread.block->order;
  block.latest = std::max(block.latest, ++thread.time);
  latest_ = std::max(latest_, block.latest);
}

void RaceJudge::fence(Thread& thread, Scope scope) {
  ThreadKnowledge& order = thread.extras->knowledge;
  join(order.known, order.observed_block);
  order.observed_block = nullptr;
  if (scope == Scope::device) {
    join(order.known, order.observed);
    order.observed = nullptr;
  }
  order.fenced_block = snapshot(thread);
  if (scope == Scope::device) order.fenced = order.fenced_block;
  if (keeps_older_) {
    log_fence(thread, scope == Scope::device);
    order.block_fence = fences_;
    if (scope == Scope::device) order.device_fence = fences_;
  }
  thread.block->order.knows_others = true;
  tick(thread);
}

void RaceJudge::log_fence(const Thread& thread, bool in_device) {
  BlockOrder& block = thread.block->order;
  block.fences->push_back(
      {.number = ++fences_, .thread = thread.id, .barrier_time = block.barrier_time, .in_device = in_device});
}

StrongAccess RaceJudge::access_by(const Thread& thread, const StrongSite& at) const {
  const std::shared_ptr<Fences>& fences = thread.block->order.fences;
  return {.by = AccessRecord(thread.id, thread.time, at.site, strength_of(at.code)),
          .block = static_cast<std::uint32_t>(thread.block->number),
          .fences = fences,
          .fences_before = fences->size()};
}

bool RaceJudge::is_before(const StrongAccess& access, const Thread& thread, bool shared) const {
  if (shared ? is_ordered<true>(access.by, thread) : is_ordered<false>(access.by, thread)) return true;
  // A fence that it is before, or may be, and behind that, in the order of all fences, one that is before the thread.
  const ThreadKnowledge& order = thread.extras->knowledge;
  const bool same_block = access.block == thread.block->number;
  const std::uint64_t last = same_block ? order.block_fence : order.device_fence;
  if (last == 0) return false;
  if (access.fences == nullptr) return true;
  const AccessRecord& by = access.by;
  const std::uint32_t warp = by.thread - (by.thread - access.block * threads_per_block_) % 32;
  for (auto fence = access.fences->begin() + static_cast<std::ptrdiff_t>(access.fences_before);
       fence != access.fences->end() && fence->number <= last; ++fence) {
    if (!same_block && !fence->in_device) continue;
    // What came to another thread of the block came by a barrier, within a warp, or behind a fence of its own.
    const bool knows = fence->thread == by.thread || by.time < fence->barrier_time || fence->thread - warp < 32;
    if (knows && fence->thread != thread.id) return true;
  }
  return false;
}

void RaceJudge::follow(const Thread& thread, const StrongSite& at, const Cell* cells, std::size_t count) {
  StrongPlaces& places = places_of(thread, at.shared);
  constexpr std::size_t most_places = std::size_t{1} << 18;
  const std::size_t size = at.code & access_size;
  const AccessRecord& writer = cells[0].writer;
  const bool one_writer = std::all_of(cells, cells + count, [&](const Cell& cell) { return cell.writer == writer; });
  const auto found = places.find(at.address);
  if (found == places.end() && (!one_writer || places.size() >= most_places)) return;
  auto& history = found == places.end() ? places[at.address].history : found->second.history;
  if (history && one_writer && history->size() == size && history->newest().by == writer) return;
  // Something else has stored there: what was before is no longer seen by who may see this.
  history.reset();
  if (one_writer)
    history.emplace(size, StrongAccess{.by = writer, .block = writer.thread / threads_per_block_, .fences = nullptr});
}

std::vector<const OldValue*> RaceJudge::choices(const Thread& thread, const StrongSite& at) const {
  const StrongPlaces& places = places_of(thread, at.shared);
  const auto found = places.find(at.address);
  if (found == places.end() || !found->second.history) return {};
  return found->second.history->choices(
      [&](const StrongAccess& access) { return is_before(access, thread, at.shared); },
      reinterpret_cast<const void*>(at.address));
}

const StrongAccess& RaceJudge::next_after(const Thread& thread, const StrongSite& at, const OldValue& choice) const {
  return places_of(thread, at.shared).at(at.address).history->next_after(choice);
}

void RaceJudge::observe(Thread& thread, const ReleasedValue& value, bool acquires) {
  ThreadKnowledge& order = thread.extras->knowledge;
  const bool same_block = value.block == thread.block->number;
  if (acquires)
    join(order.known, same_block ? value.in_block : value.in_device);
  else if (same_block)
    join(order.observed_block, value.in_block);
  else
    join(order.observed, value.in_device);
  thread.block->order.knows_others = thread.block->has_extras = true;
}

void RaceJudge::synchronise(Thread& thread, const StrongSite& at, const OldValue* seen) {
  ThreadKnowledge& order = thread.extras->knowledge;
  BlockOrder& block = thread.block->order;
  StrongPlaces& places = places_of(thread, at.shared);
  const bool writes = (at.code & access_write) != 0;
  const bool updates = writes && (at.code & access_atomic) != 0 && (at.code & access_store_only) == 0;
  const bool acquires = (at.code & access_acquire) != 0;
  const auto found = places.find(at.address);
  StoreHistory* const history = found != places.end() && found->second.history ? &*found->second.history : nullptr;
  const StrongAccess self = history != nullptr ? access_by(thread, at) : StrongAccess{};
  if (found != places.end() && (!writes || updates))
    observe(thread, seen != nullptr ? seen->released : found->second.released, acquires);
  if (acquires && keeps_older_) order.block_fence = order.device_fence = fences_;
  if (!writes) {
    if (history != nullptr) history->load(self, seen);
    return;
  }
  SharedKnowledge in_device = order.fenced, in_block = order.fenced_block;
  if ((at.code & access_release) != 0) {
    in_device = in_block = snapshot(thread);
    block.knows_others = true;
    if (keeps_older_) log_fence(thread, true);
    tick(thread);
  }
  if (history != nullptr) history->store(self, found->second.released, reinterpret_cast<const void*>(at.address));
  const auto number = static_cast<std::uint32_t>(thread.block->number);
  if (found == places.end()) {
    if (in_block != nullptr) places[at.address].released = {in_device, in_block, number};
  } else if (!updates) {
    found->second.released = {in_device, in_block, number};
  } else {
    ReleasedValue& value = found->second.released;
    // An update carries on what was released before it, to its own block as to others.
    in_block = merged(value.block == number ? value.in_block : value.in_device, in_block);
    value = {merged(value.in_device, in_device), in_block, number};
  }
}

template <bool Shared>
bool RaceJudge::is_ordered(const AccessRecord& record, const Thread& thread) const {
  const BlockOrder& block = thread.block->order;
  if (record.time < (Shared ? block.barrier_time : launch_start_) || record.thread == thread.id) return true;
  const std::uint32_t number = record.thread - block.first_thread;
  if (number < threads_per_block_) {
    if (!Shared && record.time < block.barrier_time) return true;
    if (number / 32 == thread.number / 32 && record.time < (*thread.warp->known)[thread.lane][number % 32]) return true;
  }
  return thread.extras->knowledge.known != nullptr &&
         thread.extras->knowledge.known->covers(record.thread, record.time);
}

bool RaceJudge::is_observed(const AccessRecord& record, const Thread& thread) {
  const ThreadKnowledge& order = thread.extras->knowledge;
  for (const auto& observed : {order.observed, order.observed_block})
    if (observed != nullptr && observed->covers(record.thread, record.time)) return true;
  return false;
}

template <bool Shared>
bool RaceJudge::races(const AccessRecord& record, bool record_writes, const AccessRecord& self, const Thread& thread) {
  const std::uint32_t both = record.strong & self.strong;
  if (record.time == 0 || both == strong_in_device || is_ordered<Shared>(record, thread)) return false;
  const bool same_block = Shared || record.thread - thread.block->order.first_thread < threads_per_block_;
  if (both != weak && same_block) return false;
  race_ = {.other = record, .other_writes = record_writes, .is_fenced_there = is_observed(record, thread)};
  return true;
}

template <bool Shared>
bool RaceJudge::races_with_lanes(const Cell& cell, const AccessRecord& self, const Thread& thread) {
  const std::uint32_t number = cell.reader.thread - thread.block->order.first_thread;
  if (number >= threads_per_block_ || number / 32 != thread.number / 32) return false;
  AccessRecord lane_record = cell.reader;
  for (std::uint32_t lanes = cell.reader_lanes; lanes != 0; lanes &= lanes - 1) {
    lane_record.thread = cell.reader.thread - number % 32 + static_cast<std::uint32_t>(std::countr_zero(lanes));
    if (races<Shared>(lane_record, false, self, thread)) return true;
  }
  return false;
}

template <bool Shared>
bool RaceJudge::read_cell(const Thread& thread, Cell& cell, const AccessRecord& self) {
  const bool race = races<Shared>(cell.writer, true, self, thread) ||
                    (cell.other_writer.time != 0 && races<Shared>(cell.other_writer, true, self, thread));
  AccessRecord& reader = cell.reader;
  if (reader.thread == self.thread && reader.time == self.time) {
    if (reader.strong != 0) reader = self;
    return race;
  }
  const std::uint32_t lane_bit = 1u << thread.lane;
  const bool same_warp = reader.thread - (self.thread - thread.lane) < 32;
  if (same_warp && reader.time == self.time && reader.strong == self.strong) {
    cell.reader_lanes |= lane_bit;
  } else {
    if (!same_warp || cell.other_reader.time < reader.time) cell.other_reader = reader;
    cell.reader_lanes = lane_bit;
  }
  reader = self;
  return race;
}

template <bool Shared>
bool RaceJudge::write_cell(const Thread& thread, Cell& cell, const AccessRecord& self) {
  const bool many_lanes = (cell.reader_lanes & (cell.reader_lanes - 1)) != 0;
  const bool race =
      races<Shared>(cell.writer, true, self, thread) || races<Shared>(cell.other_writer, true, self, thread) ||
      races<Shared>(cell.reader, false, self, thread) || races<Shared>(cell.other_reader, false, self, thread) ||
      (many_lanes && races_with_lanes<Shared>(cell, self, thread));
  const bool both_strong = (cell.writer.strong & self.strong) != 0 && cell.writer.thread != self.thread;
  cell.other_writer = both_strong ? cell.writer : AccessRecord{};
  cell.writer = self;
  if ((self.strong & cell.reader.strong) == 0) {
    cell.reader = cell.other_reader = {};
    cell.reader_lanes = 0;
  }
  return race;
}

const Race* RaceJudge::read(const Thread& thread, Cell* cells, std::size_t count, std::uint32_t site, Strength strong,
                            bool shared) {
  const AccessRecord self(thread.id, thread.time, site, strong);
  bool race = false;
  for (std::size_t i = 0; i < count; ++i) {
    race |= shared ? read_cell<true>(thread, cells[i], self) : read_cell<false>(thread, cells[i], self);
  }
  return race ? &race_ : nullptr;
}

const Race* RaceJudge::write(const Thread& thread, Cell* cells, std::size_t count, std::uint32_t site, Strength strong,
                             bool shared) {
  const AccessRecord self(thread.id, thread.time, site, strong);
  bool race = false;
  for (std::size_t i = 0; i < count; ++i) {
    race |= shared ? write_cell<true>(thread, cells[i], self) : write_cell<false>(thread, cells[i], self);
  }
  return race ? &race_ : nullptr;
}

bool RaceJudge::wrote(const Cell* cells, std::size_t count) const {
  return std::any_of(cells, cells + count, [this](const Cell& cell) { return cell.writer.time >= launch_start_; });
}

}  // namespace warpwright::host

// Finds data races by the happens-before order of accesses, not by the order in which they ran.
#include "kernels/runtime/simulator/races/race_detector.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::simulator {
void RaceDetector::begin_launch(std::uint32_t threads_per_block, bool keeps_older, RaceTolerance tolerance) {
  threads_per_block_ = threads_per_block;
  launch_start_ = ++latest_;
  keeps_older_ = keeps_older;
  tolerance_ = tolerance;
  fences_ = 0;
  locations_.clear();
  racing_.clear();
}

void RaceDetector::admit(Block& block) {
  BlockOrder& order = block.order;
  order.latest = std::max(order.latest, launch_start_) + 1;
  order.barrier_time = order.latest;
  order.first_thread = static_cast<std::uint32_t>(block.number * threads_per_block_);
  order.knows_others = false;
  order.locations.clear();
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

StrongAccess RaceDetector::access_by(const Thread& thread, const StrongSite& at) const {
  const std::shared_ptr<Fences>& fences = thread.block->order.fences;
  return {.by = AccessRecord(thread.id, thread.time, at.site, strength_of(at.code), is_update(at.code)),
          .block = static_cast<std::uint32_t>(thread.block->number),
          .fences = fences,
          .fences_before = fences->size()};
}

bool RaceDetector::is_before(const StrongAccess& access, const Thread& thread, bool shared) const {
  if (shared ? is_ordered<true>(access.by, thread) : is_ordered<false>(access.by, thread)) return true;
  // Looks for a fence that comes (or may come) after the access, and a later fence that the thread has observed.
  const ThreadClocks& order = thread.extras->clocks;
  const bool same_block = access.block == thread.block->number;
  const std::uint64_t last = same_block ? order.block_fence : order.device_fence;
  if (last == 0) return false;
  if (access.fences == nullptr) return true;
  const AccessRecord& by = access.by;
  const std::uint32_t warp = by.thread - (by.thread - access.block * threads_per_block_) % 32;
  for (auto fence = access.fences->begin() + static_cast<std::ptrdiff_t>(access.fences_before);
       fence != access.fences->end() && fence->number <= last; ++fence) {
    if (!same_block && !fence->in_device) continue;
    // Another thread of the block learned of the access by a barrier, within its warp, or by a fence of its own.
    const bool knows = fence->thread == by.thread || by.time < fence->barrier_time || fence->thread - warp < 32;
    if (knows && fence->thread != thread.id) return true;
  }
  return false;
}

void RaceDetector::follow(const Thread& thread, const StrongSite& at, const Cell* cells, std::size_t count) {
  AtomicLocations& locations = locations_of(thread, at.shared);
  constexpr std::size_t most_locations = std::size_t{1} << 18;
  const std::size_t size = at.code & access_size;
  const AccessRecord& writer = cells[0].writer;
  const bool one_writer = std::all_of(cells, cells + count, [&](const Cell& cell) { return cell.writer == writer; });
  const auto found = locations.find(at.address);
  if (found == locations.end() && (!one_writer || locations.size() >= most_locations)) return;
  auto& history = found == locations.end() ? locations[at.address].history : found->second.history;
  if (history && one_writer && history->size() == size && history->last() == writer) return;
  // There was a store that is not in the history; loads that may see its value no longer see older ones.
  history.reset();
  if (one_writer)
    history.emplace(size, StrongAccess{.by = writer, .block = writer.thread / threads_per_block_, .fences = nullptr});
}

std::vector<const OldValue*> RaceDetector::choices(const Thread& thread, const StrongSite& at) const {
  const AtomicLocations& locations = locations_of(thread, at.shared);
  const auto found = locations.find(at.address);
  if (found == locations.end() || !found->second.history) return {};
  return found->second.history->choices(
      [&](const StrongAccess& access) { return is_before(access, thread, at.shared); },
      reinterpret_cast<const void*>(at.address));
}

const StrongAccess& RaceDetector::next_after(const Thread& thread, const StrongSite& at, const OldValue& choice) const {
  return locations_of(thread, at.shared).at(at.address).history->next_after(choice);
}

void RaceDetector::observe(Thread& thread, const StrongSite& at, const ReleasedValue& value) {
  const bool acquires = (at.code & access_acquire) != 0;
  ThreadClocks& order = thread.extras->clocks;
  const auto number = static_cast<std::uint32_t>(thread.block->number);
  const bool same_block = value.block == number;
  const SharedClock& in_block = value.for_block(number);
  if (acquires)
    join(order.known, in_block);
  else if (&in_block != &value.in_device)
    join(order.observed_block, in_block);
  else
    join(order.observed, value.in_device);
  RecentClocks& seen = thread.extras->observed;
  if (const SharedClock* const earlier = acquires ? seen.at(at.address) : nullptr) join(order.known, *earlier);
  if (!acquires && in_block != nullptr) seen.add(at.address, in_block);
  if (acquires) {
    order.device_fence = std::max(order.device_fence, value.device_fence);
    order.block_fence = std::max(order.block_fence, same_block ? value.block_fence : value.device_fence);
  }
  thread.block->order.knows_others = thread.block->has_extras = true;
}

ReleasedValue RaceDetector::released_by(Thread& thread, const StrongSite& at) {
  const ThreadClocks& order = thread.extras->clocks;
  SharedClock in_device = order.fenced, in_block = order.fenced_block;
  if ((at.code & access_release) != 0) {
    in_device = in_block = snapshot(thread);
    thread.block->order.knows_others = true;
    if (keeps_older_) log_fence(thread, true);
    thread.extras->released.add(at.address, in_device);
    thread.block->has_extras = true;
    tick(thread);
  } else if (const SharedClock* const earlier = thread.extras->released.at(at.address)) {
    join(in_device, *earlier);
    join(in_block, *earlier);
  }
  return {in_device, in_block, static_cast<std::uint32_t>(thread.block->number),
          in_block != nullptr ? order.block_fence : 0, in_device != nullptr ? order.device_fence : 0};
}

bool RaceDetector::may_come_before_newest(const Thread& thread, const StrongSite& at) const {
  const AtomicLocations& locations = locations_of(thread, at.shared);
  const auto found = locations.find(at.address);
  return found != locations.end() && found->second.history &&
         found->second.history->may_come_before_newest(
             [&](const StrongAccess& access) { return is_before(access, thread, at.shared); });
}

std::byte* RaceDetector::synchronise_before_newest(Thread& thread, const StrongSite& at) {
  const StrongAccess self = access_by(thread, at);
  return locations_of(thread, at.shared).at(at.address).history->store_before_newest(self, released_by(thread, at));
}

void RaceDetector::synchronise(Thread& thread, const StrongSite& at, const OldValue* seen) {
  AtomicLocations& locations = locations_of(thread, at.shared);
  const bool writes = (at.code & access_write) != 0;
  const bool updates = is_update(at.code);
  const auto found = locations.find(at.address);
  StoreHistory* const history = found != locations.end() && found->second.history ? &*found->second.history : nullptr;
  const StrongAccess self = history != nullptr ? access_by(thread, at) : StrongAccess{};
  if (found != locations.end() && (!writes || updates))
    observe(thread, at, seen != nullptr ? seen->released : found->second.released);
  if (!writes) {
    if (history != nullptr) history->load(self, seen);
    return;
  }
  ReleasedValue own = released_by(thread, at);
  if (history != nullptr) history->store(self, found->second.released, reinterpret_cast<const void*>(at.address));
  if (found == locations.end()) {
    if (own.in_block != nullptr) locations[at.address].released = std::move(own);
  } else if (!updates) {
    found->second.released = std::move(own);
  } else {
    found->second.released.update(own);
  }
}

template <bool Shared>
bool RaceDetector::is_ordered(const AccessRecord& record, const Thread& thread) const {
  const BlockOrder& block = thread.block->order;
  if (is_past<Shared>(record, thread)) return true;
  const std::uint32_t number = record.thread - block.first_thread;
  if (number < threads_per_block_) {
    if (!Shared && record.time < block.barrier_time) return true;
    if (number / 32 == thread.number / 32 && record.time < (*thread.warp->known)[thread.lane][number % 32]) return true;
  }
  return thread.extras->clocks.known != nullptr && thread.extras->clocks.known->covers(record.thread, record.time);
}

bool RaceDetector::is_observed(const AccessRecord& record, const Thread& thread) {
  const ThreadClocks& order = thread.extras->clocks;
  for (const auto& observed : {order.observed, order.observed_block})
    if (observed != nullptr && observed->covers(record.thread, record.time)) return true;
  return false;
}

template <bool Shared>
bool RaceDetector::races_unless_ordered(const AccessRecord& record, bool record_writes, const AccessRecord& self,
                                        const Thread& thread) {
  const std::uint32_t both = record.strong & self.strong;
  if (record.time == 0 || both == strong_in_device || is_ordered<Shared>(record, thread)) return false;
  const bool same_block = Shared || record.thread - thread.block->order.first_thread < threads_per_block_;
  if (both != weak && same_block) return false;
  Race found{.other = record, .other_writes = record_writes};
  found.excuse = excuse_of(found, thread);
  if (!has_race_ || forgiven(found) < forgiven(race_)) race_ = found;
  return has_race_ = true;
}

template <bool Shared>
[[gnu::always_inline]] inline bool RaceDetector::races_with_writers(const Cell& cell, const AccessRecord& self,
                                                                    const Thread& thread) {
  bool race = races<Shared>(cell.writer, true, self, thread);
  if (cell.other_writer.strong != several) {
    // What an update has read is before all that comes after the update (PTX ISA 8.9.5, causality order).
    const bool is_observed = cell.writer.updates != 0 && is_ordered<Shared>(cell.writer, thread);
    if (!is_observed) race |= races<Shared>(cell.other_writer, true, self, thread);
  } else if (has_list(cell)) {
    for (const AccessRecord& writer : racing_[cell.other_writer.thread].by)
      race |= races<Shared>(writer, true, self, thread);
  }
  return race;
}

template <bool Shared>
void RaceDetector::keep_racing(Cell& cell, const AccessRecord& self, const Thread& thread) {
  constexpr std::size_t most = 64;
  const bool has_list = this->has_list(cell);
  std::uint32_t number = cell.other_writer.thread;
  if (!has_list || racing_[number].of != &cell) {
    // The cells may have been split since the list was made.
    RacingStores own{.of = &cell, .by = {}};
    if (has_list)
      own.by = racing_[number].by;
    else if (cell.other_writer.strong != several)
      own.by.push_back(cell.other_writer);
    number = static_cast<std::uint32_t>(racing_.size());
    racing_.push_back(std::move(own));
  }
  std::vector<AccessRecord>& by = racing_[number].by;
  by.push_back(cell.writer);
  std::erase_if(by, [&](const AccessRecord& one) { return one.time == 0 || is_ordered<Shared>(one, thread); });
  if (by.size() > most) by.erase(by.begin());
  cell.other_writer = AccessRecord(number, self.time, 0, several);
}

template <bool Shared>
void RaceDetector::races_with_readers(const AccessRecord& reader, std::uint32_t lanes, const AccessRecord& self,
                                      const Thread& thread) {
  races<Shared>(reader, false, self, thread);
  if ((lanes & (lanes - 1)) == 0 || reader.time < launch_start_) return;
  const BlockOrder& block = thread.block->order;
  const bool same_block = Shared || reader.thread - block.first_thread < threads_per_block_;
  if (same_block && reader.time < block.barrier_time) return;
  AccessRecord lane_record = reader;
  const std::uint32_t lane_0 = reader.thread - reader.thread % threads_per_block_ % 32;
  for (; lanes != 0; lanes &= lanes - 1) {
    lane_record.thread = lane_0 + static_cast<std::uint32_t>(std::countr_zero(lanes));
    races<Shared>(lane_record, false, self, thread);
  }
}

template <bool Shared>
void RaceDetector::read_cell(const Thread& thread, Cell& cell, const AccessRecord& self) {
  races_with_writers<Shared>(cell, self, thread);
  AccessRecord& reader = cell.reader;
  if (reader.thread == self.thread && reader.time == self.time) {
    if (reader.strong != 0) reader = self;
    return;
  }
  const std::uint32_t lane_bit = 1u << thread.lane;
  const bool same_warp = reader.thread - (self.thread - thread.lane) < 32;
  if (same_warp && reader.time == self.time && reader.strong == self.strong) {
    cell.reader_lanes |= lane_bit;
  } else {
    if (!same_warp || cell.other_reader.time < reader.time) {
      cell.other_reader = reader;
      cell.other_reader_lanes = cell.reader_lanes;
    }
    cell.reader_lanes = lane_bit;
  }
  reader = self;
}

template <bool Shared>
void RaceDetector::write_cell(const Thread& thread, Cell& cell, const AccessRecord& self) {
  const bool race_of_stores = races_with_writers<Shared>(cell, self, thread);
  races_with_readers<Shared>(cell.reader, cell.reader_lanes, self, thread);
  races_with_readers<Shared>(cell.other_reader, cell.other_reader_lanes, self, thread);
  if (race_of_stores) [[unlikely]] {
    keep_racing<Shared>(cell, self, thread);
  } else {
    const bool both_strong = (cell.writer.strong & self.strong) != 0 && cell.writer.thread != self.thread;
    cell.other_writer = both_strong ? cell.writer : AccessRecord{};
  }
  cell.writer = self;
  if ((self.strong & cell.reader.strong) == 0) {
    cell.reader = cell.other_reader = {};
    cell.reader_lanes = cell.other_reader_lanes = 0;
  }
}

template <bool Writes>
const Race* RaceDetector::check(const AccessRecord& self, const Thread& thread, Cell* cells, std::size_t count,
                                bool shared) {
  has_race_ = false;
  is_plain_store_ = Writes && self.strong == weak;
  for (std::size_t i = 0; i < count; ++i)
    if constexpr (Writes)
      shared ? write_cell<true>(thread, cells[i], self) : write_cell<false>(thread, cells[i], self);
    else
      shared ? read_cell<true>(thread, cells[i], self) : read_cell<false>(thread, cells[i], self);
  return has_race_ ? &race_ : nullptr;
}

const Race* RaceDetector::read(const Thread& thread, Cell* cells, std::size_t count, std::uint32_t site,
                               Strength strong, bool shared) {
  return check<false>({thread.id, thread.time, site, strong}, thread, cells, count, shared);
}

const Race* RaceDetector::write(const Thread& thread, Cell* cells, std::size_t count, std::uint32_t site,
                                Strength strong, bool updates, bool shared) {
  return check<true>({thread.id, thread.time, site, strong, updates}, thread, cells, count, shared);
}

bool RaceDetector::wrote(const Cell* cells, std::size_t count) const {
  return std::any_of(cells, cells + count, [this](const Cell& cell) { return cell.writer.time >= launch_start_; });
}

}  // namespace warpwright::simulator

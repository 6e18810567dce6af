// Finds data races by the happens-before order of accesses, not by the order in which they ran.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/core/verdict.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/state/shadow.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// An earlier access that an access races with.
struct Race {
  AccessRecord other;
  bool other_writes = false;
  /// Why the execution tolerates the race; for stores, as long as they store the same value.
  std::optional<StrictRule> excuse = {};
};

/// Which races an execution tolerates.
struct RaceTolerance {
  bool one_sided_fence = false, same_value_stores = false;
};

/// An atomic or volatile access.
struct StrongSite {
  std::uintptr_t address = 0;
  unsigned code = 0;
  std::uint32_t site = 0;  ///< offset of the return address in its module
  bool shared = false;
};

constexpr Strength strength_of(unsigned code) {
  if ((code & (access_atomic | access_volatile)) == 0) return weak;
  return (code & access_block_scope) != 0 ? strong_in_block : strong_in_device;
}

/// Whether it is a read-modify-write.
constexpr bool is_update(unsigned code) {
  return (code & access_write) != 0 && (code & access_atomic) != 0 && (code & access_store_only) == 0;
}

/// Each thread has a time that grows at every event that other threads can learn of. Order comes from program order,
/// __syncthreads, __syncwarp and the end of a launch. It also comes from a fence before a strong store (or atomic)
/// whose value a strong load (or atomic) reads before a fence. A barrier passes on what its threads observed and what
/// they fenced. Shuffles and votes order nothing. Two accesses race if nothing orders them, one is a store, and not
/// both are strong: atomic or volatile, and of a scope that includes the other thread. A strong load sees the stores
/// that are ordered before it. Where older values are kept, it may also see others that the order allows. Racing stores
/// that are tolerated are all remembered: later accesses must come after each.
class RaceDetector {
 public:
  /// With `keeps_older` the values that strong stores replace are kept, for loads that may still see them.
  void begin_launch(std::uint32_t threads_per_block, bool keeps_older, RaceTolerance tolerance);
  /// A new block in its slot: what earlier blocks did to their shared memory no longer counts.
  void admit(Block& block);
  /// All threads of the block have arrived; their times are updated when they continue (`resume`).
  void at_barrier(Block& block);
  /// All threads of the grid have arrived.
  void at_grid_barrier(const std::vector<std::unique_ptr<Block>>& blocks);
  static void resume(Thread& thread) { thread.time = std::max(thread.time, thread.block->order.barrier_time); }
  void at_syncwarp(Warp& warp, std::uint32_t lanes);
  /// Forgets atomic accesses to memory that another block has now.
  void forget_locations(std::uintptr_t begin, std::size_t bytes) {
    std::erase_if(locations_, [&](const auto& one) { return one.first - begin < bytes; });
  }
  /// The thread arrives at a barrier of some threads of its block; `order` collects what happened before.
  void arrive(Thread& thread, ThreadClocks& order);
  /// The thread has waited for what `order` has collected.
  static void learn(Thread& thread, const ThreadClocks& order);
  void fence(Thread& thread, Scope scope, bool is_sequential);
  /// The thread's next accesses get a later time than those so far.
  void tick(Thread& thread);
  bool keeps_older() const { return keeps_older_; }
  /// To be called before `read` or `write` of a strong access, if older values are kept: starts the history of the
  /// location.
  void follow(const Thread& thread, const StrongSite& at, const Cell* cells, std::size_t count);
  /// The values, oldest first, that a load there may see besides the newest; see StoreHistory.
  std::vector<const OldValue*> choices(const Thread& thread, const StrongSite& at) const;
  /// The store that replaced that value.
  const StrongAccess& next_after(const Thread& thread, const StrongSite& at, const OldValue& choice) const;
  /// Atomics, volatile accesses, acquiring loads and releasing stores, after they were checked. A load saw that value;
  /// null: the newest one.
  void synchronise(Thread& thread, const StrongSite& at, const OldValue* seen);
  /// Whether a store there, which is no update, may come before the newest one.
  bool may_come_before_newest(const Thread& thread, const StrongSite& at) const;
  /// The same as `synchronise` for such a store. Returns the place of its value.
  std::byte* synchronise_before_newest(Thread& thread, const StrongSite& at);
  /// The newest store there.
  const AccessRecord& newest(const Thread& thread, const StrongSite& at) const {
    return locations_of(thread, at.shared).at(at.address).history->newest().by;
  }

  /// Remembers an access of `count` cells. Returns an earlier access that races with it, valid until the next call; if
  /// there are several, the least tolerated one; null if there is none.
  const Race* read(const Thread& thread, Cell* cells, std::size_t count, std::uint32_t site, Strength strong,
                   bool shared);
  const Race* write(const Thread& thread, Cell* cells, std::size_t count, std::uint32_t site, Strength strong,
                    bool updates, bool shared);
  /// The first time of the current launch.
  std::uint32_t launch_start() const { return launch_start_; }
  bool is_of_this_launch(const AccessRecord& record) const { return record.time >= launch_start_; }
  /// Whether the current launch wrote any of the cells.
  bool wrote(const Cell* cells, std::size_t count) const;

  /// Whether times may soon overflow: then all shadows must be cleared, and `restart` called, before the next launch.
  bool is_worn_out() const { return latest_ > latest_allowed; }
  void restart() { latest_ = launch_start_ = 1; }

 private:
  static constexpr std::uint32_t latest_allowed = 3'000'000'000u;

  /// Whether the record is from before the block's last barrier (in shared memory) or the launch (in global memory), or
  /// of the thread itself. This is the usual case of an ordered one.
  template <bool Shared>
  bool is_past(const AccessRecord& record, const Thread& thread) const {
    return record.time < (Shared ? thread.block->order.barrier_time : launch_start_) || record.thread == thread.id;
  }
  template <bool Shared>
  bool is_ordered(const AccessRecord& record, const Thread& thread) const;
  template <bool Writes>
  const Race* check(const AccessRecord& self, const Thread& thread, Cell* cells, std::size_t count, bool shared);
  template <bool Shared>
  void read_cell(const Thread& thread, Cell& cell, const AccessRecord& self);
  template <bool Shared>
  void write_cell(const Thread& thread, Cell& cell, const AccessRecord& self);
  /// Notes a race with the record if there is one.
  template <bool Shared>
  bool races(const AccessRecord& record, bool record_writes, const AccessRecord& self, const Thread& thread) {
    return !is_past<Shared>(record, thread) && races_unless_ordered<Shared>(record, record_writes, self, thread);
  }
  template <bool Shared>
  bool races_unless_ordered(const AccessRecord& record, bool record_writes, const AccessRecord& self,
                            const Thread& thread);
  /// Checks for a race with any of the remembered stores of the cell.
  template <bool Shared>
  bool races_with_writers(const Cell& cell, const AccessRecord& self, const Thread& thread);
  /// Keeps the stores before `self` that are not ordered before it.
  template <bool Shared>
  void keep_racing(Cell& cell, const AccessRecord& self, const Thread& thread);
  bool has_list(const Cell& cell) const {
    return cell.other_writer.strong == several && cell.other_writer.time >= launch_start_;
  }
  std::optional<StrictRule> excuse_of(const Race& race, const Thread& thread) const {
    if (tolerance_.one_sided_fence && is_observed(race.other, thread)) return StrictRule::one_sided_fence;
    const bool are_plain_stores = is_plain_store_ && race.other_writes && race.other.strong == weak;
    if (are_plain_stores && tolerance_.same_value_stores && !thread.in_range) return StrictRule::same_value_stores;
    return std::nullopt;
  }
  /// How far a race is tolerated: 2 always, 1 if the values are the same, 0 not at all.
  static int forgiven(const Race& race) {
    return !race.excuse ? 0 : *race.excuse == StrictRule::same_value_stores ? 1 : 2;
  }
  /// Whether a fence of the thread at this point would order the record before later accesses: the record's thread
  /// fenced it, and this thread has observed that, but has not executed a fence since.
  static bool is_observed(const AccessRecord& record, const Thread& thread);
  /// Checks a store against the latest reader of a warp and the lanes that read at the same time. A barrier orders all
  /// these lanes; a fence orders only its own lane and those whose reads that lane has observed.
  template <bool Shared>
  void races_with_readers(const AccessRecord& reader, std::uint32_t lanes, const AccessRecord& self,
                          const Thread& thread);
  SharedClock snapshot(const Thread& thread) const;
  AtomicLocations& locations_of(const Thread& thread, bool shared) {
    return shared ? thread.block->order.locations : locations_;
  }
  const AtomicLocations& locations_of(const Thread& thread, bool shared) const {
    return shared ? thread.block->order.locations : locations_;
  }
  /// Numbers and records a fence or a release of the thread.
  void log_fence(const Thread& thread, bool in_device);
  /// Whether the access happens before the thread's next one, taking the order of fences into account.
  bool is_before(const StrongAccess& access, const Thread& thread, bool shared) const;
  static void observe(Thread& thread, const StrongSite& at, const ReleasedValue& value);
  /// What a store of the thread releases with its value.
  ReleasedValue released_by(Thread& thread, const StrongSite& at);
  StrongAccess access_by(const Thread& thread, const StrongSite& at) const;

  std::uint32_t threads_per_block_ = 1;
  std::uint32_t launch_start_ = 1, latest_ = 1;
  bool keeps_older_ = false;
  std::uint64_t fences_ = 0;   ///< of the launch, if older values are kept
  AtomicLocations locations_;  ///< in global memory
  RaceTolerance tolerance_;
  Race race_;
  bool has_race_ = false, is_plain_store_ = false;  ///< of the access being checked

  /// Stores to a cell that race with one another, except the last one.
  struct RacingStores {
    const Cell* of = nullptr;  ///< the cell to which a store was added last
    std::vector<AccessRecord> by;
  };
  std::vector<RacingStores> racing_;
};

}  // namespace warpwright::simulator

// Asynchronous copies in flight, and barriers whose phases they complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>

#include "kernels/runtime/simulator/state/async_copies.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// A copy moves its bytes when a thread has waited for it, not before. The caller has checked all accesses.
class AsyncUnit {
 public:
  void begin_launch() {
    copies_.clear();
    bulk_sites_.clear();
  }
  bool is_idle() const { return copies_.empty(); }

  /// The thread starts a copy, which belongs to the thread's current group; or, if `barrier` is not 0, completes a
  /// phase of that barrier.
  void start(Thread& thread, void* to, const void* from, std::size_t bytes, std::uintptr_t barrier,
             const AccessRecord& start);
  /// The same for a copy that lacks the thread's group. Its block is that of its barrier; null: the thread's.
  void start(Thread& thread, AsyncCopy copy);
  /// Ends the thread's current group of copies.
  static void commit(Thread& thread);
  /// The thread waits for all of its groups except the last `pending`. `before_landing(copy)` is called for each copy.
  template <class BeforeLanding>
  void wait(const Thread& thread, unsigned pending, BeforeLanding before_landing);
  /// The same groups for stores of bulk copies, which a thread numbers apart. The thread waits until all but the last
  /// `pending` have read their sources, and if `is_all`, until they are complete. Each store is passed to
  /// `before_reading` and `before_landing`.
  static void commit_stores(Thread& thread);
  template <class BeforeReading, class BeforeLanding>
  void wait_for_stores(const Thread& thread, unsigned pending, bool is_all, BeforeReading before_reading,
                       BeforeLanding before_landing);
  /// After the thread has exited: completes its stores that have read their sources.
  template <class BeforeLanding>
  void complete_stores(const Thread& thread, BeforeLanding before_landing);
  /// The thread's copies in flight complete a phase of that barrier, not the thread's groups. Returns their bytes.
  std::size_t hand_over(const Thread& thread, std::uintptr_t barrier);
  /// Drops the copies that nobody can wait for after the thread has exited. `visit(copy)` is called for each.
  template <class Visit>
  void drop_unawaited(const Thread& thread, Visit visit);
  /// See AsyncCopies.
  const AsyncCopy* disturbed_by(std::uintptr_t address, std::size_t bytes, bool writes, bool is_atomic) const {
    return copies_.disturbed_by(address, bytes, writes, is_atomic);
  }

  /// Makes a barrier at that address in the block's shared memory.
  static void make_barrier(Block& block, std::uintptr_t address, unsigned arrivals, const AccessRecord& by);
  /// Null if no barrier was made there.
  static PhaseBarrier* barrier_at(Block& block, std::uintptr_t address);
  /// Makes the thread's barriers visible to copies.
  static void fence(Thread& thread);
  /// Begins the barrier's next phase if the current one is complete; returns whether it was.
  bool complete_phase(std::uintptr_t address, PhaseBarrier& barrier);
  /// The first copy of a phase with more bytes in flight than it expects; null if there is none.
  const AsyncCopy* excess_copy(std::uintptr_t address, const PhaseBarrier& barrier) const;
  std::size_t bytes_of(std::uintptr_t barrier) const { return copies_.bytes_of(barrier); }

  /// Bulk copies start at that site of the module; whether any do.
  void note_bulk(std::uint32_t site) { bulk_sites_.insert(site); }
  bool is_bulk(std::uint32_t site) const { return bulk_sites_.contains(site); }

 private:
  AsyncCopies copies_;
  std::unordered_set<std::uint32_t> bulk_sites_;
};

template <class BeforeLanding>
void AsyncUnit::wait(const Thread& thread, unsigned pending, BeforeLanding before_landing) {
  const unsigned filling = thread.extras->copy_group;
  copies_.finish(
      [&](const AsyncCopy& copy) {
        return copy.barrier == 0 && !copy.is_store && copy.start.thread == thread.id && copy.group + pending < filling;
      },
      [&](const AsyncCopy& copy) {
        before_landing(copy);
        copy.land();
      });
}

template <class BeforeReading, class BeforeLanding>
void AsyncUnit::wait_for_stores(const Thread& thread, unsigned pending, bool is_all, BeforeReading before_reading,
                                BeforeLanding before_landing) {
  const unsigned filling = thread.extras->store_group;
  const auto is_awaited = [&](const AsyncCopy& copy) {
    return copy.is_store && copy.start.thread == thread.id && copy.group + pending < filling;
  };
  copies_.finish_reading(is_awaited, before_reading);
  if (!is_all) return;
  copies_.finish(is_awaited, [&](const AsyncCopy& copy) {
    before_landing(copy);
    copy.land();
  });
}

template <class BeforeLanding>
void AsyncUnit::complete_stores(const Thread& thread, BeforeLanding before_landing) {
  copies_.finish([&](const AsyncCopy& copy) { return copy.is_store && copy.is_read && copy.start.thread == thread.id; },
                 [&](const AsyncCopy& copy) {
                   before_landing(copy);
                   copy.land();
                 });
}

template <class Visit>
void AsyncUnit::drop_unawaited(const Thread& thread, Visit visit) {
  const auto is_left = [&](const AsyncCopy& copy) {
    return copy.barrier == 0 ? copy.start.thread == thread.id : copy.block == thread.block && thread.block->live == 1;
  };
  copies_.finish(is_left, visit);
}

}  // namespace warpwright::simulator

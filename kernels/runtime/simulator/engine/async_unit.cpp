// Asynchronous copies in flight, and barriers whose phases they complete.
#include "kernels/runtime/simulator/engine/async_unit.hpp"

#include <utility>

namespace warpwright::simulator {

void AsyncUnit::start(Thread& thread, void* to, const void* from, std::size_t bytes, std::uintptr_t barrier,
                      const AccessRecord& start) {
  this->start(thread, {.to = reinterpret_cast<std::uintptr_t>(to),
                       .from = reinterpret_cast<std::uintptr_t>(from),
                       .bytes = bytes,
                       .start = start,
                       .barrier = barrier});
}

void AsyncUnit::start(Thread& thread, AsyncCopy copy) {
  if (copy.block == nullptr) copy.block = thread.block;
  copy.block->has_extras = thread.block->has_extras = true;
  copy.group = copy.is_store ? thread.extras->store_group : thread.extras->copy_group;
  copies_.add(std::move(copy));
}

void AsyncUnit::commit(Thread& thread) {
  thread.block->has_extras = true;
  ++thread.extras->copy_group;
}

void AsyncUnit::commit_stores(Thread& thread) {
  thread.block->has_extras = true;
  ++thread.extras->store_group;
}

std::size_t AsyncUnit::hand_over(const Thread& thread, std::uintptr_t barrier) {
  return copies_.hand_over(thread.id, barrier);
}

void AsyncUnit::make_barrier(Block& block, std::uintptr_t address, unsigned arrivals, const AccessRecord& by) {
  block.phase_barriers[address] = {.arrivals = arrivals, .missing = arrivals, .set_up = by};
}

PhaseBarrier* AsyncUnit::barrier_at(Block& block, std::uintptr_t address) {
  const auto found = block.phase_barriers.find(address);
  return found == block.phase_barriers.end() ? nullptr : &found->second;
}

void AsyncUnit::fence(Thread& thread) {
  for (auto& [address, barrier] : thread.block->phase_barriers)
    if (barrier.set_up.thread == thread.id) barrier.visible_to_copies = true;
}

bool AsyncUnit::complete_phase(std::uintptr_t address, PhaseBarrier& barrier) {
  if (barrier.missing != 0 || copies_.bytes_of(address) != barrier.bytes) return false;
  copies_.finish([&](const AsyncCopy& copy) { return copy.barrier == address; },
                 [](const AsyncCopy& copy) { copy.land(); });
  ++barrier.phase;
  barrier.missing = barrier.arrivals;
  barrier.bytes = 0;
  return true;
}

const AsyncCopy* AsyncUnit::excess_copy(std::uintptr_t address, const PhaseBarrier& barrier) const {
  if (barrier.missing != 0 || copies_.bytes_of(address) <= barrier.bytes) return nullptr;
  return copies_.find([&](const AsyncCopy& copy) { return copy.barrier == address; });
}

}  // namespace warpwright::simulator

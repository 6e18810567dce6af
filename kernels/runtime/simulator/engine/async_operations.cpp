// Asynchronous copies and phase barriers, as device code calls them.
#include <fmt/format.h>

#include <cstring>

#include "kernels/runtime/common/tensor_map.cuh"
#include "kernels/runtime/simulator/engine/check_access.hpp"

namespace warpwright::simulator {
namespace {

constexpr unsigned barrier_bytes = sizeof(std::uint64_t);
constexpr std::size_t bulk_unit = 16, box_alignment = 128;

}  // namespace

void Engine::access_both(void* to, const void* from, std::size_t bytes, unsigned code, const void* site) {
  if (space_of(to) != Space::shared) out_of_bounds(reinterpret_cast<std::uintptr_t>(to), bytes, access_write, site);
  access_range(from, bytes, code, site);
  access_range(to, bytes, code | access_write, site);
}

void Engine::check_piece(void* to, const void* from, unsigned bytes, const void* site) {
  const auto both = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || both % bytes != 0)
    misaligned_copy(to, from, bytes, "it moves 4, 8 or 16 bytes, between multiples of that", site);
  access_both(to, from, bytes, 0, site);
}

void Engine::async_copy(void* to, const void* from, unsigned bytes, const void* site) {
  stop_exploring();
  check_piece(to, from, bytes, site);
  async_.start(running(), to, from, bytes, 0, record_of(site));
}

void Engine::barrier_copy(void* to, const void* from, unsigned bytes, void* pointer, const void* site) {
  stop_exploring();
  check_piece(to, from, bytes, site);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  // No other thread runs from here on, so nobody can wait for the phase before the copy belongs to it.
  PhaseBarrier& barrier = phase_barrier_at(pointer, access_write | access_release, site);
  complete_phase(address, barrier);
  async_.start(running(), to, from, bytes, address, record_of(site));
  barrier.bytes += bytes;
}

void Engine::async_commit() {
  loops_.note_change();
  AsyncUnit::commit(running());
}

void Engine::async_wait(unsigned pending) {
  show_newest();
  loops_.note_change();
  async_.wait(running(), pending, [&](const AsyncCopy& copy) {
    // Other threads see it after a later barrier.
    check_access(memory_.shadow_at(copy.to, *running().block), copy.to, copy.bytes, access_write,
                 module_base_ + copy.start.site);
  });
}

void Engine::bulk_copy(void* to, const void* from, unsigned bytes, void* barrier, const void* site) {
  stop_exploring();
  const auto both = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((both | bytes) % bulk_unit != 0 || bytes == 0)
    misaligned_copy(to, from, bytes, "a bulk copy moves a multiple of 16 bytes, between multiples of 16", site);
  access_both(to, from, bytes, access_bulk, site);
  if (trace_) trace_->add_bulk_copy(site, reinterpret_cast<std::uintptr_t>(from), bytes);
  start_bulk({.to = reinterpret_cast<std::uintptr_t>(to),
              .from = reinterpret_cast<std::uintptr_t>(from),
              .bytes = bytes,
              .barrier = reinterpret_cast<std::uintptr_t>(barrier)},
             site);
}

void Engine::bulk_copy_box(void* to, const void* map_of, int column, int row, void* barrier, const void* site) {
  stop_exploring();
  detail::simulated_tensor_map map;
  std::memcpy(&map, map_of, sizeof map);
  if (map.mark != detail::kTensorMapMark)
    fail(FindingKind::out_of_bounds, site,
         [] { return std::string("a bulk copy by what is no tensor map: the plan passes none for that parameter"); });
  const auto row_bytes = static_cast<std::size_t>(map.box_columns) * static_cast<std::size_t>(map.element_bytes);
  AsyncCopy copy{.to = reinterpret_cast<std::uintptr_t>(to),
                 .bytes = row_bytes * static_cast<std::size_t>(map.box_rows),
                 .box = BoxSource{.matrix = reinterpret_cast<std::uintptr_t>(map.first),
                                  .pitch = static_cast<std::ptrdiff_t>(map.pitch),
                                  .first_row = row,
                                  .first_byte = static_cast<long long>(column) * map.element_bytes,
                                  .rows = map.rows,
                                  .row_bytes = map.columns * map.element_bytes,
                                  .box_row_bytes = row_bytes,
                                  .swizzle = static_cast<unsigned>(map.swizzle)},
                 .barrier = reinterpret_cast<std::uintptr_t>(barrier)};
  if (copy.to % box_alignment != 0)
    misaligned_copy(to, map.first, copy.bytes, "a box goes to a multiple of 128 bytes", site);
  if (copy.box->first_byte % static_cast<long long>(bulk_unit) != 0)  // an illegal instruction on an H200
    misaligned_copy(to, map.first, copy.bytes, "a box begins at a column that is a multiple of 16 bytes", site);
  if (space_of(to) != Space::shared) out_of_bounds(copy.to, copy.bytes, access_write, site);
  copy.for_each_source([&](std::uintptr_t from, std::size_t bytes) {
    const auto* const first = reinterpret_cast<const void*>(from);
    if (programmatic_.is_on()) check_early(first, bytes, false, site);
    access_range(first, bytes, access_bulk, site);
    if (trace_) trace_->add_bulk_copy(site, from, bytes);
  });
  access_range(to, copy.bytes, access_bulk | access_write, site);
  start_bulk(copy, site);
}

void Engine::start_bulk(const AsyncCopy& copy, const void* site) {
  // As in barrier_copy.
  const PhaseBarrier& completed =
      phase_barrier_at(reinterpret_cast<void*>(copy.barrier), access_write | access_release, site);
  if (!completed.visible_to_copies) not_fenced(copy.barrier, completed, site);
  AsyncCopy started = copy;
  started.start = record_of(site);
  async_.start(running(), started);
  async_.note_bulk(started.start.site);
  check_expected_bytes(copy.barrier, completed, site);
}

PhaseBarrier& Engine::phase_barrier_at(void* barrier, unsigned code, const void* site) {
  access(barrier, barrier_bytes | access_atomic | access_newest | code, site);
  const auto address = reinterpret_cast<std::uintptr_t>(barrier);
  if (PhaseBarrier* const found = AsyncUnit::barrier_at(owner_of(address), address)) return *found;
  uninitialised(address, barrier_bytes, access_atomic, site);
  stop();
}

void Engine::phase_init(void* barrier, unsigned arrivals, const void* site) {
  stop_exploring();
  access(barrier, barrier_bytes | access_write, site);
  std::memset(barrier, 0, barrier_bytes);
  AsyncUnit::make_barrier(*running().block, reinterpret_cast<std::uintptr_t>(barrier), arrivals, record_of(site));
}

void Engine::fence_async(bool of_barriers) {
  Thread& self = running();
  AsyncUnit::fence(self);
  if (!memory_.check_races || of_barriers) return;
  self.block->has_extras = true;
  self.extras->products.fenced = self.time;
  self.extras->products.fenced_of_block = self.block->order.barrier_time;
  self.extras->products.fenced_of_others = self.extras->clocks.known;
  memory_.detector.tick(self);
}

unsigned Engine::phase_arrive(void* pointer, unsigned arrivals, unsigned expected_bytes, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  PhaseBarrier& barrier = phase_barrier_at(pointer, access_write | access_release, site);
  complete_phase(address, barrier);
  return arrive(address, barrier, arrivals, expected_bytes, site);
}

unsigned Engine::arrive(std::uintptr_t address, PhaseBarrier& barrier, unsigned arrivals, std::size_t bytes,
                        const void* site) {
  if (barrier.missing < arrivals) {
    fail(FindingKind::barrier_divergence, site, [&] {
      return fmt::format("more than {} arrivals in phase {} of a barrier", barrier.arrivals, barrier.phase);
    });
  }
  barrier.missing -= arrivals;
  barrier.bytes += bytes;
  const auto parity = static_cast<unsigned>(barrier.phase & 1);
  check_expected_bytes(address, barrier, site);
  loops_.note_change();
  return parity;
}

void Engine::phase_arrive_copied(void* pointer, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  // No other thread runs from here on: the barrier would have copies that it does not expect.
  PhaseBarrier& barrier = phase_barrier_at(pointer, access_write | access_release, site);
  complete_phase(address, barrier);
  arrive(address, barrier, 1, async_.hand_over(running(), address), site);
}

bool Engine::phase_done(void* pointer, unsigned parity, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  PhaseBarrier& barrier = phase_barrier_at(pointer, access_acquire, site);
  complete_phase(address, barrier);
  counters_.disturb(running());
  return (barrier.phase & 1) != (parity & 1);
}

void Engine::complete_phase(std::uintptr_t address, PhaseBarrier& barrier) {
  if (async_.complete_phase(address, barrier)) loops_.note_change();
}

}  // namespace warpwright::simulator

// Asynchronous copies and phase barriers, as device code calls them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/runtime/common/tensor_map.cuh"
#include "kernels/runtime/simulator/engine/check_access.hpp"

namespace warpwright::simulator {
namespace {

constexpr unsigned barrier_bytes = sizeof(std::uint64_t);
constexpr std::size_t bulk_unit = 16, box_alignment = 128;
constexpr unsigned update_code = access_write | access_atomic;  ///< of an element of a reduction

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

void Engine::bulk_copy(void* to, const void* from, unsigned bytes, void* barrier, unsigned blocks, const void* site) {
  stop_exploring();
  const auto both = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((both | bytes) % bulk_unit != 0 || bytes == 0)
    misaligned_copy(to, from, bytes, "a bulk copy moves a multiple of 16 bytes, between multiples of 16", site);
  if (space_of(to) != Space::shared) out_of_bounds(reinterpret_cast<std::uintptr_t>(to), bytes, access_write, site);
  if (space_of(from) == Space::shared) {
    check_shared_source(reinterpret_cast<std::uintptr_t>(from), bytes, site);
  } else {
    access_range(from, bytes, access_bulk, site);
    if (trace_) trace_->add_bulk_copy(site, reinterpret_cast<std::uintptr_t>(from), bytes);
  }
  start_bulk({.to = reinterpret_cast<std::uintptr_t>(to),
              .from = reinterpret_cast<std::uintptr_t>(from),
              .bytes = bytes,
              .barrier = reinterpret_cast<std::uintptr_t>(barrier)},
             blocks, site);
}

AsyncCopy Engine::copy_of_box(const BoxAt& at, const void* shared, bool is_store, const void* site) {
  detail::simulated_tensor_map map;
  std::memcpy(&map, at.map, sizeof map);
  if (map.mark != detail::kTensorMapMark)
    fail(FindingKind::out_of_bounds, site,
         [] { return std::string("a bulk copy by what is no tensor map: the plan passes none for that parameter"); });
  if (static_cast<unsigned>(map.dimensions) != at.dimensions)
    fail(FindingKind::out_of_bounds, site, [&] {
      return fmt::format("a bulk copy of a box of {} dimensions by a tensor map of {}", at.dimensions, map.dimensions);
    });
  const auto row_bytes = static_cast<std::size_t>(map.box[0]) * static_cast<std::size_t>(map.element_bytes);
  AsyncCopy copy{.bytes = row_bytes,
                 .box = Box{.tensor = reinterpret_cast<std::uintptr_t>(map.first),
                            .first_byte = static_cast<long long>(at.first[0]) * map.element_bytes,
                            .row_bytes = map.extents[0] * map.element_bytes,
                            .box_row_bytes = row_bytes,
                            .swizzle = static_cast<unsigned>(map.swizzle)},
                 .is_store = is_store};
  (is_store ? copy.from : copy.to) = reinterpret_cast<std::uintptr_t>(shared);
  for (unsigned i = 1; i < at.dimensions; ++i) {
    copy.bytes *= static_cast<std::size_t>(map.box[i]);
    copy.box->outer.at(i - 1) = {.first = at.first[i],
                                 .size = map.box[i],
                                 .extent = map.extents[i],
                                 .pitch = static_cast<std::ptrdiff_t>(map.pitches[i - 1])};
  }
  const auto refuse = [&](const char* rule) {
    if (is_store) misaligned_copy(map.first, shared, copy.bytes, rule, site);
    misaligned_copy(shared, map.first, copy.bytes, rule, site);
  };
  if (reinterpret_cast<std::uintptr_t>(shared) % box_alignment != 0)
    refuse(is_store ? "a box comes from a multiple of 128 bytes" : "a box goes to a multiple of 128 bytes");
  // CUDA programming guide, "Tensor Memory Accelerator": the corner of a stored box must not be negative.
  if (const int* const negative = std::find_if(at.first, at.first + at.dimensions, [](int one) { return one < 0; });
      is_store && negative != at.first + at.dimensions)
    fail(FindingKind::out_of_bounds, site, [&] {
      return fmt::format(
          "a box is stored from {} on in dimension {} of its tensor: it may end outside, but must not begin at a "
          "negative place",
          *negative, negative - at.first);
    });
  if (copy.box->first_byte % static_cast<long long>(bulk_unit) != 0)  // an illegal instruction on an H200
    refuse("a box begins at a column that is a multiple of 16 bytes");
  if (space_of(shared) != Space::shared)
    out_of_bounds(reinterpret_cast<std::uintptr_t>(shared), copy.bytes, is_store ? 0U : unsigned{access_write}, site);
  return copy;
}

void Engine::bulk_copy_box(void* to, const BoxAt& box, void* barrier, unsigned blocks, const void* site) {
  stop_exploring();
  AsyncCopy copy = copy_of_box(box, to, false, site);
  copy.barrier = reinterpret_cast<std::uintptr_t>(barrier);
  copy.for_each_source([&](std::uintptr_t from, std::size_t bytes) {
    const auto* const first = reinterpret_cast<const void*>(from);
    if (programmatic_.is_on()) check_early(first, bytes, false, site);
    access_range(first, bytes, access_bulk, site);
    if (trace_) trace_->add_bulk_copy(site, from, bytes);
  });
  start_bulk(copy, blocks, site);
}

void Engine::store_async(void* to, const void* value, unsigned bytes, void* barrier, const void* site) {
  stop_exploring();
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  if (space_of(to) != Space::shared) out_of_bounds(address, bytes, access_write, site);
  if (address % bytes != 0) misaligned(address, bytes, access_write, site);
  const auto* const begin = static_cast<const std::byte*>(value);
  start_bulk({.to = address,
              .bytes = bytes,
              .barrier = reinterpret_cast<std::uintptr_t>(barrier),
              .is_read = true,
              .read = {begin, begin + bytes}},
             site);
}

void Engine::start_bulk(AsyncCopy copy, unsigned blocks, const void* site) {
  if (blocks == 0) return start_bulk(std::move(copy), site);
  const auto there = [&](std::uintptr_t address, unsigned rank) {
    return reinterpret_cast<std::uintptr_t>(map_shared(reinterpret_cast<const void*>(address), rank, site));
  };
  for (unsigned rank = 0; blocks >> rank != 0; ++rank) {
    if ((blocks >> rank & 1) == 0) continue;
    AsyncCopy one = copy;
    one.to = there(copy.to, rank);
    one.barrier = there(copy.barrier, rank);
    start_bulk(std::move(one), site);
  }
}

void Engine::start_bulk(AsyncCopy copy, const void* site) {
  access_range(reinterpret_cast<const void*>(copy.to), copy.bytes, access_bulk | access_write, site);
  if (has_clusters_ && &owner_of(copy.to) != &owner_of(copy.barrier))
    fail(FindingKind::out_of_bounds, site,
         [] { return std::string("a bulk copy to a block of the cluster, and its barrier is in another one"); });
  // As in barrier_copy.
  const PhaseBarrier& completed =
      phase_barrier_at(reinterpret_cast<void*>(copy.barrier), access_write | access_release, site);
  if (!completed.visible_to_copies) not_fenced(copy.barrier, completed, site);
  copy.start = record_of(site);
  copy.block = &owner_of(copy.barrier);
  async_.note_bulk(copy.start.site);
  const std::uintptr_t barrier = copy.barrier;
  async_.start(running(), std::move(copy));
  check_expected_bytes(barrier, completed, site);
}

void Engine::bulk_store(void* to, const void* from, unsigned bytes, const void* site, ElementReduction elements) {
  stop_exploring();
  const auto both = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((both | bytes) % bulk_unit != 0 || bytes == 0)
    misaligned_copy(to, from, bytes, "a bulk copy moves a multiple of 16 bytes, between multiples of 16", site);
  if (space_of(from) != Space::shared) out_of_bounds(reinterpret_cast<std::uintptr_t>(from), bytes, 0, site);
  if (space_of(to) != Space::global) out_of_bounds(reinterpret_cast<std::uintptr_t>(to), bytes, access_write, site);
  start_store({.to = reinterpret_cast<std::uintptr_t>(to),
               .from = reinterpret_cast<std::uintptr_t>(from),
               .bytes = bytes,
               .is_store = true,
               .elements = elements},
              site);
}

void Engine::bulk_store_box(const BoxAt& box, const void* from, const void* site) {
  stop_exploring();
  start_store(copy_of_box(box, from, true, site), site);
}

void Engine::check_shared_source(std::uintptr_t from, std::size_t bytes, const void* site) {
  access_range(reinterpret_cast<const void*>(from), bytes, access_bulk, site);
  if (&owner_of(from) != running().block) out_of_bounds(from, bytes, 0, site);
  if (!memory_.check_races) return;
  for (std::uintptr_t piece = from / bulk_unit * bulk_unit; piece < from + bytes; piece += bulk_unit)
    check_proxy(piece, nullptr, site);
}

void Engine::start_store(const AsyncCopy& copy, const void* site) {
  copy.for_each_source([&](std::uintptr_t from, std::size_t bytes) { check_shared_source(from, bytes, site); });
  copy.for_each_target([&](std::uintptr_t to, std::size_t bytes) {
    if (programmatic_.is_on()) check_early(reinterpret_cast<const void*>(to), bytes, true, site);
    if (copy.elements.bytes == 0)
      access_range(reinterpret_cast<const void*>(to), bytes, access_bulk | access_write, site);
    else
      for (std::size_t at = 0; at < bytes; at += copy.elements.bytes)
        access(reinterpret_cast<const void*>(to + at), copy.elements.bytes | access_bulk | update_code, site);
    if (trace_) trace_->add_bulk_store(site, to, bytes);
  });
  AsyncCopy started = copy;
  started.start = record_of(site);
  async_.start(running(), started);
}

void Engine::bulk_commit() {
  loops_.note_change();
  AsyncUnit::commit_stores(running());
}

void Engine::bulk_wait(unsigned pending, bool is_all) {
  show_newest();
  loops_.note_change();
  // What other threads do after a later barrier comes after the reads, or the writes.
  async_.wait_for_stores(
      running(), pending, is_all,
      [&](const AsyncCopy& copy) {
        copy.for_each_source([&](std::uintptr_t from, std::size_t bytes) {
          check_bulk(from, bytes, 0, module_base_ + copy.start.site);
        });
      },
      [&](const AsyncCopy& copy) { check_landing(copy); });
}

void Engine::complete_stores() {
  async_.complete_stores(running(), [&](const AsyncCopy& copy) { check_landing(copy); });
}

void Engine::check_landing(const AsyncCopy& copy) {
  const void* const site = module_base_ + copy.start.site;
  copy.for_each_target([&](std::uintptr_t to, std::size_t bytes) {
    if (copy.elements.bytes == 0) return check_bulk(to, bytes, access_write, site);
    for (std::size_t at = 0; at < bytes; at += copy.elements.bytes)
      check_bulk(to + at, copy.elements.bytes, update_code, site);
  });
}

void Engine::check_bulk(std::uintptr_t address, std::size_t bytes, unsigned code, const void* site) {
  if (memory_.global.contains(address) && memory_.global.region_near(address).read_only) return;  // has no shadow
  while (bytes > 0) {
    std::size_t piece = bulk_unit;
    while (piece > bytes || (address & (piece - 1)) != 0) piece /= 2;
    check_access(memory_.shadow_at(address, *running().block), address, piece, code, site);
    address += piece;
    bytes -= piece;
  }
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

// Asynchronous copies: what is under way, when it is visible, and the barriers whose phases bulk copies complete.
#include <fmt/format.h>

#include <cstring>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {
namespace {

constexpr unsigned barrier_bytes = sizeof(std::uint64_t);
constexpr std::size_t bulk_unit = 16;

void land(const AsyncCopy& transfer) {
  std::memcpy(reinterpret_cast<void*>(transfer.to), reinterpret_cast<const void*>(transfer.from), transfer.bytes);
}

}  // namespace

void Engine::access_both(void* to, const void* from, std::size_t bytes, unsigned code, const void* site) {
  if (space_of(to) != Space::shared) out_of_bounds(reinterpret_cast<std::uintptr_t>(to), bytes, access_write, site);
  access_range(from, bytes, code, site);
  access_range(to, bytes, code | access_write, site);
}

AccessRecord Engine::record_of(const void* site) const {
  const auto offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(site) - module_base_);
  return {running_->id, running_->time, offset, weak};
}

void Engine::start_transfer(void* to, const void* from, std::size_t bytes, std::uintptr_t barrier, const void* site) {
  running_->block->has_extras = true;
  async_copies_.add({.to = reinterpret_cast<std::uintptr_t>(to),
                     .from = reinterpret_cast<std::uintptr_t>(from),
                     .bytes = bytes,
                     .block = running_->block,
                     .start = record_of(site),
                     .group = running_->extras->copy_group,
                     .barrier = barrier});
}

void Engine::disturbed(const AsyncCopy& transfer, std::uintptr_t address, std::size_t size, unsigned code,
                       const void* site) {
  const void* const start = module_base_ + transfer.start.site;
  add_once(FindingKind::unfinished_copy, site, start, [&] {
    MemoryLocation spot = spot_of(address);
    const bool is_written = address < transfer.to + transfer.bytes && transfer.to < address + size;
    Finding finding = finding_by(
        FindingKind::unfinished_copy, *running_, site,
        fmt::format("{} of {} bytes {} while an asynchronous copy {} it: it is still under way, no wait covers it",
                    (code & access_write) != 0 ? "store" : "load", size, spot.words, is_written ? "writes" : "reads"));
    at_spot(finding, std::move(spot), address);
    finding.other = place_of(transfer.start);
    return finding;
  });
}

void Engine::leave_transfers(const Thread& thread) {
  const auto is_left = [&](const AsyncCopy& transfer) {
    return transfer.barrier == 0 ? transfer.start.thread == thread.id
                                 : transfer.block == thread.block && thread.block->live == 1;
  };
  async_copies_.finish(is_left, [&](const AsyncCopy& transfer) {
    const void* const start = module_base_ + transfer.start.site;
    add_once(FindingKind::unfinished_copy, start, nullptr, [&] {
      MemoryLocation spot = spot_of(transfer.to);
      Finding finding =
          finding_by(FindingKind::unfinished_copy, thread, start,
                     fmt::format("nobody waits for the asynchronous copy of {} bytes {}", transfer.bytes, spot.words));
      finding.place = place_of(transfer.start);
      at_spot(finding, std::move(spot), transfer.to);
      return finding;
    });
  });
}

void Engine::misaligned_copy(const void* to, const void* from, std::size_t bytes, const char* rule, const void* site) {
  {
    const auto place = reinterpret_cast<std::uintptr_t>(to);
    MemoryLocation spot = spot_of(place);
    Finding finding = finding_by(FindingKind::misaligned, *running_, site,
                                 fmt::format("asynchronous copy of {} bytes {}, from {}: {}", bytes, spot.words,
                                             spot_of(reinterpret_cast<std::uintptr_t>(from)).words, rule));
    at_spot(finding, std::move(spot), place);
    add(std::move(finding));
  }
  stop();
}

void Engine::check_piece(void* to, const void* from, unsigned bytes, const void* site) {
  const auto both = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || both % bytes != 0)
    misaligned_copy(to, from, bytes, "it moves 4, 8 or 16 bytes, between multiples of that", site);
  access_both(to, from, bytes, 0, site);
}

void Engine::async_copy(void* to, const void* from, unsigned bytes, const void* site) {
  check_piece(to, from, bytes, site);
  start_transfer(to, from, bytes, 0, site);
}

void Engine::barrier_copy(void* to, const void* from, unsigned bytes, void* pointer, const void* site) {
  check_piece(to, from, bytes, site);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  // Who waits for the phase that the copy completes knows of it: no other thread runs from here on.
  PhaseBarrier& barrier = phase_barrier_at(pointer, access_write | access_release, site);
  complete_phase(address, barrier);
  start_transfer(to, from, bytes, address, site);
  barrier.bytes += bytes;
}

void Engine::async_commit() {
  running_->block->has_extras = true;
  ++running_->extras->copy_group;
}

void Engine::async_wait(unsigned pending) {
  show_newest();
  const unsigned filling = running_->extras->copy_group;
  async_copies_.finish(
      [&](const AsyncCopy& transfer) {
        return transfer.barrier == 0 && transfer.start.thread == running_->id && transfer.group + pending < filling;
      },
      [&](const AsyncCopy& transfer) {
        // Other threads see it behind a barrier that follows.
        judge(remembered_at(transfer.to), transfer.to, transfer.bytes, access_write,
              module_base_ + transfer.start.site);
        land(transfer);
      });
}

void Engine::bulk_copy(void* to, const void* from, unsigned bytes, void* barrier, const void* site) {
  const auto both = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((both | bytes) % bulk_unit != 0 || bytes == 0)
    misaligned_copy(to, from, bytes, "a bulk copy moves a multiple of 16 bytes, between multiples of 16", site);
  const auto address = reinterpret_cast<std::uintptr_t>(barrier);
  access_both(to, from, bytes, access_bulk, site);
  if (trace_) trace_->add_bulk_copy(site, reinterpret_cast<std::uintptr_t>(from), bytes);
  // Who waits for the phase that the copy completes knows of it: no other thread runs from here on.
  const PhaseBarrier& completed = phase_barrier_at(barrier, access_write | access_release, site);
  if (!completed.visible_to_copies) not_fenced(address, completed, site);
  start_transfer(to, from, bytes, address, site);
  check_expected_bytes(address, completed, site);
}

PhaseBarrier& Engine::phase_barrier_at(void* barrier, unsigned code, const void* site) {
  access(barrier, barrier_bytes | access_atomic | access_newest | code, site);
  auto& barriers = running_->block->phase_barriers;
  const auto address = reinterpret_cast<std::uintptr_t>(barrier);
  const auto found = barriers.find(address);
  if (found != barriers.end()) return found->second;
  uninitialised(address, barrier_bytes, access_atomic, site);
  stop();
}

void Engine::phase_init(void* barrier, unsigned arrivals, const void* site) {
  access(barrier, barrier_bytes | access_write, site);
  std::memset(barrier, 0, barrier_bytes);
  running_->block->phase_barriers[reinterpret_cast<std::uintptr_t>(barrier)] = {
      .arrivals = arrivals, .missing = arrivals, .set_up = record_of(site)};
}

void Engine::fence_async() {
  for (auto& [address, barrier] : running_->block->phase_barriers)
    if (barrier.set_up.thread == running_->id) barrier.visible_to_copies = true;
}

void Engine::not_fenced(std::uintptr_t address, const PhaseBarrier& barrier, const void* site) {
  add_once(FindingKind::race, site, module_base_ + barrier.set_up.site, [&] {
    MemoryLocation spot = spot_of(address);
    Finding finding = finding_by(
        FindingKind::race, *running_, site,
        fmt::format("a bulk copy uses the barrier {}, and no fence_async has followed its phase_init", spot.words));
    at_spot(finding, std::move(spot), address);
    finding.other = place_of(barrier.set_up);
    return finding;
  });
}

unsigned Engine::phase_arrive(void* pointer, unsigned expected_bytes, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  PhaseBarrier& barrier = phase_barrier_at(pointer, access_write | access_release, site);
  complete_phase(address, barrier);
  if (barrier.missing == 0) {
    add(finding_by(FindingKind::barrier_divergence, *running_, site,
                   fmt::format("more than {} arrivals in phase {} of a barrier", barrier.arrivals, barrier.phase)));
    stop();
  }
  --barrier.missing;
  barrier.bytes += expected_bytes;
  const auto parity = static_cast<unsigned>(barrier.phase & 1);
  check_expected_bytes(address, barrier, site);
  fruitless_polls_ = 0;
  return parity;
}

bool Engine::phase_done(void* pointer, unsigned parity, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  PhaseBarrier& barrier = phase_barrier_at(pointer, access_acquire, site);
  complete_phase(address, barrier);
  return (barrier.phase & 1) != (parity & 1);
}

void Engine::complete_phase(std::uintptr_t address, PhaseBarrier& barrier) {
  if (barrier.missing != 0 || async_copies_.bytes_of(address) != barrier.bytes) return;
  async_copies_.finish([&](const AsyncCopy& transfer) { return transfer.barrier == address; }, land);
  ++barrier.phase;
  barrier.missing = barrier.arrivals;
  barrier.bytes = 0;
  fruitless_polls_ = 0;
}

void Engine::check_expected_bytes(std::uintptr_t address, const PhaseBarrier& barrier, const void* site) {
  const std::size_t coming = async_copies_.bytes_of(address);
  if (barrier.missing != 0 || coming <= barrier.bytes) return;
  {
    const AsyncCopy* const transfer = async_copies_.find([&](const AsyncCopy& one) { return one.barrier == address; });
    MemoryLocation spot = spot_of(address);
    Finding finding =
        finding_by(FindingKind::unfinished_copy, *running_, site,
                   fmt::format("phase {} of the barrier {} expects {} bytes, and copies of {} are under way",
                               barrier.phase, spot.words, barrier.bytes, coming));
    at_spot(finding, std::move(spot), address);
    finding.other = place_of(transfer->start);
    add(std::move(finding));
  }
  stop();
}

}  // namespace warpwright::simulator

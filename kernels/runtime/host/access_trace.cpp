// Counts what the warps of a launch ask of the memory system, from the accesses of their threads.
#include "kernels/runtime/host/access_trace.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace warpwright::host {
namespace {

constexpr unsigned sector_bytes = 32;
constexpr unsigned banks = 32;
constexpr unsigned bank_bytes = 4;
constexpr std::uint32_t all_lanes = 0xffffffffu;

template <class Unit>
std::size_t distinct_units(const Request& request, Unit unit_bytes) {
  std::array<std::uint64_t, 32 * 16> units;
  std::size_t count = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((request.lanes >> lane & 1u) == 0) continue;
    const std::uint64_t last = (request.addresses[lane] + request.bytes - 1) / unit_bytes;
    for (std::uint64_t unit = request.addresses[lane] / unit_bytes; unit <= last; ++unit) units[count++] = unit;
  }
  std::sort(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(count));
  return static_cast<std::size_t>(std::unique(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(count)) -
                                  units.begin());
}

/// Lanes that go through the banks together.
unsigned lanes_per_pass(const Request& request) {
  return request.bytes <= bank_bytes ? 32 : 32 * bank_bytes / request.bytes;
}

unsigned wavefronts_of_lanes(const Request& request, unsigned begin, unsigned end) {
  std::array<std::uint64_t, 32 * 4> words;
  std::size_t count = 0;
  for (unsigned lane = begin; lane < end; ++lane) {
    if ((request.lanes >> lane & 1u) == 0) continue;
    const std::uint64_t last = (request.addresses[lane] + request.bytes - 1) / bank_bytes;
    for (std::uint64_t word = request.addresses[lane] / bank_bytes; word <= last; ++word) words[count++] = word;
  }
  const auto used = std::span(words).first(count);
  std::sort(used.begin(), used.end());
  std::array<unsigned, banks> words_of_bank{};
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || used[i] != used[i - 1]) ++words_of_bank[used[i] % banks];
  }
  return *std::max_element(words_of_bank.begin(), words_of_bank.end());
}

}  // namespace

unsigned sectors_of(const Request& request) {
  return static_cast<unsigned>(distinct_units(request, sector_bytes));
}

unsigned distinct_bytes_of(const Request& request) {
  const unsigned unit = request.bytes;
  const bool aligned = std::all_of(request.addresses.begin(), request.addresses.end(),
                                   [&](std::uint64_t address) { return address % unit == 0; });
  return aligned ? static_cast<unsigned>(distinct_units(request, unit)) * unit
                 : static_cast<unsigned>(distinct_units(request, 1u));
}

unsigned wavefronts_of(const Request& request) {
  const unsigned step = lanes_per_pass(request);
  unsigned total = 0;
  for (unsigned begin = 0; begin < 32; begin += step) total += wavefronts_of_lanes(request, begin, begin + step);
  return total;
}

unsigned least_wavefronts_of(const Request& request) {
  const unsigned step = lanes_per_pass(request);
  unsigned total = 0;
  for (unsigned begin = 0; begin < 32; begin += step) {
    const std::uint32_t part = step == 32 ? all_lanes : ((1u << step) - 1) << begin;
    total += (request.lanes & part) != 0 ? 1 : 0;
  }
  return total;
}

AccessTrace::WarpStreams& AccessTrace::warp_streams(std::size_t block_slot, std::size_t warp) {
  if (block_slot >= warps_.size()) warps_.resize(block_slot + 1);
  auto& block = warps_[block_slot];
  if (warp >= block.size()) block.resize(warp + 1);
  return block[warp];
}

void AccessTrace::add(std::size_t block_slot, std::size_t warp, unsigned lane, std::uint32_t existing_lanes,
                      const void* site, MemorySpace space, bool store, std::uint64_t address, std::size_t bytes) {
  WarpStreams& streams = warp_streams(block_slot, warp);
  const auto [found, inserted] = streams.index.try_emplace(site, streams.streams.size());
  if (inserted) {
    streams.streams.emplace_back();
    streams.streams.back().site = site;
  }
  Stream& stream = streams.streams[found->second];
  const std::uint32_t position = stream.executed[lane]++ - stream.first;
  if (position >= stream.pending.size()) stream.pending.resize(position + 1);
  Pending& pending = stream.pending[position];
  pending.space = space;
  pending.store = store;
  pending.request.addresses[lane] = address;
  pending.request.lanes |= 1u << lane;
  pending.request.bytes = static_cast<std::uint8_t>(bytes);
  std::size_t complete = 0;
  while (complete < stream.pending.size() && stream.pending[complete].request.lanes == existing_lanes) {
    count(site, stream.pending[complete++]);
  }
  stream.pending.erase(stream.pending.begin(), stream.pending.begin() + static_cast<std::ptrdiff_t>(complete));
  stream.first += static_cast<std::uint32_t>(complete);
}

void AccessTrace::add_atomic(const void* site, MemorySpace space) {
  AccessCounts& counts = sites_[site];
  ++(space == MemorySpace::global ? counts.global_atomics : counts.shared_atomics);
}

void AccessTrace::add_barrier(const void* site) {
  ++sites_[site].barriers;
}

void AccessTrace::add_warp_operation(const void* site) {
  ++sites_[site].warp_operations;
}

void AccessTrace::finish_block(std::size_t block_slot) {
  if (block_slot >= warps_.size()) return;
  for (WarpStreams& warp : warps_[block_slot]) {
    for (Stream& stream : warp.streams) {
      for (const Pending& pending : stream.pending) count(stream.site, pending);
      stream.pending.clear();
      stream.executed.fill(0);
      stream.first = 0;
    }
  }
}

void AccessTrace::count(const void* site, const Pending& pending) {
  AccessCounts& counts = sites_[site];
  const Request& request = pending.request;
  if (pending.space == MemorySpace::global) {
    (pending.store ? counts.global_store_requests : counts.global_load_requests) += 1;
    (pending.store ? counts.global_store_sectors : counts.global_load_sectors) += sectors_of(request);
    (pending.store ? counts.global_store_bytes : counts.global_load_bytes) += distinct_bytes_of(request);
  } else {
    (pending.store ? counts.shared_store_requests : counts.shared_load_requests) += 1;
    (pending.store ? counts.shared_store_wavefronts : counts.shared_load_wavefronts) += wavefronts_of(request);
    counts.shared_least_wavefronts += least_wavefronts_of(request);
  }
}

}  // namespace warpwright::host

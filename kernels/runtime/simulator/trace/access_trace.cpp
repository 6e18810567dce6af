// Counts the memory requests of the warps of a launch, from the accesses of their threads.
#include "kernels/runtime/simulator/trace/access_trace.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace warpwright::simulator {
namespace {

constexpr unsigned sector_bytes = 32;
constexpr unsigned line_bytes = 128;
constexpr unsigned banks = 32;
constexpr unsigned bank_bytes = 4;
constexpr std::uint32_t all_lanes = 0xffffffffu;
constexpr std::size_t worth_forgetting = 256;

template <class Unit>
std::size_t distinct_units(const Request& request, Unit unit_bytes) {
  std::array<std::uint64_t, 32 * 16> units;
  std::size_t count = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((request.lanes >> lane & 1u) == 0) continue;
    const std::uint64_t last = (request.addresses[lane] + request.bytes - 1) / unit_bytes;
    for (std::uint64_t unit = request.addresses[lane] / unit_bytes; unit <= last; ++unit) units[count++] = unit;
  }
  const auto used = std::span(units).first(count);
  if (!std::is_sorted(used.begin(), used.end())) std::sort(used.begin(), used.end());
  return static_cast<std::size_t>(std::unique(used.begin(), used.end()) - used.begin());
}

/// All lanes access consecutive addresses in the order of their numbers: the usual request.
bool is_consecutive(const Request& request) {
  if (request.lanes != all_lanes) return false;
  for (unsigned lane = 1; lane < 32; ++lane) {
    if (request.addresses[lane] - request.addresses[lane - 1] != request.bytes) return false;
  }
  return true;
}

/// How many lanes access the banks in one pass.
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
  if (!std::is_sorted(used.begin(), used.end())) std::sort(used.begin(), used.end());
  std::array<unsigned, banks> words_of_bank{};
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || used[i] != used[i - 1]) ++words_of_bank[used[i] % banks];
  }
  return *std::max_element(words_of_bank.begin(), words_of_bank.end());
}

}  // namespace

unsigned sectors_of(const Request& request) {
  if (is_consecutive(request)) {
    const std::uint64_t last = request.addresses[31] + request.bytes - 1;
    return static_cast<unsigned>(last / sector_bytes - request.addresses[0] / sector_bytes + 1);
  }
  return static_cast<unsigned>(distinct_units(request, sector_bytes));
}

unsigned distinct_bytes_of(const Request& request) {
  const unsigned unit = request.bytes;
  if (is_consecutive(request)) return 32 * unit;
  const bool aligned = std::all_of(request.addresses.begin(), request.addresses.end(),
                                   [&](std::uint64_t address) { return address % unit == 0; });
  return aligned ? static_cast<unsigned>(distinct_units(request, unit)) * unit
                 : static_cast<unsigned>(distinct_units(request, 1u));
}

unsigned wavefronts_of(const Request& request) {
  // A pass over consecutive words asks every bank for one, if no word is split between two of them.
  if (is_consecutive(request) && request.addresses[0] % bank_bytes == 0) return least_wavefronts_of(request);
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

unsigned atomic_wavefronts_of(const Request& request) {
  std::array<unsigned, banks> lanes_of_bank{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((request.lanes >> lane & 1u) == 0) continue;
    const std::uint64_t last = (request.addresses[lane] + request.bytes - 1) / bank_bytes;
    for (std::uint64_t word = request.addresses[lane] / bank_bytes; word <= last; ++word) ++lanes_of_bank[word % banks];
  }
  return *std::max_element(lanes_of_bank.begin(), lanes_of_bank.end());
}

AccessTrace::Warp* AccessTrace::warps_of(std::size_t block_slot, std::size_t count) {
  if (block_slot >= warps_.size()) warps_.resize(block_slot + 1);
  auto& block = warps_[block_slot];
  if (count > block.size()) block.resize(count);
  return block.data();
}

void AccessTrace::restart() {
  for (auto& block : warps_) {
    for (Warp& warp : block) {
      for (Stream& stream : warp.streams) stream.restart();
    }
  }
  known_.fill({});
  numbers_.clear();
  atomics_.clear();
  sites_.clear();
}

std::size_t AccessTrace::look_up(const void* site) {
  const auto [found, inserted] = numbers_.try_emplace(site, sites_.size());
  if (inserted) sites_.push_back({.site = site});
  return found->second;
}

void AccessTrace::add(Warp& warp, unsigned lane, std::uint32_t existing_lanes, const void* site, Access access,
                      std::uint64_t address, std::size_t bytes) {
  const std::size_t number = number_of(site);
  if (number >= warp.streams.size()) [[unlikely]]
    warp.streams.resize(std::max(warp.streams.size(), sites_.size()));
  Stream& stream = warp.streams[number];
  const std::uint32_t position = stream.executed[lane]++ - stream.first;
  if (position >= stream.pending.size()) stream.pending.resize(position + 1);
  Pending& last = stream.pending[position];
  last.access = access;
  last.request.addresses[lane] = address;
  last.request.lanes |= 1u << lane;
  last.request.bytes = static_cast<std::uint8_t>(bytes);
  if (position != stream.counted || last.request.lanes != existing_lanes) return;
  auto& [executed, first, counted, pending] = stream;
  while (counted < pending.size() && pending[counted].request.lanes == existing_lanes) {
    count(sites_[number].counts, pending[counted++]);
  }
  // Done seldom, because the rest must be moved.
  if (counted == pending.size() || counted >= worth_forgetting) {
    pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(counted));
    first += static_cast<std::uint32_t>(counted);
    counted = 0;
  }
}

void AccessTrace::add_global_atomic(const void* site, std::size_t buffer, std::uint64_t offset) {
  add_global_atomic(site);
  ++atomics_[buffer][offset / line_bytes];
}

std::vector<AtomicCounts> AccessTrace::take_atomics() {
  std::vector<AtomicCounts> taken;
  for (const auto& [buffer, lines] : atomics_) {
    AtomicCounts& counts = taken.emplace_back(AtomicCounts{.buffer = buffer});
    for (const auto& [line, updates] : lines) {
      counts.updates += updates;
      counts.busiest_line = std::max(counts.busiest_line, updates);
    }
  }
  atomics_.clear();
  return taken;
}

void AccessTrace::add_bulk_copy(const void* site, std::uint64_t address, std::uint64_t bytes) {
  AccessCounts& counts = sites_[number_of(site)].counts;
  const std::uint64_t last = address + bytes - 1;
  counts.global_load_requests += last / line_bytes - address / line_bytes + 1;
  counts.global_load_sectors += last / sector_bytes - address / sector_bytes + 1;
  counts.global_load_bytes += bytes;
  const std::uint64_t passes = (bytes + line_bytes - 1) / line_bytes;
  counts.shared_store_requests += passes;
  counts.shared_store_wavefronts += passes;
  counts.shared_least_wavefronts += passes;
}

void AccessTrace::add_bulk_store(const void* site, std::uint64_t address, std::uint64_t bytes) {
  AccessCounts& counts = sites_[number_of(site)].counts;
  const std::uint64_t last = address + bytes - 1;
  counts.global_store_requests += last / line_bytes - address / line_bytes + 1;
  counts.global_store_sectors += last / sector_bytes - address / sector_bytes + 1;
  counts.global_store_bytes += bytes;
  const std::uint64_t passes = (bytes + line_bytes - 1) / line_bytes;
  counts.shared_load_requests += passes;
  counts.shared_load_wavefronts += passes;
  counts.shared_least_wavefronts += passes;
}

void AccessTrace::add_barrier(const void* site) {
  ++sites_[number_of(site)].counts.barriers;
}

void AccessTrace::add_warp_operation(const void* site, std::uint64_t AccessCounts::*exchange, std::uint64_t times) {
  AccessCounts& counts = sites_[number_of(site)].counts;
  ++counts.warp_operations;
  if (exchange != nullptr) counts.*exchange += times;
}

void AccessTrace::meet_block(std::size_t block_slot) {
  if (block_slot >= warps_.size()) return;
  for (Warp& warp : warps_[block_slot]) {
    for (std::size_t number = 0; number < warp.streams.size(); ++number) {
      Stream& stream = warp.streams[number];
      for (; stream.counted < stream.pending.size(); ++stream.counted)
        count(sites_[number].counts, stream.pending[stream.counted]);
      stream.restart();
    }
  }
}

void AccessTrace::count(AccessCounts& counts, const Pending& pending) {
  const Request& request = pending.request;
  switch (pending.access) {
    case Access::global_load:
      ++counts.global_load_requests;
      counts.global_load_sectors += sectors_of(request);
      counts.global_load_bytes += distinct_bytes_of(request);
      return;
    case Access::global_store:
      ++counts.global_store_requests;
      counts.global_store_sectors += sectors_of(request);
      counts.global_store_bytes += distinct_bytes_of(request);
      return;
    case Access::shared_load:
      ++counts.shared_load_requests;
      counts.shared_load_wavefronts += wavefronts_of(request);
      counts.shared_least_wavefronts += least_wavefronts_of(request);
      return;
    case Access::shared_store:
      ++counts.shared_store_requests;
      counts.shared_store_wavefronts += wavefronts_of(request);
      counts.shared_least_wavefronts += least_wavefronts_of(request);
      return;
    case Access::shared_atomic:
      counts.shared_atomics += static_cast<unsigned>(std::popcount(request.lanes));
      ++counts.shared_atomic_requests;
      counts.shared_atomic_wavefronts += atomic_wavefronts_of(request);
  }
}

}  // namespace warpwright::simulator

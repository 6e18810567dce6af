// What a finding says: which access, where it stands, and who did it.
#include <fmt/format.h>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {
namespace {

const char* verb_of(unsigned code) {
  if ((code & access_atomic) != 0) return (code & access_write) != 0 ? "atomic update" : "atomic load";
  return (code & access_write) != 0 ? "store" : "load";
}

constexpr const char* locals_hint = ", as with an index or pointer that nobody initialised";

/// Whether it is what an uninitialised index or half a pointer is, or what a little arithmetic makes of it.
bool is_near_pattern(std::int64_t index) {
  constexpr std::int64_t pattern = 0xfefefefe, nearby = 1 << 16;
  return std::abs(index - pattern) < nearby || std::abs(index - static_cast<std::int32_t>(pattern)) < nearby;
}

Dim3 dim3_of(Index3 index) {
  return {index.x, index.y, index.z};
}

}  // namespace

std::string Engine::hint_at_locals(std::int64_t index) {
  return is_near_pattern(index) ? locals_hint : "";
}

std::string Engine::hint_at_locals(std::uintptr_t address, std::size_t size) const {
  const auto step = static_cast<std::int64_t>(size);
  bool suspect = is_near_pattern(static_cast<std::int64_t>(address >> 32));
  for (std::size_t i = 0; i < memory_.region_count(); ++i) {
    suspect = suspect || is_near_pattern(static_cast<std::int64_t>(address - memory_.region(i).begin) / step);
  }
  const std::uintptr_t window = shared_.window(running_->block->slot);
  for (std::size_t i = 1; i < shared_.array_count(); ++i) {
    suspect = suspect || is_near_pattern(static_cast<std::int64_t>(address - window - shared_.array(i).offset) / step);
  }
  return suspect ? locals_hint : "";
}

void Engine::at_spot(Finding& finding, MemoryLocation spot, std::uintptr_t address) {
  finding.buffer = std::move(spot.buffer);
  finding.offset = spot.offset;
  finding.address = address;
}

Engine::MemoryLocation Engine::spot_of(std::uintptr_t address) const {
  const auto words = [](std::int64_t offset, std::size_t bytes, std::string_view what, const std::string& name) {
    if (offset < 0) return fmt::format("{} bytes before {} '{}' of {} bytes", -offset, what, name, bytes);
    if (offset < static_cast<std::int64_t>(bytes)) {
      return fmt::format("at byte {} of {} '{}' of {} bytes", offset, what, name, bytes);
    }
    return fmt::format("{} bytes past the end of {} '{}' of {} bytes", offset - static_cast<std::int64_t>(bytes), what,
                       name, bytes);
  };
  const auto* const pointer = reinterpret_cast<const std::byte*>(address);
  if (shared_.contains(address)) {
    const std::size_t slot = (address - shared_.begin()) / SharedMemory::window_bytes;
    const std::size_t offset = (address - shared_.begin()) % SharedMemory::window_bytes;
    const std::size_t number = shared_.nearest(offset);
    if (number == 0) return {"", 0, "in shared memory, of which the kernel has none"};
    const auto& array = shared_.array(number);
    const std::int64_t distance = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(array.offset);
    const std::string name = name_of_array(array);
    std::string text = words(distance, array.bytes, "shared array", name);
    if (running_ != nullptr && slot != running_->block->slot) text += " of another block";
    return {name, distance, text};
  }
  if (const Region* const region = memory_.nearest(address); region != nullptr) {
    const auto distance = static_cast<std::int64_t>(address - region->begin);
    if (memory_.contains(address))
      return {region->name, distance, words(distance, region->bytes(), "buffer", region->name)};
  }
  if (address - stacks_begin_ < stacks_bytes_) return {"", 0, "in a local variable of another thread"};
  if (const Region* const region = memory_.earlier(address); region != nullptr) {
    const auto distance = static_cast<std::int64_t>(address - region->begin);
    return {region->name, distance,
            words(distance, region->bytes(), "buffer", region->name) + " of an earlier execution, which is over"};
  }
  if (module_->contains(pointer)) {
    const auto variable = module_->nearest_variable(pointer);
    const std::int64_t distance = pointer - static_cast<const std::byte*>(variable.begin);
    if (variable.bytes != 0) {
      const std::string name = plain_name(*variable.symbol);
      return {name, distance, words(distance, variable.bytes, "variable", name)};
    }
  }
  return {"", 0, fmt::format("at address {:#x}, where no buffer is near", address)};
}

std::string Engine::name_of_array(const SharedMemory::Array& array) const {
  return array.symbol == nullptr ? "dynamic shared memory" : plain_name(*array.symbol);
}

bool Engine::same_source(const void* a, const void* b) const {
  if (a == b) return true;
  const auto first = module_->line_of(a);
  return first.line != 0 && first == module_->line_of(b);
}

Place Engine::place_of(const Thread& thread, const void* site) const {
  const auto source = module_->line_of(site);
  return {source.file, source.line, dim3_of(thread.block->index), dim3_of(thread.index), source.column};
}

Place Engine::place_of(const AccessRecord& record) const {
  const auto source = module_->line_of(module_->base() + record.site);
  const Dim3& extent = launch_->block;
  const Dim3& grid = launch_->grid;
  const auto threads = static_cast<std::uint32_t>(extent.count());
  const std::uint32_t block = record.thread / threads, thread = record.thread % threads;
  return {source.file,
          source.line,
          {block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y},
          {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y},
          source.column};
}

Finding Engine::finding_by(FindingKind kind, const Thread& thread, const void* site, std::string message) const {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.entry = launch_->entry;
  finding.place = place_of(thread, site);
  return finding;
}

void Engine::add(Finding finding) {
  execution_->findings.push_back(std::move(finding));
}

void Engine::report(FindingKind kind, const std::string& entry, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.entry = entry;
  add(std::move(finding));
}

void Engine::out_of_bounds(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  {
    MemoryLocation spot = spot_of(address);
    Finding finding =
        finding_by(FindingKind::out_of_bounds, *running_, site,
                   fmt::format("{} of {} bytes {}{}", verb_of(code), size, spot.words, hint_at_locals(address, size)));
    at_spot(finding, std::move(spot), address);
    add(std::move(finding));
  }
  stop();
}

void Engine::misaligned(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  {
    MemoryLocation spot = spot_of(address);
    Finding finding =
        finding_by(FindingKind::misaligned, *running_, site,
                   fmt::format("{} of {} bytes {}, which is no multiple of {}", verb_of(code), size, spot.words, size));
    at_spot(finding, std::move(spot), address);
    add(std::move(finding));
  }
  stop();
}

void Engine::input_written(const Region& region, std::uintptr_t address, const void* site) {
  add_once(FindingKind::input_written, site, nullptr, [&] {
    Finding finding =
        finding_by(FindingKind::input_written, *running_, site, fmt::format("store to input buffer '{}'", region.name));
    finding.buffer = region.name;
    finding.offset = static_cast<std::int64_t>(address - region.begin);
    finding.address = address;
    return finding;
  });
}

void Engine::uninitialised(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  const auto make = [&] {
    MemoryLocation spot = spot_of(address);
    Finding finding = finding_by(FindingKind::uninitialised_read, *running_, site,
                                 fmt::format("{} of {} bytes {} that nobody wrote", verb_of(code), size, spot.words));
    at_spot(finding, std::move(spot), address);
    return finding;
  };
  if (is_lenient(StrictRule::discarded_read))
    allow(StrictRule::discarded_read, site, nullptr, make);
  else
    add_once(FindingKind::uninitialised_read, site, nullptr, make);
}

void Engine::report_at(FindingKind kind, const Region& region, std::size_t offset, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.buffer = region.name;
  finding.offset = static_cast<std::int64_t>(offset);
  finding.address = region.begin + offset;
  const AccessRecord* const writer = shadows_[region.number].last_writer(offset);
  if (launch_ != nullptr && writer != nullptr && judge_.is_of_this_launch(*writer)) {
    finding.place = place_of(*writer);
    finding.entry = launch_->entry;
  }
  add(std::move(finding));
}

void Engine::race(const Race& race, std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  const void* const other_site = module_->base() + race.other.site;
  const auto make = [&] {
    MemoryLocation spot = spot_of(address);
    const char* const other_verb = race.other.strong == weak ? (race.other_writes ? "a store" : "a load")
                                   : race.other_writes       ? "an atomic or volatile store"
                                                             : "an atomic or volatile load";
    Finding finding = finding_by(
        FindingKind::race, *running_, site,
        fmt::format("{} of {} bytes {} races with {} by another thread", verb_of(code), size, spot.words, other_verb));
    at_spot(finding, std::move(spot), address);
    finding.other = place_of(race.other);
    if (race.other.strong != weak && strength_of(code) != weak)
      finding.message += ": the scope of one of them is a block, which the other one is not in";
    return finding;
  };
  if (!race.excuse)
    add_once(FindingKind::race, site, other_site, make);
  else if (*race.excuse == StrictRule::same_value_stores)
    watch_store(make(), site, other_site, address, size);
  else
    allow(*race.excuse, site, other_site, make);
}

void Engine::stop() {
  show_newest();
  stopped_ = launch_ended_ = true;
  Suspended& from = running_->fiber->suspended;
  running_ = nullptr;
  switch_context(from, caller_);
  __builtin_unreachable();
}

}  // namespace warpwright::simulator

// Describes an address for a finding.
#include "kernels/runtime/simulator/engine/memory_location.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "kernels/runtime/simulator/engine/memory_state.hpp"

namespace warpwright::simulator {
namespace {

constexpr const char* locals_hint = ", as with an index or pointer that nobody initialised";

/// Whether it is likely an uninitialised index, or half of an uninitialised pointer, perhaps after a little arithmetic.
bool is_near_pattern(std::int64_t index) {
  constexpr std::int64_t pattern = 0xfefefefe, nearby = 1 << 16;
  return std::abs(index - pattern) < nearby || std::abs(index - static_cast<std::int32_t>(pattern)) < nearby;
}

/// Describes an address by its distance in bytes from the beginning of something.
MemoryLocation relative_to(const std::string& name, std::string_view what, std::int64_t offset, std::size_t bytes) {
  const auto past = offset - static_cast<std::int64_t>(bytes);
  std::string words;
  if (offset < 0)
    words = fmt::format("{} bytes before {} '{}' of {} bytes", -offset, what, name, bytes);
  else if (past < 0)
    words = fmt::format("at byte {} of {} '{}' of {} bytes", offset, what, name, bytes);
  else
    words = fmt::format("{} bytes past the end of {} '{}' of {} bytes", past, what, name, bytes);
  return {name, offset, std::move(words)};
}

MemoryLocation relative_to(const Region& region, std::uintptr_t address) {
  return relative_to(region.name, "buffer", static_cast<std::int64_t>(address - region.begin), region.bytes());
}

}  // namespace

std::string MemoryState::hint_at_locals(std::int64_t index) {
  return is_near_pattern(index) ? locals_hint : "";
}

std::string MemoryState::hint_at_locals(std::uintptr_t address, std::size_t size, const Block& block) const {
  const auto step = static_cast<std::int64_t>(size);
  bool suspect = is_near_pattern(static_cast<std::int64_t>(address >> 32));
  for (std::size_t i = 0; i < global.region_count(); ++i) {
    suspect = suspect || is_near_pattern(static_cast<std::int64_t>(address - global.region(i).begin) / step);
  }
  const std::uintptr_t window = shared.window(block.slot);
  for (std::size_t i = 1; i < shared.array_count(); ++i) {
    suspect = suspect || is_near_pattern(static_cast<std::int64_t>(address - window - shared.array(i).offset) / step);
  }
  return suspect ? locals_hint : "";
}

MemoryLocation MemoryState::location_of(std::uintptr_t address, const Block& block) const {
  if (shared.contains(address)) {
    const std::size_t slot = (address - shared.begin()) / SharedMemory::window_bytes;
    const std::size_t offset = (address - shared.begin()) % SharedMemory::window_bytes;
    const std::size_t number = shared.nearest(offset);
    if (number == 0) return {"", 0, "in shared memory, of which the kernel has none"};
    const auto& array = shared.array(number);
    const std::string name = array.symbol == nullptr ? "dynamic shared memory" : plain_name(*array.symbol);
    const std::int64_t distance = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(array.offset);
    MemoryLocation location = relative_to(name, "shared array", distance, array.bytes);
    if (slot != block.slot) location.words += " of another block";
    return location;
  }
  if (const Region* const region = global.nearest(address); region != nullptr && global.contains(address))
    return relative_to(*region, address);
  if (is_on_a_stack(address)) return {"", 0, "in a local variable of another thread"};
  if (const Region* const region = global.earlier(address); region != nullptr) {
    MemoryLocation location = relative_to(*region, address);
    location.words += " of an earlier execution, which is over";
    return location;
  }
  if (const std::size_t number = variables_->find(address); variables_->contains(address)) {
    const ModuleVariable& variable = variables_->variable(number);
    return relative_to(variable.name, variable.is_constant ? "__constant__ variable" : "variable",
                       static_cast<std::int64_t>(address - variable.begin), variable.bytes());
  }
  if (const auto* const pointer = reinterpret_cast<const std::byte*>(address); module_->contains(pointer)) {
    const auto variable = module_->nearest_variable(pointer);
    const std::int64_t distance = pointer - static_cast<const std::byte*>(variable.begin);
    if (variable.bytes != 0) return relative_to(plain_name(*variable.symbol), "variable", distance, variable.bytes);
  }
  return {"", 0, fmt::format("at address {:#x}, where no buffer is near", address)};
}

}  // namespace warpwright::simulator

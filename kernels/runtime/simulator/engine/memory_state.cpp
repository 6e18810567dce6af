// The memory that device code sees, and the records of accesses to it.
#include "kernels/runtime/simulator/engine/memory_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpwright::simulator {
namespace {

constexpr std::size_t most_kept_shadow = std::size_t{1} << 29;
constexpr int constant_poison = 0xff;

}  // namespace

void MemoryState::begin(const Module& module, const SimulationOptions& options, bool shows_older, bool again) {
  module_ = &module;
  variables_ = &module.memory();
  check_races = options.check_races;
  check_initialised = options.check_initialised;
  if (!again) variables_->restore();
  shadows.resize(std::max(shadows.size(), shadow_of_variable(variables_->count())));
  for (std::size_t i = 0; i < global.region_count(); ++i) {
    const Region& region = global.region(i);
    shadows[i].resize(region.bytes(), check_races && !region.read_only);
  }
  // What an earlier execution left in a variable counts as unwritten, if the kernel must not use it.
  const bool finds_kept = again && check_initialised && !options.keeps_state;
  for (std::size_t i = 0; i < variables_->count(); ++i) {
    const ModuleVariable& variable = variables_->variable(i);
    Shadow& shadow = shadows[shadow_of_variable(i)];
    shadow.resize(variable.bytes(), check_races && !variable.is_constant);
    shadow.set_all_written(!finds_kept || !variable.is_stored_to() || variable.is_constant);
    if (shadow.all_written()) continue;
    variables_->for_each_initial(
        i, [&](std::size_t offset, std::size_t bytes) { shadow.set_range_written(offset, bytes); });
  }
  uploaded_bytes_.assign(module.table().constant_count, 0);
  for (std::size_t i = 0; i < uploaded_bytes_.size(); ++i) {
    const ModuleConstant& listed = module.table().constants[i];
    const std::size_t number = variables_->find(reinterpret_cast<std::uintptr_t>(listed.address));
    if (number == ModuleMemory::none || !variables_->variable(number).is_constant) continue;
    std::memset(listed.address, options.poison.value_or(constant_poison), listed.bytes);
  }
  stale.begin(shows_older ? options.schedule : Schedule{});
  early.begin();
}

void MemoryState::end() {
  std::size_t remembered = 0;
  for (const Shadow& shadow : shadows) remembered += shadow.memory();
  if (remembered > most_kept_shadow) shadows.clear();
}

bool MemoryState::forget_if_worn_out() {
  if (!detector.is_worn_out()) return false;
  for (Shadow& shadow : shadows) shadow.forget_accesses();
  detector.restart();
  return true;
}

Space MemoryState::space_of(const void* pointer, const Thread& thread) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (global.contains(address)) return Space::global;
  if (shared.contains(address)) return Space::shared;
  if (is_local(address, thread)) return Space::local;
  if (!module_->contains(pointer)) return Space::nowhere;
  const std::size_t number = variables_->find(address);
  const bool is_constant = number != ModuleMemory::none && variables_->variable(number).is_constant &&
                           address < variables_->variable(number).end;
  return is_constant ? Space::constant : Space::global;
}

ShadowRange MemoryState::shadow_at(std::uintptr_t address, Block& block) {
  if (global.contains(address)) {
    const Region& region = global.region_near(address);
    return {shadows[region.number], address - region.begin, false};
  }
  if (variables().contains(address)) {
    const std::size_t variable = variables().find(address);
    return {shadows[shadow_of_variable(variable)], address - variables().variable(variable).begin, false};
  }
  const std::size_t offset = address - shared.window(block.slot);
  const std::size_t number = shared.number_near(offset);
  return {block.shadows[number], offset - shared.array(number).offset, true};
}

std::vector<Touched> MemoryState::touched_by_launch(std::size_t shadow) const {
  std::vector<Touched> all;
  const std::size_t buffers = global.region_count();
  const std::size_t bytes =
      shadow < buffers ? global.region(shadow).bytes() : variables_->variable(shadow - buffers).bytes();
  shadows[shadow].for_each_cell([&](std::size_t offset, std::size_t size, const Cell& cell) {
    const bool writes = detector.is_of_this_launch(cell.writer);
    if (!writes && !detector.is_of_this_launch(cell.reader) && !detector.is_of_this_launch(cell.other_reader)) return;
    const std::size_t end = std::min(offset + size, bytes);
    if (!all.empty() && all.back().end == offset && all.back().writes == writes)
      all.back().end = end;
    else
      all.push_back({.begin = offset, .end = end, .writes = writes});
  });
  return all;
}

void MemoryState::start_array(Block& block, std::size_t number) const {
  const SharedMemory::Array& array = shared.array(number);
  std::memset(reinterpret_cast<void*>(shared.window(block.slot) + array.offset), poison, array.bytes);
  if (block.shadows.size() <= number) block.shadows.resize(number + 1);
  Shadow& shadow = block.shadows[number];
  shadow.resize(array.bytes, check_races);
  shadow.set_all_written(!check_initialised);
}

void MemoryState::place_variable(SharedVariable& variable, std::size_t array) {
  shared_variables_.emplace_back(&variable, variable);
  variable.place =
      static_cast<long long>(shared.array(array).offset) - static_cast<long long>(SharedMemory::window_bytes);
}

void MemoryState::forget_shared_variables() {
  for (const auto& [variable, before] : shared_variables_) *variable = before;
  shared_variables_.clear();
}

void MemoryState::upload(const ModuleConstant& to, const Region& from, std::size_t bytes) {
  std::memcpy(to.address, from.data(), bytes);
  std::size_t& uploaded = uploaded_bytes_[static_cast<std::size_t>(&to - module_->table().constants)];
  uploaded = std::max(uploaded, bytes);
  const std::size_t number = variables_->find(reinterpret_cast<std::uintptr_t>(to.address));
  if (number == ModuleMemory::none || variables_->variable(number).is_constant) return;
  variables_->note_store(number, 0, bytes);
  shadows[shadow_of_variable(number)].set_range_written(0, bytes);
}

bool MemoryState::lacks_upload(const ModuleVariable& constant, std::uintptr_t address, std::size_t size) const {
  for (unsigned i = 0; i < module_->table().constant_count; ++i)
    if (reinterpret_cast<std::uintptr_t>(module_->table().constants[i].address) == constant.begin)
      return address + size > constant.begin + uploaded_bytes_[i];
  return false;
}

bool MemoryState::is_read_only(std::uintptr_t address) const {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  return (module_->contains(pointer) && !module_->is_writable(pointer)) || module_->is_in_a_guard(pointer);
}

std::string MemoryState::name_of_shadow(std::size_t shadow) const {
  const std::size_t buffers = global.region_count();
  return shadow < buffers ? fmt::format("buffer '{}'", global.region(shadow).name)
                          : fmt::format("variable '{}'", variables_->variable(shadow - buffers).name);
}

}  // namespace warpwright::simulator

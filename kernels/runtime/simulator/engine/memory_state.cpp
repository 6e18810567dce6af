// The memory that device code sees, and the records of accesses to it.
#include "kernels/runtime/simulator/engine/memory_state.hpp"

#include <algorithm>
#include <cstring>

namespace warpwright::simulator {
namespace {

constexpr std::size_t most_kept_shadow = std::size_t{1} << 29;
constexpr int constant_poison = 0xff;

}  // namespace

void MemoryState::begin(const Module& module, const SimulationOptions& options, bool shows_older) {
  module_ = &module;
  check_races = options.check_races;
  check_initialised = options.check_initialised;
  shadows.resize(std::max(shadows.size(), global.region_count()));
  for (std::size_t i = 0; i < global.region_count(); ++i) {
    const Region& region = global.region(i);
    shadows[i].resize(region.bytes(), check_races && !region.read_only);
  }
  uploaded_bytes_.assign(module.table().constant_count, 0);
  for (std::size_t i = 0; i < uploaded_bytes_.size(); ++i) {
    const ModuleConstant& constant = module.table().constants[i];
    std::memset(constant.address, options.poison.value_or(constant_poison), constant.bytes);
  }
  stale.begin(shows_older ? options.schedule : Schedule{});
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
  for (unsigned i = 0; i < module_->table().constant_count; ++i) {
    const ModuleConstant& constant = module_->table().constants[i];
    if (address - reinterpret_cast<std::uintptr_t>(constant.address) < constant.bytes) return Space::constant;
  }
  return Space::global;
}

ShadowRange MemoryState::shadow_at(std::uintptr_t address, Block& block) {
  if (global.contains(address)) {
    const Region& region = global.region_near(address);
    return {shadows[region.number], address - region.begin, false};
  }
  const std::size_t offset = address - shared.window(block.slot);
  const std::size_t number = shared.number_near(offset);
  return {block.shadows[number], offset - shared.array(number).offset, true};
}

std::vector<Touched> MemoryState::touched_by_launch(std::size_t buffer) const {
  std::vector<Touched> all;
  const std::size_t bytes = global.region(buffer).bytes();
  shadows[buffer].for_each_cell([&](std::size_t offset, std::size_t size, const Cell& cell) {
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

void MemoryState::upload(const ModuleConstant& constant, const Region& from, std::size_t bytes) {
  std::memcpy(constant.address, from.data(), bytes);
  std::size_t& uploaded = uploaded_bytes_[static_cast<std::size_t>(&constant - module_->table().constants)];
  uploaded = std::max(uploaded, bytes);
}

MemoryState::OtherAccess MemoryState::check_other(std::uintptr_t address, std::size_t size, bool store) const {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  if (!module_->contains(pointer)) return {.out_of_bounds = true};
  if (!module_->is_writable(pointer)) return {.out_of_bounds = store};
  const Module::Variable variable = module_->variable_at(pointer);
  const auto begin = reinterpret_cast<std::uintptr_t>(variable.begin);
  OtherAccess wrong{.out_of_bounds = variable.bytes == 0 || address + size > begin + variable.bytes};
  for (unsigned i = 0; i < module_->table().constant_count; ++i) {
    const ModuleConstant& constant = module_->table().constants[i];
    const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(constant.address);
    if (offset >= constant.bytes) continue;
    if (store) return {.out_of_bounds = true};
    wrong.uninitialised = check_initialised && offset + size > uploaded_bytes_[i];
  }
  return wrong;
}

}  // namespace warpwright::simulator

// Memory accesses of device code: what is allowed, and what is said about the rest.
#include <fmt/format.h>

#include <cstring>

#include "kernels/runtime/host/machine.hpp"

namespace warpwright::host {
void Machine::access(const void* pointer, unsigned code, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::size_t size = code & access_size;
  if (address - stacks_begin_ < stacks_bytes_) {
    if (!is_local(address)) [[unlikely]]
      out_of_bounds(address, size, code, site);
    return;
  }
  count_step(site);
  Shadow* shadow = nullptr;
  std::size_t offset = 0;
  bool shared = false;
  if (memory_.contains(address)) {
    const Region& region = memory_.region_near(address);
    if (address < region.begin || address + size > region.end) [[unlikely]]
      out_of_bounds(address, size, code, site);
    if ((code & access_write) != 0 && region.read_only) [[unlikely]]
      input_written(region, address, site);
    if (!region.read_only) shadow = &shadows_[region.number];
    offset = address - region.begin;
  } else if (offset = address - shared_.window(running_->block->slot);
             offset < SharedMemory::window_bytes && shared_.contains(address)) {
    const std::size_t number = shared_.number_near(offset);
    const SharedMemory::Array& array = shared_.array(number);
    if (offset < array.offset || offset + size > array.offset + array.bytes) [[unlikely]] {
      out_of_bounds(address, size, code, site);
    }
    if (number >= running_->block->shadows.size()) [[unlikely]]
      start_shadow(*running_->block, number);
    shadow = &running_->block->shadows[number];
    offset -= array.offset;
    shared = true;
  } else {
    check_other_memory(address, size, code, site);
    return;
  }
  if ((address & (size - 1)) != 0) [[unlikely]]
    misaligned(address, size, code, site);
  if ((code & (access_volatile | access_atomic)) != 0) {
    scheduling_point(pointer, code, site);
  } else {
    fruitless_polls_ = 0;
  }
  if (trace_) [[unlikely]] {
    const MemorySpace space = shared ? MemorySpace::shared : MemorySpace::global;
    const bool store = (code & access_write) != 0;
    if ((code & access_atomic) != 0 && store) {
      trace_->add_atomic(site, space);
    } else {
      Warp& warp = *running_->warp;
      const std::uintptr_t base = shared ? shared_.window(running_->block->slot) : 0;
      trace_->add(*warp.accesses, running_->lane, warp.existing, site, space, store, address - base, size);
    }
  }
  if (shadow != nullptr) judge({*shadow, offset, shared}, address, size, code, site);
}

bool Machine::is_local(std::uintptr_t address) const {
  const Suspended& own = running_->fiber->suspended;
  return address - reinterpret_cast<std::uintptr_t>(own.stack_bottom) < own.stack_bytes;
}

void Machine::judge(const Remembered& memory, std::uintptr_t address, std::size_t size, unsigned code,
                    const void* site) {
  Shadow& shadow = memory.shadow;
  const bool writes = (code & access_write) != 0;
  const bool strong = (code & (access_atomic | access_volatile)) != 0;
  if (!shadow.all_written()) {
    const bool reads = !writes || ((code & access_atomic) != 0 && (code & access_store_only) == 0);
    if (reads && !shadow.is_written(memory.offset, size)) [[unlikely]]
      uninitialised(address, size, code, site);
    if (writes) shadow.set_written(memory.offset, size);
  }
  if (!check_races_) return;
  Cell* const cells = shadow.cells(memory.offset, size);
  const std::size_t count = shadow.cell_count(size);
  const auto site_offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(site) - module_->base());
  const Race* const found = writes ? judge_.write(*running_, cells, count, site_offset, strong, memory.shared)
                                   : judge_.read(*running_, cells, count, site_offset, strong, memory.shared);
  if (found != nullptr) [[unlikely]]
    race(*found, address, size, code, site);
  if (strong) judge_.synchronise(*running_, address, code, memory.shared);
  if ((code & access_readonly) != 0 && !memory.shared && judge_.wrote(cells, count)) [[unlikely]] {
    race({.other = cells[0].writer, .other_writes = true}, address, size, code, site);
  }
}

Machine::Remembered Machine::remembered_at(std::uintptr_t address) {
  if (memory_.contains(address)) {
    const Region& region = memory_.region_near(address);
    return {shadows_[region.number], address - region.begin, false};
  }
  const std::size_t offset = address - shared_.window(running_->block->slot);
  const std::size_t number = shared_.number_near(offset);
  return {running_->block->shadows[number], offset - shared_.array(number).offset, true};
}

std::vector<Touched> Machine::touched_by_launch(std::size_t buffer) const {
  std::vector<Touched> all;
  const std::size_t bytes = memory_.region(buffer).bytes();
  shadows_[buffer].for_each_cell([&](std::size_t offset, std::size_t size, const Cell& cell) {
    const bool writes = judge_.is_of_this_launch(cell.writer);
    if (!writes && !judge_.is_of_this_launch(cell.reader) && !judge_.is_of_this_launch(cell.other_reader)) return;
    const std::size_t end = std::min(offset + size, bytes);
    if (!all.empty() && all.back().end == offset && all.back().writes == writes)
      all.back().end = end;
    else
      all.push_back({.begin = offset, .end = end, .writes = writes});
  });
  return all;
}

void Machine::start_shadow(Block& block, std::size_t array) {
  if (block.shadows.size() <= array) block.shadows.resize(array + 1);
  Shadow& shadow = block.shadows[array];
  shadow.resize(shared_.array(array).bytes, check_races_);
  shadow.set_all_written(!check_initialised_);
}

void Machine::access_range(const void* address, std::uint64_t bytes, unsigned code, const void* site) {
  const auto* at = static_cast<const std::byte*>(address);
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (begin - stacks_begin_ < stacks_bytes_ && is_local(begin)) return;
  // The widest pieces that the address allows, as a device would do it.
  while (bytes > 0) {
    std::uint64_t piece = 16;
    while (piece > bytes || (reinterpret_cast<std::uintptr_t>(at) & (piece - 1)) != 0) piece /= 2;
    access(at, static_cast<unsigned>(piece) | code, site);
    at += piece;
    bytes -= piece;
  }
}

void Machine::fill(void* to, int byte, std::uint64_t bytes, const void* site) {
  access_range(to, bytes, access_write, site);
  std::memset(to, byte, bytes);
}

void Machine::copy(void* to, const void* from, std::uint64_t bytes, const void* site) {
  access_range(from, bytes, 0, site);
  access_range(to, bytes, access_write, site);
  std::memmove(to, from, bytes);
}

void* Machine::shared_array(SharedArrayTag* tag, std::uint64_t bytes) {
  Block& block = *running_->block;
  if (tag->slot == 0) tag->slot = module_->next_array_slot();
  const auto slot = static_cast<std::size_t>(tag->slot);
  if (slot < block.arrays.size() && block.arrays[slot] != nullptr) return block.arrays[slot];
  if (slot >= block.arrays.size()) block.arrays.resize(slot + 1, nullptr);
  const std::size_t number = shared_.number_of(tag, bytes);
  const auto limit = static_cast<std::size_t>(options_->device.shared_per_block_optin);
  const auto static_limit = static_cast<std::size_t>(options_->device.shared_per_block);
  if (number == 0 || shared_.used_bytes() > limit) {
    report(FindingKind::illegal_launch, launch_->entry,
           fmt::format("more than the {} bytes of shared memory that a block may have", limit));
    stop();
  }
  if (shared_.used_bytes() - shared_.array(1).bytes > static_limit) {
    report(
        FindingKind::illegal_launch, launch_->entry,
        fmt::format("shared arrays of more than {} bytes, which only dynamic shared memory may exceed", static_limit));
    stop();
  }
  auto* const storage = reinterpret_cast<std::byte*>(shared_.window(block.slot) + shared_.array(number).offset);
  std::memset(storage, poison_, bytes);
  start_shadow(block, number);
  return block.arrays[slot] = storage;
}

void* Machine::dynamic_shared() {
  Block& block = *running_->block;
  if (block.dynamic_array == nullptr) {
    const auto& array = shared_.array(1);
    block.dynamic_array = reinterpret_cast<std::byte*>(shared_.window(block.slot) + array.offset);
    std::memset(block.dynamic_array, poison_, array.bytes);
    start_shadow(block, 1);
  }
  return block.dynamic_array;
}

void* Machine::bad_index(const void* array, long long index, long long extent) {
  ThreadExtras& extras = *running_->extras;
  running_->block->has_extras = true;
  extras.bad_array = array;
  extras.bad_index = index;
  extras.bad_extent = extent;
  return trap_memory_ + trap_bytes / 2;
}

void Machine::bad_local_index(const char* array_type, long long index, const void* site) {
  add(finding_by(FindingKind::out_of_bounds, *running_, site,
                 fmt::format("index {} of an array of type {}", index, array_type)));
  stop();
}

void Machine::outside_variable(const void* site) {
  add(finding_by(FindingKind::out_of_bounds, *running_, site,
                 "access past the end of the variable that it is made through"));
  stop();
}

void Machine::check_other_memory(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  if (!module_->contains(pointer)) out_of_bounds(address, size, code, site);
  const bool store = (code & access_write) != 0;
  if (!module_->is_writable(pointer)) {
    if (store) out_of_bounds(address, size, code, site);
    return;
  }
  const Module::Variable variable = module_->variable_at(pointer);
  if (variable.local) {
    Finding finding = finding_by(
        FindingKind::plain_shared_variable, *running_, site,
        fmt::format("'{}' is __shared__ but no shared_array: on the host all blocks would share it", variable.name));
    finding.buffer = variable.name;
    finding.address = address;
    add(std::move(finding));
    stop();
  }
  for (unsigned i = 0; i < module_->table().constant_count; ++i) {
    const ModuleConstant& constant = module_->table().constants[i];
    const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(constant.address);
    if (offset >= constant.bytes) continue;
    if (store) out_of_bounds(address, size, code, site);
    if (check_initialised_ && offset + size > uploaded_bytes_[i]) uninitialised(address, size, code, site);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(variable.begin);
  if (variable.bytes == 0 || address + size > begin + variable.bytes) out_of_bounds(address, size, code, site);
}

}  // namespace warpwright::host

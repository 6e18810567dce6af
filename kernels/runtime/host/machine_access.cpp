// Memory accesses of device code: what is allowed, and what is said about the rest.
#include <fmt/format.h>

#include <cstring>

#include "kernels/runtime/host/machine.hpp"

namespace warpwright::host {
namespace {

const char* verb_of(unsigned code) {
  if ((code & access_atomic) != 0) return (code & access_write) != 0 ? "atomic update" : "atomic load";
  return (code & access_write) != 0 ? "store" : "load";
}

Dim3 dim3_of(Index3 index) {
  return {index.x, index.y, index.z};
}

}  // namespace

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
      const Warp& warp = *running_->warp;
      const std::uintptr_t base = shared ? shared_.window(running_->block->slot) : 0;
      trace_->add(running_->block->slot, warp.number, running_->lane, warp.existing, site, space, store, address - base,
                  size);
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
    const auto begin = reinterpret_cast<std::uintptr_t>(constant.address);
    if (store && address - begin < constant.bytes) out_of_bounds(address, size, code, site);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(variable.begin);
  if (variable.bytes == 0 || address + size > begin + variable.bytes) out_of_bounds(address, size, code, site);
}

std::string Machine::hint_at_locals(std::uintptr_t address, std::size_t size) const {
  // What an uninitialised index or pointer is, and what a little arithmetic makes of it.
  constexpr std::int64_t pattern = 0xfefefefe, nearby = 1 << 16;
  const auto is_near = [](std::int64_t index) {
    return std::abs(index - pattern) < nearby || std::abs(index - static_cast<std::int32_t>(pattern)) < nearby;
  };
  const auto step = static_cast<std::int64_t>(size);
  bool suspect = is_near(static_cast<std::int64_t>(address >> 32));
  if (reinterpret_cast<std::byte*>(address) == trap_memory_ + trap_bytes / 2) {
    suspect = is_near(running_->extras->bad_index);
  }
  for (std::size_t i = 0; i < memory_.region_count(); ++i) {
    suspect = suspect || is_near(static_cast<std::int64_t>(address - memory_.region(i).begin) / step);
  }
  const std::uintptr_t window = shared_.window(running_->block->slot);
  for (std::size_t i = 1; i < shared_.array_count(); ++i) {
    suspect = suspect || is_near(static_cast<std::int64_t>(address - window - shared_.array(i).offset) / step);
  }
  return suspect ? ", as with an index or pointer that nobody initialised" : "";
}

Machine::Spot Machine::spot_of(std::uintptr_t address) const {
  const auto words = [](std::int64_t offset, std::size_t bytes, std::string_view what, const std::string& name) {
    if (offset < 0) return fmt::format("{} bytes before {} '{}' of {} bytes", -offset, what, name, bytes);
    if (offset < static_cast<std::int64_t>(bytes)) {
      return fmt::format("at byte {} of {} '{}' of {} bytes", offset, what, name, bytes);
    }
    return fmt::format("{} bytes past the end of {} '{}' of {} bytes", offset - static_cast<std::int64_t>(bytes), what,
                       name, bytes);
  };
  const auto* const pointer = reinterpret_cast<const std::byte*>(address);
  if (pointer >= trap_memory_ && pointer < trap_memory_ + trap_bytes) {
    const Spot array = spot_of(reinterpret_cast<std::uintptr_t>(running_->extras->bad_array));
    return {array.buffer, array.offset,
            fmt::format("with index {} in a dimension of {} of shared array '{}'", running_->extras->bad_index,
                        running_->extras->bad_extent, array.buffer)};
  }
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
    if (variable.bytes != 0)
      return {variable.name, distance, words(distance, variable.bytes, "variable", variable.name)};
  }
  return {"", 0, fmt::format("at address {:#x}, where no buffer is near", address)};
}

std::string Machine::name_of_array(const SharedMemory::Array& array) const {
  return array.tag == nullptr ? "dynamic shared memory" : module_->variable_at(array.tag).name;
}

Place Machine::place_of(const Thread& thread, const void* site) const {
  const auto source = module_->line_of(site);
  return {source.file, source.line, dim3_of(thread.block->index), dim3_of(thread.index)};
}

Place Machine::place_of(const AccessRecord& record) const {
  const auto source = module_->line_of(module_->base() + record.site);
  const Dim3& extent = launch_->block;
  const Dim3& grid = launch_->grid;
  const auto threads = static_cast<std::uint32_t>(extent.count());
  const std::uint32_t block = record.thread / threads, thread = record.thread % threads;
  return {source.file,
          source.line,
          {block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y},
          {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y}};
}

Finding Machine::finding_by(FindingKind kind, const Thread& thread, const void* site, std::string message) const {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.entry = launch_->entry;
  finding.place = place_of(thread, site);
  return finding;
}

void Machine::add(Finding finding) {
  execution_->findings.push_back(std::move(finding));
}

template <class Make>
void Machine::add_once(FindingKind kind, const void* site, const void* other_site, Make make) {
  if (execution_->findings.size() >= static_cast<std::size_t>(std::max(options_->limits.findings, 1))) return;
  if (known_findings_.emplace(kind, std::min(site, other_site), std::max(site, other_site)).second) add(make());
}

void Machine::report(FindingKind kind, const std::string& entry, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.entry = entry;
  add(std::move(finding));
}

void Machine::out_of_bounds(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  {
    Spot spot = spot_of(address);
    Finding finding =
        finding_by(FindingKind::out_of_bounds, *running_, site,
                   fmt::format("{} of {} bytes {}{}", verb_of(code), size, spot.words, hint_at_locals(address, size)));
    finding.buffer = std::move(spot.buffer);
    finding.offset = spot.offset;
    finding.address = address;
    add(std::move(finding));
  }
  stop();
}

void Machine::misaligned(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  {
    Spot spot = spot_of(address);
    Finding finding =
        finding_by(FindingKind::misaligned, *running_, site,
                   fmt::format("{} of {} bytes {}, which is no multiple of {}", verb_of(code), size, spot.words, size));
    finding.buffer = std::move(spot.buffer);
    finding.offset = spot.offset;
    finding.address = address;
    add(std::move(finding));
  }
  stop();
}

void Machine::input_written(const Region& region, std::uintptr_t address, const void* site) {
  add_once(FindingKind::input_written, site, nullptr, [&] {
    Finding finding =
        finding_by(FindingKind::input_written, *running_, site, fmt::format("store to input buffer '{}'", region.name));
    finding.buffer = region.name;
    finding.offset = static_cast<std::int64_t>(address - region.begin);
    finding.address = address;
    return finding;
  });
}

void Machine::uninitialised(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  add_once(FindingKind::uninitialised_read, site, nullptr, [&] {
    Spot spot = spot_of(address);
    Finding finding = finding_by(FindingKind::uninitialised_read, *running_, site,
                                 fmt::format("{} of {} bytes {} that nobody wrote", verb_of(code), size, spot.words));
    finding.buffer = std::move(spot.buffer);
    finding.offset = spot.offset;
    finding.address = address;
    return finding;
  });
}

void Machine::uninitialised_local(const Region& region, std::size_t offset) {
  Finding finding;
  finding.kind = FindingKind::uninitialised_local;
  finding.message =
      fmt::format("byte {} of buffer '{}' was given the value of a local that nobody initialised", offset, region.name);
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

void Machine::race(const Race& race, std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  const void* const other_site = module_->base() + race.other.site;
  add_once(FindingKind::race, site, other_site, [&] {
    Spot spot = spot_of(address);
    const char* const other_verb = race.other.strong == 0 ? (race.other_writes ? "store" : "load")
                                   : race.other_writes    ? "atomic or volatile store"
                                                          : "atomic or volatile load";
    Finding finding = finding_by(FindingKind::race, *running_, site,
                                 fmt::format("{} of {} bytes {} races with a {} by another thread", verb_of(code), size,
                                             spot.words, other_verb));
    finding.buffer = std::move(spot.buffer);
    finding.offset = spot.offset;
    finding.address = address;
    finding.other = place_of(race.other);
    return finding;
  });
}

void Machine::stop() {
  stopped_ = launch_ended_ = true;
  Suspended& from = running_->fiber->suspended;
  running_ = nullptr;
  switch_context(from, caller_);
  __builtin_unreachable();
}

}  // namespace warpwright::host

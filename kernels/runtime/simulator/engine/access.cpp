// Memory accesses of device code: what is allowed, and what is said about the rest.
#include <fmt/format.h>

#include <cstring>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {
void Engine::access(const void* pointer, unsigned code, const void* site) {
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
  std::size_t buffer = 0;
  bool shared = false;
  if (memory_.contains(address)) {
    const Region& region = memory_.region_near(address);
    if (address < region.begin || address + size > region.end) [[unlikely]]
      out_of_bounds(address, size, code, site);
    if ((code & access_write) != 0 && region.read_only) [[unlikely]]
      input_written(region, address, site);
    if (!region.read_only) shadow = &shadows_[region.number];
    offset = address - region.begin;
    buffer = region.number;
  } else if (offset = address - shared_.window(running_->block->slot);
             offset < SharedMemory::window_bytes && shared_.contains(address)) {
    const std::size_t number = shared_.number_near(offset);
    const SharedMemory::Array& array = shared_.array(number);
    if (offset < array.offset || offset + size > array.offset + array.bytes) [[unlikely]] {
      out_of_bounds(address, size, code, site);
    }
    shadow = &running_->block->shadows[number];
    offset -= array.offset;
    shared = true;
  } else {
    check_other_memory(address, size, code, site);
    return;
  }
  if ((address & (size - 1)) != 0) [[unlikely]]
    misaligned(address, size, code, site);
  unsigned judged = code;
  if ((code & (access_volatile | access_atomic)) != 0) {
    scheduling_point(pointer, code, site);
    if ((code & access_compares) != 0 && std::memcmp(pointer, &running_->value, size) != 0)
      judged = (code & ~access_write) | access_newest;
  } else if ((code & access_write) != 0) {
    fruitless_polls_ = 0;
  } else {
    ++running_->plain_loads;
  }
  if (trace_ && (code & access_bulk) == 0) [[unlikely]] {
    const MemorySpace space = shared ? MemorySpace::shared : MemorySpace::global;
    const bool store = (code & access_write) != 0;
    if ((code & access_atomic) != 0 && store) {
      if (shared)
        trace_->add_atomic(site, space);
      else
        trace_->add_atomic(site, buffer, offset);
    } else {
      Warp& warp = *running_->warp;
      const std::uintptr_t base = shared ? shared_.window(running_->block->slot) : 0;
      trace_->add(*warp.accesses, running_->lane, warp.existing, site, space, store, address - base, size);
    }
  }
  if (!async_copies_.empty()) [[unlikely]] {
    if (const AsyncCopy* const transfer = async_copies_.disturbed_by(address, size, (code & access_write) != 0))
      disturbed(*transfer, address, size, code, site);
  }
  if (shadow != nullptr) judge({*shadow, offset, shared}, address, size, judged, site);
}

void Engine::compare_and_swap(const void* address, unsigned code, std::uint64_t expected, const void* site) {
  running_->value = expected;
  access(address, code | access_compares, site);
}

bool Engine::is_local(std::uintptr_t address) const {
  const Suspended& own = running_->fiber->suspended;
  return address - reinterpret_cast<std::uintptr_t>(own.stack_bottom) < own.stack_bytes;
}

void Engine::judge(const Remembered& memory, std::uintptr_t address, std::size_t size, unsigned code,
                   const void* site) {
  Shadow& shadow = memory.shadow;
  const bool writes = (code & access_write) != 0;
  if (!shadow.all_written()) {
    const bool reads = !writes || ((code & access_atomic) != 0 && (code & access_store_only) == 0);
    if (reads && !shadow.is_written(memory.offset, size)) [[unlikely]]
      uninitialised(address, size, code, site);
    if (writes) shadow.set_written(memory.offset, size);
  }
  if (!check_races_) return;
  Cell* const cells = shadow.cells(memory.offset, size);
  const std::size_t count = shadow.cell_count(size);
  const auto site_offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(site) - module_base_);
  const Strength strong = strength_of(code);
  const StrongSite at{.address = address, .code = code, .site = site_offset, .shared = memory.shared};
  if (strong != weak && judge_.keeps_older()) judge_.follow(*running_, at, cells, count);
  const Race* const found = writes ? judge_.write(*running_, cells, count, site_offset, strong, memory.shared)
                                   : judge_.read(*running_, cells, count, site_offset, strong, memory.shared);
  if (found != nullptr) [[unlikely]]
    race(*found, address, size, code, site);
  if (strong != weak) synchronise(at, site);
  if ((code & access_readonly) != 0 && !memory.shared && judge_.wrote(cells, count)) [[unlikely]] {
    race({.other = cells[0].writer, .other_writes = true}, address, size, code, site);
  }
}

Engine::Remembered Engine::remembered_at(std::uintptr_t address) {
  if (memory_.contains(address)) {
    const Region& region = memory_.region_near(address);
    return {shadows_[region.number], address - region.begin, false};
  }
  const std::size_t offset = address - shared_.window(running_->block->slot);
  const std::size_t number = shared_.number_near(offset);
  return {running_->block->shadows[number], offset - shared_.array(number).offset, true};
}

std::vector<Touched> Engine::touched_by_launch(std::size_t buffer) const {
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

void Engine::start_array(Block& block, std::size_t number) {
  const SharedMemory::Array& array = shared_.array(number);
  std::memset(reinterpret_cast<void*>(shared_.window(block.slot) + array.offset), poison_, array.bytes);
  if (block.shadows.size() <= number) block.shadows.resize(number + 1);
  Shadow& shadow = block.shadows[number];
  shadow.resize(array.bytes, check_races_);
  shadow.set_all_written(!check_initialised_);
}

void Engine::access_range(const void* address, std::uint64_t bytes, unsigned code, const void* site) {
  const auto* at = static_cast<const std::byte*>(address);
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (begin - stacks_begin_ < stacks_bytes_ && is_local(begin)) return;
  running_->in_range = true;
  // The widest pieces that the address allows, as a device would do it.
  while (bytes > 0) {
    std::uint64_t piece = 16;
    while (piece > bytes || (reinterpret_cast<std::uintptr_t>(at) & (piece - 1)) != 0) piece /= 2;
    access(at, static_cast<unsigned>(piece) | code, site);
    at += piece;
    bytes -= piece;
  }
  running_->in_range = false;
}

void Engine::fill(void* to, int byte, std::uint64_t bytes, const void* site) {
  access_range(to, bytes, access_write, site);
  std::memset(to, byte, bytes);
}

void Engine::copy(void* to, const void* from, std::uint64_t bytes, const void* site) {
  access_range(from, bytes, 0, site);
  access_range(to, bytes, access_write, site);
  std::memmove(to, from, bytes);
}

void* Engine::shared_variable(SharedVariable& variable) {
  using Kind = Module::SharedVariable::Kind;
  const auto [kind, bytes, symbol] = module_->shared_variable(variable.offset);
  if (kind == Kind::guard) return nullptr;
  const std::size_t number = kind == Kind::dynamic ? 1 : shared_.add(symbol, bytes);
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
  if (number != 1)
    for (const auto& block : blocks_) start_array(*block, number);
  shared_variables_.emplace_back(&variable, variable);
  variable.place = static_cast<long long>(shared_.array(number).offset) - static_cast<long long>(shared_.window_bytes);
  return watch_->window_end + variable.place;
}

void Engine::forget_shared_variables() {
  for (const auto& [variable, before] : shared_variables_) *variable = before;
  shared_variables_.clear();
}

void Engine::bad_index(const IndexedArray& array, long long index, const void* site) {
  {
    const std::string type = array.type;
    const auto source = module_->line_of(site);
    std::string name = module_->indexed_name(source.file, static_cast<int>(array.line), static_cast<int>(array.column));
    // The extent in question comes first: 'float [4][8]'.
    const auto bracket = type.find('[');
    const std::string what =
        bracket == std::string::npos
            ? fmt::format("of a {}", type)
            : fmt::format("in a dimension of {} of {}", type.substr(bracket + 1, type.find(']') - bracket - 1),
                          name.empty() ? "an array" : fmt::format("array '{}'", name));
    Finding finding = finding_by(FindingKind::out_of_bounds, *running_, site,
                                 fmt::format("index {} {}{}", index, what, hint_at_locals(index)));
    finding.buffer = std::move(name);
    add(std::move(finding));
  }
  stop();
}

void Engine::wide_shift(long long by, unsigned bits, const void* site) {
  if (!known_shifts_.insert(site).second) return;
  note([&] {
    return fmt::format("a shift by {} of a value of {} bits at {} is undefined, and a GPU does otherwise than this CPU",
                       by, bits, words_of(place_of(*running_, site)));
  });
}

void Engine::outside_variable(const void* address, const void* site) {
  {
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    MemoryLocation spot = is_local(place) ? MemoryLocation{} : spot_of(place);
    Finding finding = finding_by(FindingKind::out_of_bounds, *running_, site,
                                 fmt::format("access past the end of the variable that it is made through{}{}",
                                             spot.words.empty() ? "" : ", ", spot.words));
    at_spot(finding, std::move(spot), place);
    add(std::move(finding));
  }
  stop();
}

void Engine::check_other_memory(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  if (!module_->contains(pointer)) out_of_bounds(address, size, code, site);
  const bool store = (code & access_write) != 0;
  if (!module_->is_writable(pointer)) {
    if (store) out_of_bounds(address, size, code, site);
    return;
  }
  const Module::Variable variable = module_->variable_at(pointer);
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

}  // namespace warpwright::simulator

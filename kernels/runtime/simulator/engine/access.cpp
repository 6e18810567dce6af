// Checks each memory access of device code.
#include <cstring>

#include "kernels/runtime/simulator/engine/check_access.hpp"

namespace warpwright::simulator {

// Most accesses are to variables of the thread: these take a short way.
void Engine::access(const void* pointer, unsigned code, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!memory_.is_on_a_stack(address)) return access_memory(pointer, code, site);
  if (!MemoryState::is_local(address, running())) [[unlikely]]
    out_of_bounds(address, code & access_size, code, site);
  if (products_.is_used()) [[unlikely]]
    touch_registers(address, code & access_size, code, site);
}

void Engine::access_memory(const void* pointer, unsigned code, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::size_t size = code & access_size;
  count_step(site);
  std::size_t offset = 0;
  std::size_t number = 0;          // of the buffer or the shared array
  Block* owner = running().block;  // of shared memory
  bool shared = false;
  bool has_shadow = true;
  bool has_requests = true;
  if (memory_.global.contains(address)) {
    const Region& region = memory_.global.region_near(address);
    if (address < region.begin || address + size > region.end) [[unlikely]]
      out_of_bounds(address, size, code, site);
    if ((code & access_write) != 0 && region.read_only) [[unlikely]]
      input_written(region, address, site);
    has_shadow = !region.read_only;
    offset = address - region.begin;
    number = region.number;
  } else if (offset = address - memory_.shared.window(running().block->slot);
             offset < SharedMemory::window_bytes && memory_.shared.contains(address)) {
    number = memory_.shared.number_near(offset);
    const SharedMemory::Array& array = memory_.shared.array(number);
    if (offset < array.offset || offset + size > array.offset + array.bytes) [[unlikely]] {
      out_of_bounds(address, size, code, site);
    }
    offset -= array.offset;
    shared = true;
  } else if (has_clusters_ && memory_.shared.contains(address)) {
    owner = &owner_of(address);
    offset = address - memory_.shared.window(owner->slot);
    number = memory_.shared.number_near(offset % SharedMemory::window_bytes);
    const SharedMemory::Array& array = memory_.shared.array(number);
    if (owner == running().block || offset < array.offset || offset + size > array.offset + array.bytes) [[unlikely]]
      out_of_bounds(address, size, code, site);
    check_owner(*owner, address, size, code, site);
    offset -= array.offset;
    shared = true;
  } else if (memory_.variables().contains(address)) {
    const std::size_t variable = variable_at(address, size, code, site);
    has_shadow = !memory_.variables().variable(variable).is_constant;
    offset = address - memory_.variables().variable(variable).begin;
    number = memory_.shadow_of_variable(variable);
    has_requests = has_shadow;  // constants have a cache of their own
  } else {
    if ((code & access_write) != 0 || !memory_.is_read_only(address)) out_of_bounds(address, size, code, site);
    return;
  }
  if ((address & (size - 1)) != 0) [[unlikely]]
    misaligned(address, size, code, site);
  unsigned done = code;  // for a compare-and-swap, its actual kind
  if ((code & (access_volatile | access_atomic)) != 0) {
    scheduling_point(pointer, code, site);
    if ((code & access_compares) != 0 && std::memcmp(pointer, &running().value, size) != 0)
      done = (code & ~access_write) | access_newest;
  }
  if ((code & access_write) != 0 && loops_.watches()) [[unlikely]]
    note_store(pointer, size);
  if (trace_ != nullptr && (code & access_bulk) == 0) [[unlikely]] {
    if (has_requests)
      count_access({.address = address, .number = number, .offset = offset, .shared = shared}, code, site);
    else
      trace_->add_constant(site, size);
  }
  if (!async_.is_idle() || !products_.is_idle()) [[unlikely]]
    check_under_way(address, size, shared, code, site);
  if (!has_shadow) return;
  // Only after the scheduling point: a thread that ran there may have added a shared array, which moves the shadows.
  Shadow& shadow = (shared ? owner->shadows : memory_.shadows)[number];
  check_access({shadow, offset, shared}, address, size, done, site);
}

void Engine::check_under_way(std::uintptr_t address, std::size_t size, bool shared, unsigned code, const void* site) {
  const bool writes = (code & access_write) != 0;
  if (!async_.is_idle()) {
    if (const AsyncCopy* const copy = async_.disturbed_by(address, size, writes, (code & access_atomic) != 0))
      disturbed(*copy, address, size, code, site);
  }
  if (!products_.is_idle() && shared && writes) {
    if (const AsyncProduct* const product = WarpgroupUnit::reader_of(running(), address, size))
      overwritten(*product, address, size, site);
  }
}

void Engine::count_access(const CheckedAddress& at, unsigned code, const void* site) {
  const bool store = (code & access_write) != 0;
  const bool atomic = (code & access_atomic) != 0 && store;
  if (atomic && !at.shared) {
    if (at.number >= memory_.global.region_count())
      trace_->add_global_atomic(site);
    else
      trace_->add_global_atomic(site, at.number, at.offset);
    return;
  }
  const Access access = !at.shared ? (store ? Access::global_store : Access::global_load)
                        : atomic   ? Access::shared_atomic
                        : store    ? Access::shared_store
                                   : Access::shared_load;
  Warp& warp = *running().warp;
  const std::uintptr_t base = at.shared ? memory_.shared.window(running().block->slot) : 0;
  trace_->add(*warp.accesses, running().lane, warp.existing, site, access, at.address - base, code & access_size);
}

void Engine::compare_and_swap(const void* address, unsigned code, std::uint64_t expected, const void* site) {
  running().value = expected;
  access(address, code | access_compares, site);
}

void Engine::check_sparse(std::size_t offset, std::uintptr_t address, std::size_t size, unsigned code,
                          const void* site) {
  const Region& region = memory_.global.region_near(address);
  const bool writes = (code & access_write) != 0;
  if (writes && memory_.sparse.contents(region.number) == SparseMemory::Contents::input)
    input_written(region, address, site);
  if (reads_memory(code) && !memory_.sparse.load(region.number, offset, size))
    no_model("a block that reads what other blocks write", site);
  if (memory_.sparse.needs_too_many()) no_model("blocks that touch too much memory", site);
  if (writes) memory_.sparse.store(region.number, offset, size);
}

void Engine::access_range(const void* address, std::uint64_t bytes, unsigned code, const void* site) {
  const auto* at = static_cast<const std::byte*>(address);
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (memory_.is_on_a_stack(begin) && MemoryState::is_local(begin, running())) {
    if (products_.is_used()) touch_registers(begin, bytes, code, site);
    return;
  }
  running().in_range = true;
  // In the widest pieces that the address allows, as on a device.
  while (bytes > 0) {
    std::uint64_t piece = 16;
    while (piece > bytes || (reinterpret_cast<std::uintptr_t>(at) & (piece - 1)) != 0) piece /= 2;
    access(at, static_cast<unsigned>(piece) | code, site);
    at += piece;
    bytes -= piece;
  }
  running().in_range = false;
}

void Engine::fill(void* to, int byte, std::uint64_t bytes, const void* site) {
  access_range(to, bytes, access_write, site);
  loops_.note_change();
  std::memset(to, byte, bytes);
}

void Engine::copy(void* to, const void* from, std::uint64_t bytes, const void* site) {
  access_range(from, bytes, 0, site);
  access_range(to, bytes, access_write, site);
  loops_.note_change();
  std::memmove(to, from, bytes);
}

void Engine::note_store(const void* pointer, std::size_t size) {
  // The stores of a range come after the accesses to all of its pieces.
  if (running().in_range)
    loops_.note_change();
  else
    loops_.note_store(pointer, size);
}

std::size_t Engine::variable_at(std::uintptr_t address, std::size_t size, unsigned code, const void* site) {
  ModuleMemory& variables = memory_.variables();
  const std::size_t number = variables.find(address);
  const ModuleVariable& variable = variables.variable(number);
  if (address + size > variable.end) [[unlikely]]
    out_of_bounds(address, size, code, site);
  const bool writes = (code & access_write) != 0;
  if (variable.is_constant) {
    if (writes) constant_written(address, size, site);
    if (memory_.check_initialised && memory_.lacks_upload(variable, address, size))
      uninitialised(address, size, code, site);
    return number;
  }
  // Of a launch of which not all blocks run, it is not known what is in the variable.
  if (memory_.sparse.is_used() && variable.is_stored_to() && reads_memory(code))
    no_model("a block that reads what other blocks write", site);
  if (writes) variables.note_store(number, address - variable.begin, size);
  return number;
}

}  // namespace warpwright::simulator

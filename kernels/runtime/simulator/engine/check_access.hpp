// The check of an access that is in bounds, inlined where device code accesses memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/runtime/simulator/engine/engine.hpp"

namespace warpwright::simulator {

inline bool reads_memory(unsigned code) {
  return (code & access_write) == 0 || ((code & access_atomic) != 0 && (code & access_store_only) == 0);
}

[[gnu::always_inline]] inline void Engine::check_access(const ShadowRange& range, std::uintptr_t address,
                                                        std::size_t size, unsigned code, const void* site) {
  Shadow& shadow = range.shadow;
  const bool writes = (code & access_write) != 0;
  if (!shadow.all_written()) {
    if (!range.shared && memory_.sparse.is_used()) return check_sparse(range.offset, address, size, code, site);
    if (reads_memory(code) && !shadow.is_written(range.offset, size)) [[unlikely]] {
      const bool is_padding = (code & access_atomic) == 0 && shadow.is_padding(range.offset, size);
      if (!is_padding) uninitialised(address, size, code, site);
    }
    if (writes) shadow.set_written(range.offset, size);
  }
  if (!memory_.check_races) return;
  Cell* const cells = shadow.cells(range.offset, size);
  const std::size_t count = shadow.cell_count(size);
  const auto site_offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(site) - module_base_);
  const Strength strong = strength_of(code);
  // Other blocks of a cluster use the block's shared memory too: their order is that of accesses to global memory.
  const bool by_block = range.shared && !has_clusters_;
  const StrongSite at{.address = address, .code = code, .site = site_offset, .shared = by_block};
  if (strong != weak && memory_.detector.keeps_older()) memory_.detector.follow(running(), at, cells, count);
  const Race* const found =
      writes ? memory_.detector.write(running(), cells, count, site_offset, strong, is_update(code), by_block)
             : memory_.detector.read(running(), cells, count, site_offset, strong, by_block);
  if (found != nullptr) [[unlikely]]
    race(*found, address, size, code, site);
  if (strong != weak) synchronise(at, site);
  if ((code & access_readonly) != 0 && !range.shared && memory_.detector.wrote(cells, count)) [[unlikely]] {
    race({.other = cells[0].writer, .other_writes = true}, address, size, code, site);
  }
}

}  // namespace warpwright::simulator

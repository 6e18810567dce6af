// Which bytes of huge buffers are known, where only some blocks of each launch run.
#include "kernels/runtime/simulator/engine/sparse_memory.hpp"

#include <algorithm>

namespace warpwright::simulator {

bool SparseMemory::load(std::size_t buffer, std::size_t offset, std::size_t size) {
  Known& known = buffers_[buffer];
  BlockAccesses& accesses = of_block(known);
  accesses.first_load = std::min<std::uint64_t>(accesses.first_load, offset);
  if (known.contents == Contents::zeros) return true;
  const std::uint64_t number = offset / Page::size;
  const auto page = known.pages.find(number);
  bool is_known = page != known.pages.end();
  for (std::size_t i = 0; is_known && i < size; ++i) is_known = page->second.test(offset % Page::size + i);
  if (is_known || known.contents == Contents::of_launches) return is_known;
  missing_.emplace(buffer, number);
  return true;
}

void SparseMemory::store(std::size_t buffer, std::size_t offset, std::size_t size) {
  Known& known = buffers_[buffer];
  known.is_written = true;
  BlockAccesses& accesses = of_block(known);
  accesses.first_store = std::min<std::uint64_t>(accesses.first_store, offset);
  if (known.contents == Contents::zeros) return;
  auto& page = known.pages[offset / Page::size];
  for (std::size_t i = 0; i < size; ++i) {
    auto bit = page[offset % Page::size + i];
    accesses.stored += bit ? 0 : 1;
    bit = true;
  }
}

void SparseMemory::begin_block(std::uint64_t number) {
  block_ = static_cast<std::size_t>(std::ranges::find(blocks_, number) - blocks_.begin());
  if (block_ == blocks_.size()) blocks_.push_back(number);
}

void SparseMemory::forget_written() {
  for (Known& known : buffers_)
    if (known.is_written) known = {};
}

std::vector<Page> SparseMemory::missing() const {
  std::vector<Page> pages;
  if (needs_too_many()) return pages;
  for (const auto& [buffer, number] : missing_) pages.push_back({.buffer = buffer, .number = number});
  return pages;
}

}  // namespace warpwright::simulator

// The shared memory of the blocks that are resident during a launch.
#include "kernels/runtime/simulator/state/shared_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <new>

#include "kernels/runtime/simulator/state/shadow.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::size_t least_gap_bytes = 1024;
// Arrays start at bank 0, so that conflicts within one do not depend on the others. Swizzles depend on the ten lowest
// bits of an address.
constexpr std::size_t alignment = 1024;

}  // namespace

SharedMemory::~SharedMemory() {
  if (capacity_ != 0) munmap(reinterpret_cast<void*>(begin_), capacity_);
}

void SharedMemory::prepare(std::size_t windows, std::size_t dynamic_bytes) {
  if (windows * window_bytes > capacity_) {
    if (capacity_ != 0) munmap(reinterpret_cast<void*>(begin_), capacity_);
    begin_ = capacity_ = 0;
    void* const memory = mmap(nullptr, windows * window_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    begin_ = reinterpret_cast<std::uintptr_t>(memory);
    capacity_ = windows * window_bytes;
    piece_owner_.assign(window_bytes / piece_bytes, 0);
  }
  std::fill_n(piece_owner_.begin(), next_offset_ / piece_bytes, std::uint16_t{0});
  bytes_ = windows * window_bytes;
  arrays_.assign(1, Array{});
  next_offset_ = least_gap_bytes;
  used_bytes_ = 0;
  add(nullptr, dynamic_bytes);
}

std::size_t SharedMemory::add(const std::string* symbol, std::size_t bytes) {
  const std::size_t gap = rounded_up(std::max(bytes, least_gap_bytes), alignment);
  const std::size_t end = next_offset_ + rounded_up(bytes, alignment) + gap;
  if (bytes > most_bytes || end > window_bytes) return 0;
  const std::size_t pieces = rounded_up(bytes, piece_bytes) / piece_bytes;
  std::fill_n(piece_owner_.begin() + static_cast<std::ptrdiff_t>(next_offset_ / piece_bytes), pieces,
              static_cast<std::uint16_t>(arrays_.size()));
  arrays_.push_back({.offset = next_offset_, .bytes = bytes, .symbol = symbol});
  next_offset_ = end;
  used_bytes_ += bytes;
  return arrays_.size() - 1;
}

std::size_t SharedMemory::nearest(std::size_t offset) const {
  std::size_t best = 0, least = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 1; i < arrays_.size(); ++i) {
    const auto& [begin, bytes, symbol] = arrays_[i];
    const std::size_t distance = offset < begin ? begin - offset : offset < begin + bytes ? 0 : offset - begin - bytes;
    if (bytes != 0 && distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

}  // namespace warpwright::simulator

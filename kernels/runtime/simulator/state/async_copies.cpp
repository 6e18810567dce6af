// Asynchronous copies that are not complete, and accesses that conflict with them.
#include "kernels/runtime/simulator/state/async_copies.hpp"

#include <cstring>

namespace warpwright::simulator {
namespace {

constexpr std::size_t chunk_bytes = 16;  ///< that a swizzle moves together

/// Where the chunk at that address lies after swizzling. As on a device, this depends on the address, not on the box.
std::uintptr_t swizzled_address(std::uintptr_t at, unsigned swizzle) {
  return swizzle == 0 ? at : at ^ ((at >> 7 << 4) & (swizzle - chunk_bytes));
}

}  // namespace

void AsyncCopy::land() const {
  if (!box) {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return;
  }
  for (std::size_t row = 0; row * box->box_row_bytes < bytes; ++row) {
    const BoxSource::Part part = box->part_of(row);
    for (std::size_t chunk = 0; chunk < box->box_row_bytes; chunk += chunk_bytes) {
      std::byte values[chunk_bytes] = {};
      const std::size_t begin = std::max(chunk, part.begin), end = std::min(chunk + chunk_bytes, part.end);
      if (begin < end)
        std::memcpy(values + (begin - chunk), reinterpret_cast<const void*>(part.from + (begin - part.begin)),
                    end - begin);
      const std::uintptr_t place = swizzled_address(to + row * box->box_row_bytes + chunk, box->swizzle);
      std::memcpy(reinterpret_cast<void*>(place), values, chunk_bytes);
    }
  }
}

void AsyncCopies::clear() {
  copies_.clear();
  targets_.clear();
  sources_.clear();
}

const AsyncCopy& AsyncCopies::add(const AsyncCopy& copy) {
  const AsyncCopy& added = copies_.emplace_back(copy);
  for (std::uintptr_t piece = added.to / piece_bytes; piece * piece_bytes < added.to + added.bytes; ++piece)
    targets_.emplace(piece, &added);
  added.for_each_source([&](std::uintptr_t from, std::size_t bytes) {
    for (std::uintptr_t piece = from / piece_bytes; piece * piece_bytes < from + bytes; ++piece)
      sources_.emplace(piece, &added);
  });
  return added;
}

void AsyncCopies::forget(const AsyncCopy& copy) {
  const auto erase = [&](Pieces& pieces, std::uintptr_t begin, std::size_t bytes) {
    for (std::uintptr_t piece = begin / piece_bytes; piece * piece_bytes < begin + bytes; ++piece) {
      auto [at, end] = pieces.equal_range(piece);
      while (at != end && at->second != &copy) ++at;
      if (at != end) pieces.erase(at);
    }
  };
  erase(targets_, copy.to, copy.bytes);
  copy.for_each_source([&](std::uintptr_t from, std::size_t bytes) { erase(sources_, from, bytes); });
}

const AsyncCopy* AsyncCopies::disturbed_by(std::uintptr_t address, std::size_t bytes, bool writes) const {
  const auto overlaps = [&](std::uintptr_t begin, std::size_t size) {
    return address < begin + size && begin < address + bytes;
  };
  for (auto [at, end] = targets_.equal_range(address / piece_bytes); at != end; ++at)
    if (overlaps(at->second->to, at->second->bytes)) return at->second;
  if (!writes) return nullptr;
  for (auto [at, end] = sources_.equal_range(address / piece_bytes); at != end; ++at) {
    bool is_read = false;
    at->second->for_each_source(
        [&](std::uintptr_t from, std::size_t bytes_read) { is_read = is_read || overlaps(from, bytes_read); });
    if (is_read) return at->second;
  }
  return nullptr;
}

std::size_t AsyncCopies::hand_over(unsigned thread, std::uintptr_t barrier) {
  std::size_t bytes = 0;
  for (AsyncCopy& copy : copies_)
    if (copy.barrier == 0 && copy.start.thread == thread) {
      copy.barrier = barrier;
      bytes += copy.bytes;
    }
  return bytes;
}

std::size_t AsyncCopies::bytes_of(std::uintptr_t barrier) const {
  std::size_t bytes = 0;
  for (const AsyncCopy& copy : copies_)
    if (copy.barrier == barrier) bytes += copy.bytes;
  return bytes;
}

}  // namespace warpwright::simulator

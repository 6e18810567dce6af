// Asynchronous copies that are not complete, and accesses that conflict with them.
#include "kernels/runtime/simulator/state/async_copies.hpp"

#include <cstring>
#include <utility>

namespace warpwright::simulator {

Box::Part Box::part_of(std::size_t row) const {
  const auto length = static_cast<long long>(box_row_bytes);
  const long long begin = std::clamp(-first_byte, 0LL, length);
  const long long end = std::clamp(row_bytes - first_byte, begin, length);
  if (begin == end) return {};
  std::ptrdiff_t distance = first_byte + begin;
  auto rest = static_cast<long long>(row);
  for (const Dimension& dimension : outer) {
    const long long at = dimension.first + rest % dimension.size;
    if (at < 0 || at >= dimension.extent) return {};
    distance += at * dimension.pitch;
    rest /= dimension.size;
  }
  return {tensor + static_cast<std::uintptr_t>(distance), static_cast<std::size_t>(begin),
          static_cast<std::size_t>(end)};
}

void AsyncCopy::take_source() {
  const auto* const begin = reinterpret_cast<const std::byte*>(from);
  read.assign(begin, begin + bytes);
  is_read = true;
}

void AsyncCopy::land() const {
  if (!box) {
    const auto* const source = is_read ? read.data() : reinterpret_cast<const std::byte*>(from);
    auto* const target = reinterpret_cast<std::byte*>(to);
    if (elements.bytes == 0) std::memcpy(target, source, bytes);
    for (std::size_t at = 0; elements.bytes != 0 && at < bytes; at += elements.bytes)
      elements.combine(target + at, source + at);
    return;
  }
  for (std::size_t row = 0; row * box->box_row_bytes < bytes; ++row) {
    const Box::Part part = box->part_of(row);
    for (std::size_t chunk = 0; chunk < box->box_row_bytes; chunk += swizzled_chunk) {
      const std::size_t begin = std::max(chunk, part.begin), end = std::min(chunk + swizzled_chunk, part.end);
      auto* const outside = reinterpret_cast<std::byte*>(part.address + (begin - part.begin));
      const std::uintptr_t place =
          swizzled_address((is_store ? from : to) + row * box->box_row_bytes + chunk, box->swizzle);
      if (is_store) {
        if (begin < end) std::memcpy(outside, read.data() + (place - from) + (begin - chunk), end - begin);
        continue;
      }
      std::byte values[swizzled_chunk] = {};
      if (begin < end) std::memcpy(values + (begin - chunk), outside, end - begin);
      std::memcpy(reinterpret_cast<void*>(place), values, swizzled_chunk);
    }
  }
}

void AsyncCopies::clear() {
  copies_.clear();
  targets_.clear();
  sources_.clear();
}

const AsyncCopy& AsyncCopies::add(AsyncCopy copy) {
  const AsyncCopy& added = copies_.emplace_back(std::move(copy));
  const auto add_to = [&](Pieces& pieces) {
    return [&](std::uintptr_t begin, std::size_t bytes) {
      for (std::uintptr_t piece = begin / piece_bytes; piece * piece_bytes < begin + bytes; ++piece)
        pieces.emplace(piece, &added);
    };
  };
  added.for_each_target(add_to(targets_));
  added.for_each_source(add_to(sources_));
  return added;
}

void AsyncCopies::erase(Pieces& pieces, const AsyncCopy& copy, std::uintptr_t begin, std::size_t bytes) {
  for (std::uintptr_t piece = begin / piece_bytes; piece * piece_bytes < begin + bytes; ++piece) {
    auto [at, end] = pieces.equal_range(piece);
    while (at != end && at->second != &copy) ++at;
    if (at != end) pieces.erase(at);
  }
}

void AsyncCopies::forget(const AsyncCopy& copy) {
  copy.for_each_target([&](std::uintptr_t to, std::size_t bytes) { erase(targets_, copy, to, bytes); });
  forget_source(copy);
}

void AsyncCopies::forget_source(const AsyncCopy& copy) {
  copy.for_each_source([&](std::uintptr_t from, std::size_t bytes) { erase(sources_, copy, from, bytes); });
}

const AsyncCopy* AsyncCopies::disturbed_by(std::uintptr_t address, std::size_t bytes, bool writes,
                                           bool is_atomic) const {
  for (auto [at, end] = targets_.equal_range(address / piece_bytes); at != end; ++at)
    if (at->second->writes(address, bytes) && !(is_atomic && at->second->elements.bytes != 0)) return at->second;
  if (!writes) return nullptr;
  for (auto [at, end] = sources_.equal_range(address / piece_bytes); at != end; ++at) {
    bool is_read = false;
    at->second->for_each_source([&](std::uintptr_t from, std::size_t bytes_read) {
      is_read = is_read || (address < from + bytes_read && from < address + bytes);
    });
    if (is_read) return at->second;
  }
  return nullptr;
}

std::size_t AsyncCopies::hand_over(unsigned thread, std::uintptr_t barrier) {
  std::size_t bytes = 0;
  for (AsyncCopy& copy : copies_)
    if (copy.barrier == 0 && !copy.is_store && copy.start.thread == thread) {
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

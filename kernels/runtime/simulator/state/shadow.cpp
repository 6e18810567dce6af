// Shadow memory: the latest accesses of each granule, and which bytes were ever written.
#include "kernels/runtime/simulator/state/shadow.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::simulator {

void Shadow::split() {
  decltype(cells_) cells(cells_.size() * 4);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cells_[i / 4];
  cells_ = std::move(cells);
  shift_ = 0;
}

void Shadow::set_range_written(std::size_t offset, std::size_t size) {
  if (all_written_) return;
  for (std::size_t i = offset; i < offset + size;) {
    if (i % 8 == 0 && i + 8 <= offset + size) {
      written_[i / 8] = 0xff;
      i += 8;
    } else {
      written_[i / 8] = static_cast<std::uint8_t>(written_[i / 8] | 1u << i % 8);
      ++i;
    }
  }
}

void Shadow::copy_written(const Shadow& from, std::size_t from_offset, std::size_t to_offset, std::size_t bytes) {
  if (from.all_written_) {
    set_range_written(to_offset, bytes);
    return;
  }
  if (all_written_) {
    set_all_written(false);
    set_range_written(0, bytes_);
  }
  const auto set = [&](std::size_t i) {
    const std::size_t source = from_offset + i, target = to_offset + i;
    const unsigned bit = from.written_[source / 8] >> source % 8 & 1u;
    written_[target / 8] = static_cast<std::uint8_t>((written_[target / 8] & ~(1u << target % 8)) | bit << target % 8);
  };
  // Within one buffer in the order of memmove.
  if (&from == this && to_offset > from_offset)
    for (std::size_t i = bytes; i > 0; --i) set(i - 1);
  else
    for (std::size_t i = 0; i < bytes; ++i) set(i);
}

std::size_t Shadow::width_of_store(std::size_t offset) const {
  const auto writer = [&](std::size_t at) { return last_writer(at); };
  const AccessRecord* const store = writer(offset);
  if (store == nullptr || store->time == 0 || !is_byte_written(offset)) return 0;
  std::size_t begin = offset, end = offset + 1;
  while (begin > 0 && is_byte_written(begin - 1) && *writer(begin - 1) == *store) --begin;
  while (end < bytes_ && is_byte_written(end) && *writer(end) == *store) ++end;
  return begin % (end - begin) == 0 ? end - begin : 0;
}

bool Shadow::is_padding(std::size_t offset, std::size_t size) const {
  constexpr std::size_t widest = 8, nearby = 32;
  bool has_member = false;
  for (std::size_t i = offset; i < offset + size; ++i) has_member = has_member || is_byte_written(i);
  if (!has_member) return false;
  // Each gap of unwritten bytes follows a member, and ends where a wider member may begin.
  for (std::size_t at = offset; at < offset + size;) {
    if (is_byte_written(at)) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at;
    while (begin > 0 && at - begin < widest && !is_byte_written(begin - 1)) --begin;
    while (end < bytes_ && end - at < widest && !is_byte_written(end)) ++end;
    const std::size_t gap = end - begin;
    bool is_between = false;
    if (begin > 0 && gap < widest) {
      const std::size_t first = begin > nearby ? begin - nearby : 0, last = std::min(bytes_, end + nearby);
      for (std::size_t i = first; i < last && !is_between; ++i) {
        const std::size_t width = width_of_store(i);
        is_between = width > gap && std::has_single_bit(width) && width <= widest && end % width == 0;
      }
    }
    if (!is_between) return false;
    at = end;
  }
  return true;
}

std::size_t Shadow::first_unwritten(std::size_t offset, std::size_t size) const {
  if (all_written_) return offset + size;
  for (std::size_t i = offset; i < offset + size; ++i)
    if ((written_[i / 8] >> i % 8 & 1u) == 0) return i;
  return offset + size;
}

}  // namespace warpwright::simulator

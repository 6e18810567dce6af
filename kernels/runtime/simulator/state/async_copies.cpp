// Asynchronous copies that are not complete, and accesses that conflict with them.
#include "kernels/runtime/simulator/state/async_copies.hpp"

namespace warpwright::simulator {

void AsyncCopies::clear() {
  copies_.clear();
  targets_.clear();
  sources_.clear();
}

const AsyncCopy& AsyncCopies::add(const AsyncCopy& copy) {
  const AsyncCopy& added = copies_.emplace_back(copy);
  for (std::uintptr_t piece = added.to / piece_bytes; piece * piece_bytes < added.to + added.bytes; ++piece)
    targets_.emplace(piece, &added);
  for (std::uintptr_t piece = added.from / piece_bytes; piece * piece_bytes < added.from + added.bytes; ++piece)
    sources_.emplace(piece, &added);
  return added;
}

void AsyncCopies::forget(const AsyncCopy& copy) {
  const auto erase = [&](Pieces& pieces, std::uintptr_t begin) {
    for (std::uintptr_t piece = begin / piece_bytes; piece * piece_bytes < begin + copy.bytes; ++piece) {
      auto [at, end] = pieces.equal_range(piece);
      while (at != end && at->second != &copy) ++at;
      if (at != end) pieces.erase(at);
    }
  };
  erase(targets_, copy.to);
  erase(sources_, copy.from);
}

const AsyncCopy* AsyncCopies::disturbed_by(std::uintptr_t address, std::size_t bytes, bool writes) const {
  const auto overlaps = [&](std::uintptr_t begin, std::size_t size) {
    return address < begin + size && begin < address + bytes;
  };
  for (auto [at, end] = targets_.equal_range(address / piece_bytes); at != end; ++at)
    if (overlaps(at->second->to, at->second->bytes)) return at->second;
  if (!writes) return nullptr;
  for (auto [at, end] = sources_.equal_range(address / piece_bytes); at != end; ++at)
    if (overlaps(at->second->from, at->second->bytes)) return at->second;
  return nullptr;
}

std::size_t AsyncCopies::bytes_of(std::uintptr_t barrier) const {
  std::size_t bytes = 0;
  for (const AsyncCopy& copy : copies_)
    if (copy.barrier == barrier) bytes += copy.bytes;
  return bytes;
}

}  // namespace warpwright::simulator

// Asynchronous copies that are not complete, and accesses that conflict with them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/state/shadow.hpp"

namespace warpwright::simulator {

struct Block;

/// The part of a copy in global memory whose rows lie apart: a box of a tensor. Bytes outside the tensor are read as
/// zeros, and not written.
struct Box {
  /// Rows, layers, and so on.
  struct Dimension {
    long long first = 0, size = 1;  ///< of the box
    long long extent = 1;           ///< of the tensor
    std::ptrdiff_t pitch = 0;       ///< bytes
  };

  std::uintptr_t tensor = 0;                ///< its first element
  long long first_byte = 0, row_bytes = 0;  ///< of the box in a row of the tensor; of such a row
  std::size_t box_row_bytes = 0;
  std::array<Dimension, 4> outer = {};
  unsigned swizzle = 0;  ///< bytes: 0, 32, 64 or 128

  /// Bytes `begin` to `end` of a row of the box are inside the tensor, the first of them at that address.
  struct Part {
    std::uintptr_t address = 0;
    std::size_t begin = 0, end = 0;
  };
  Part part_of(std::size_t row) const;
};

/// A copy that was started and is not visible yet.
struct AsyncCopy {
  std::uintptr_t to = 0, from = 0;
  std::size_t bytes = 0;
  std::optional<Box> box = {};     ///< then `from`, or for a store `to`, is not used
  bool is_store = false;           ///< from shared to global memory; its thread waits for its group
  ElementReduction elements = {};  ///< of a store that combines
  Block* block = nullptr;
  AccessRecord start = {};           ///< by which thread, and where
  unsigned group = 0;                ///< of that thread; not used with a barrier
  std::uintptr_t barrier = 0;        ///< whose phase it completes; 0: the thread waits for its group
  bool is_read = false;              ///< it no longer reads its source
  std::vector<std::byte> read = {};  ///< then: what it read

  /// Calls visit(address, bytes) with each range that the copy reads, or writes.
  template <class Visit>
  void for_each_source(Visit visit) const {
    if (is_read) return;
    if (!box) return visit(from, bytes);
    if (is_store) return for_each_chunk(visit);
    for_each_part(visit);
  }
  template <class Visit>
  void for_each_target(Visit visit) const {
    if (box && is_store) return for_each_part(visit);
    visit(to, bytes);
  }
  bool writes(std::uintptr_t address, std::size_t size) const {
    bool found = false;
    for_each_target([&](std::uintptr_t begin, std::size_t length) {
      found = found || (address < begin + length && begin < address + size);
    });
    return found;
  }
  /// Of a store: reads its source.
  void take_source();
  /// Moves the bytes.
  void land() const;

 private:
  /// The parts of the box in global memory.
  template <class Visit>
  void for_each_part(Visit visit) const {
    for (std::size_t row = 0; row * box->box_row_bytes < bytes; ++row)
      if (const Box::Part part = box->part_of(row); part.begin != part.end) visit(part.address, part.end - part.begin);
  }
  /// The places in shared memory, of at most 16 bytes each, of what is inside the tensor.
  template <class Visit>
  void for_each_chunk(Visit visit) const;
};

/// The size of the chunks that a swizzle moves together; and where the chunk at that address lies after swizzling. As
/// on a device, this depends on the address, not on the box.
inline constexpr std::size_t swizzled_chunk = 16;
inline std::uintptr_t swizzled_address(std::uintptr_t at, unsigned swizzle) {
  return swizzle == 0 ? at : at ^ ((at >> 7 << 4) & (swizzle - swizzled_chunk));
}

template <class Visit>
void AsyncCopy::for_each_chunk(Visit visit) const {
  for (std::size_t row = 0; row * box->box_row_bytes < bytes; ++row) {
    const Box::Part part = box->part_of(row);
    for (std::size_t chunk = part.begin / swizzled_chunk * swizzled_chunk; chunk < part.end; chunk += swizzled_chunk) {
      const std::size_t begin = std::max(chunk, part.begin), end = std::min(chunk + swizzled_chunk, part.end);
      const std::uintptr_t place = swizzled_address(from + row * box->box_row_bytes + chunk, box->swizzle);
      visit(place + (begin - chunk), end - begin);
    }
  }
}

/// The incomplete copies of a launch, found by the memory that they read and write.
class AsyncCopies {
 public:
  bool empty() const { return copies_.empty(); }
  void clear();
  const AsyncCopy& add(AsyncCopy copy);
  /// A copy that conflicts with an access of 1 to 16 bytes, within a multiple of 16: the access touches its target, or
  /// writes its source. Null if there is none. Atomic accesses do not conflict with the atomic operations of a
  /// reduction.
  const AsyncCopy* disturbed_by(std::uintptr_t address, std::size_t bytes, bool writes, bool is_atomic) const;
  /// Calls `land` with each copy that `is_done` accepts, in the order in which they were started, and forgets it.
  template <class IsDone, class Land>
  void finish(IsDone is_done, Land land) {
    for (auto at = copies_.begin(); at != copies_.end();) {
      if (is_done(*at)) {
        forget(*at);
        land(*at);
        at = copies_.erase(at);
      } else {
        ++at;
      }
    }
  }
  /// Calls `visit` with each store that `is_asked` accepts and that still reads its source. It does so no more.
  template <class IsAsked, class Visit>
  void finish_reading(IsAsked is_asked, Visit visit) {
    for (AsyncCopy& copy : copies_) {
      if (!copy.is_store || copy.is_read || !is_asked(copy)) continue;
      forget_source(copy);
      visit(copy);
      copy.take_source();
    }
  }
  /// Copies of that thread without a barrier, but no stores, get this one. Returns their bytes.
  std::size_t hand_over(unsigned thread, std::uintptr_t barrier);
  /// Bytes of the incomplete copies that complete a phase of that barrier.
  std::size_t bytes_of(std::uintptr_t barrier) const;
  /// The first one that `is_asked` accepts; null where there is none.
  template <class IsAsked>
  const AsyncCopy* find(IsAsked is_asked) const {
    for (const AsyncCopy& copy : copies_)
      if (is_asked(copy)) return &copy;
    return nullptr;
  }

 private:
  using Pieces = std::unordered_multimap<std::uintptr_t, const AsyncCopy*>;
  static constexpr std::uintptr_t piece_bytes = 16;

  void forget(const AsyncCopy& copy);
  void forget_source(const AsyncCopy& copy);
  static void erase(Pieces& pieces, const AsyncCopy& copy, std::uintptr_t begin, std::size_t bytes);

  std::list<AsyncCopy> copies_;
  Pieces targets_, sources_;  ///< by address / piece_bytes
};

}  // namespace warpwright::simulator

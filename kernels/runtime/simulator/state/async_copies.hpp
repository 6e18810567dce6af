// Asynchronous copies that are not complete, and accesses that conflict with them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>

#include "kernels/runtime/simulator/state/shadow.hpp"

namespace warpwright::simulator {

struct Block;

/// The source of a copy whose rows lie apart: a box of a matrix. Rows and bytes outside the matrix are zeros.
struct BoxSource {
  std::uintptr_t matrix = 0;                ///< row 0
  std::ptrdiff_t pitch = 0;                 ///< bytes
  long long first_row = 0, first_byte = 0;  ///< of the box, in the matrix
  long long rows = 0, row_bytes = 0;        ///< of the matrix
  std::size_t box_row_bytes = 0;
  unsigned swizzle = 0;  ///< bytes: 0, 32, 64 or 128

  /// Bytes `begin` to `end` of a row of the box are inside the matrix.
  struct Part {
    std::uintptr_t from = 0;
    std::size_t begin = 0, end = 0;
  };
  Part part_of(std::size_t row) const {
    const long long at = first_row + static_cast<long long>(row);
    const auto length = static_cast<long long>(box_row_bytes);
    const long long begin = std::clamp(-first_byte, 0LL, length);
    const long long end = std::clamp(row_bytes - first_byte, begin, length);
    if (at < 0 || at >= rows || begin == end) return {};
    return {matrix + static_cast<std::uintptr_t>(at * pitch + first_byte + begin), static_cast<std::size_t>(begin),
            static_cast<std::size_t>(end)};
  }
};

/// A copy that was started and is not visible yet.
struct AsyncCopy {
  std::uintptr_t to = 0, from = 0;
  std::size_t bytes = 0;
  std::optional<BoxSource> box = {};  ///< then `from` is not used
  Block* block = nullptr;
  AccessRecord start = {};     ///< by which thread, and where
  unsigned group = 0;          ///< of that thread; not used with a barrier
  std::uintptr_t barrier = 0;  ///< whose phase it completes; 0: the thread waits for its group

  /// Calls visit(address, bytes) with each range that the copy reads.
  template <class Visit>
  void for_each_source(Visit visit) const {
    if (!box) return visit(from, bytes);
    for (std::size_t row = 0; row * box->box_row_bytes < bytes; ++row)
      if (const BoxSource::Part part = box->part_of(row); part.begin != part.end)
        visit(part.from, part.end - part.begin);
  }
  /// Moves the bytes.
  void land() const;
};

/// The incomplete copies of a launch, found by the memory that they read and write.
class AsyncCopies {
 public:
  bool empty() const { return copies_.empty(); }
  void clear();
  const AsyncCopy& add(const AsyncCopy& copy);
  /// A copy that conflicts with an access of 1 to 16 bytes, within a multiple of 16: the access touches its target, or
  /// writes its source. Null if there is none.
  const AsyncCopy* disturbed_by(std::uintptr_t address, std::size_t bytes, bool writes) const;
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
  /// Copies of that thread without a barrier get this one. Returns their bytes.
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

  std::list<AsyncCopy> copies_;
  Pieces targets_, sources_;  ///< by address / piece_bytes
};

}  // namespace warpwright::simulator

// Asynchronous copies that are not complete, and accesses that conflict with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

#include "kernels/runtime/simulator/state/shadow.hpp"

namespace warpwright::simulator {

struct Block;

/// A copy that was started and is not visible yet.
struct AsyncCopy {
  std::uintptr_t to = 0, from = 0;
  std::size_t bytes = 0;
  Block* block = nullptr;
  AccessRecord start;          ///< by which thread, and where
  unsigned group = 0;          ///< of that thread; not used with a barrier
  std::uintptr_t barrier = 0;  ///< whose phase it completes; 0: the thread waits for its group
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

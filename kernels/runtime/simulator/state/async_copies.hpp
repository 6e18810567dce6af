// Asynchronous copies that are under way, and who touches their bytes meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

#include "kernels/runtime/simulator/state/shadow.hpp"

namespace warpwright::host {

struct Block;

/// A copy that was started and is not visible yet.
struct Transfer {
  std::uintptr_t to = 0, from = 0;
  std::size_t bytes = 0;
  Block* block = nullptr;
  AccessRecord start;          ///< by which thread, and where
  unsigned group = 0;          ///< of that thread; not used with a barrier
  std::uintptr_t barrier = 0;  ///< whose phase it completes; 0: the thread waits for its group
};

/// The copies of a launch that are under way, found by the memory that they read and write.
class Transfers {
 public:
  bool empty() const { return transfers_.empty(); }
  void clear();
  const Transfer& add(const Transfer& transfer);
  /// A copy that an access of 1 to 16 bytes, within a multiple of 16, disturbs: one whose target it touches, or whose
  /// source it writes. Null where there is none.
  const Transfer* disturbed_by(std::uintptr_t address, std::size_t bytes, bool writes) const;
  /// Calls `land` with each copy that `is_done` accepts, in the order in which they were started, and forgets it.
  template <class IsDone, class Land>
  void finish(IsDone is_done, Land land) {
    for (auto at = transfers_.begin(); at != transfers_.end();) {
      if (is_done(*at)) {
        forget(*at);
        land(*at);
        at = transfers_.erase(at);
      } else {
        ++at;
      }
    }
  }
  /// Bytes of the copies under way that complete that barrier.
  std::size_t bytes_of(std::uintptr_t barrier) const;
  /// The first one that `is_asked` accepts; null where there is none.
  template <class IsAsked>
  const Transfer* find(IsAsked is_asked) const {
    for (const Transfer& transfer : transfers_)
      if (is_asked(transfer)) return &transfer;
    return nullptr;
  }

 private:
  using Pieces = std::unordered_multimap<std::uintptr_t, const Transfer*>;
  static constexpr std::uintptr_t piece_bytes = 16;

  void forget(const Transfer& transfer);

  std::list<Transfer> transfers_;
  Pieces targets_, sources_;  ///< by address / piece_bytes
};

}  // namespace warpwright::host

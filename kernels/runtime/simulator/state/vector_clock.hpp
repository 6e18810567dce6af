// A vector clock, compressed by block: the accesses that happened before its owner's next one.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/runtime/simulator/state/clock_array.hpp"

namespace warpwright::simulator {

/// It covers the accesses of a block's threads, and of single threads, before a time. Threads are numbered over the
/// launch. Clocks are shared between threads and never change. A stamp is a thread and the time of one of its accesses.
/// A clock that covers a stamp also covers all that the thread's clock covered at that time, so two clocks are compared
/// by few stamps. (The argument is that of vector clocks: F. Mattern, Virtual Time and Global States of Distributed
/// Systems, 1989.)
class VectorClock {
 public:
  using Stamp = std::pair<std::uint32_t, std::uint32_t>;  ///< a thread, and the time of one of its accesses

  explicit VectorClock(std::uint32_t threads_per_block) : threads_per_block_(threads_per_block) {}

  /// Also covers the accesses of that block's threads, or of that thread, before the time.
  void learn_block(std::uint32_t block, std::uint32_t time) { blocks_.raise(block, time); }
  void learn_thread(std::uint32_t thread, std::uint32_t time) { threads_.raise(thread, time); }
  /// Declares that this is the clock of that thread at that time.
  void stamp(Stamp stamp) { stamps_ = {stamp}; }
  void learn(const VectorClock& other);

  /// Whether it covers an access of that thread at that time.
  bool covers(std::uint32_t thread, std::uint32_t time) const {
    return time < threads_.time_of(thread) || time < blocks_.time_of(thread / threads_per_block_);
  }
  bool covers(const VectorClock& other) const;

 private:
  static constexpr std::size_t most_stamps = 4;

  ClockArray blocks_, threads_;
  std::vector<Stamp> stamps_;  ///< a clock that covers these covers this one; empty: too many
  std::uint32_t threads_per_block_;
};

/// A null pointer is a clock that covers nothing.
using SharedClock = std::shared_ptr<const VectorClock>;

/// A clock that covers everything that either covers.
SharedClock merged(const SharedClock& a, const SharedClock& b);
/// Makes `all` also cover everything that `one` covers.
inline void join(SharedClock& all, const SharedClock& one) {
  if (one != nullptr) all = merged(all, one);
}

}  // namespace warpwright::simulator

// A vector clock, compressed by block: which accesses happened before those of its owner.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/runtime/simulator/state/clock_array.hpp"

namespace warpwright::simulator {

/// It covers the accesses of a block's threads, and of single threads, before a time. Threads are numbered over the
/// launch. Clocks are shared between threads and never change.
///
/// A stamp is a thread and the time of one of its accesses. Who covers the stamp covers all that the thread covered at
/// that time, so two clocks are compared by few stamps. (The argument is that of vector clocks: F. Mattern, Virtual
/// Time and Global States of Distributed Systems, 1989.)
class VectorClock {
 public:
  using Stamp = std::pair<std::uint32_t, std::uint32_t>;  ///< a thread, and the time of an access of it

  explicit VectorClock(std::uint32_t threads_per_block) : threads_per_block_(threads_per_block) {}

  /// What that block's threads, or that thread, did before the time is known too.
  void learn_block(std::uint32_t block, std::uint32_t time) { blocks_.raise(block, time); }
  void learn_thread(std::uint32_t thread, std::uint32_t time) { threads_.raise(thread, time); }
  /// It is all that the thread knows at that time.
  void stamp(Stamp stamp) { stamps_ = {stamp}; }
  void learn(const VectorClock& other);

  /// Whether an access of that thread at that time is known.
  bool covers(std::uint32_t thread, std::uint32_t time) const {
    return time < threads_.time_of(thread) || time < blocks_.time_of(thread / threads_per_block_);
  }
  bool covers(const VectorClock& other) const;

 private:
  static constexpr std::size_t most_stamps = 4;

  ClockArray blocks_, threads_;
  std::vector<Stamp> stamps_;  ///< who knows all of these knows all of it; empty: too many
  std::uint32_t threads_per_block_;
};

/// Null where nothing is known.
using SharedClock = std::shared_ptr<const VectorClock>;

/// What either knows.
SharedClock merged(const SharedClock& a, const SharedClock& b);
/// Adds what the other knows.
inline void join(SharedClock& all, const SharedClock& one) {
  if (one != nullptr) all = merged(all, one);
}

}  // namespace warpwright::simulator

// Signed overflows of the threads of a launch: an access out of bounds may come from one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// Signed arithmetic whose result does not fit its type.
struct Overflow {
  char operation = '+';
  long long left = 0, right = 0;
  unsigned bits = 32;  ///< of the type
  const void* site = nullptr;

  /// What device code goes on with.
  std::int64_t wrapped() const;
  /// "70000 * 70000 is 4900000000, which does not fit a signed 32-bit integer"
  std::string words() const;
  /// Whether an access to this element, or with this index, comes from it: both lie near each other, as those of a
  /// column and of its row do.
  bool explains(std::int64_t index) const;
};

class Overflows {
 public:
  void begin_launch() { last_.clear(); }
  void note(const Thread& thread, const Overflow& found) { last_[number_of(thread)] = found; }
  /// The thread's last one; null if there is none.
  const Overflow* of(const Thread& thread) const {
    const auto found = last_.find(number_of(thread));
    return found == last_.end() ? nullptr : &found->second;
  }

 private:
  /// Of the thread in the launch.
  static std::uint64_t number_of(const Thread& thread) {
    return thread.block->number * thread.block->count + thread.number;
  }

  std::unordered_map<std::uint64_t, Overflow> last_;
};

}  // namespace warpwright::simulator

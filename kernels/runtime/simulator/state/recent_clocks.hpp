// The vector clocks that a thread released or observed at the locations that it used last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/runtime/simulator/state/vector_clock.hpp"

namespace warpwright::simulator {

/// A few locations are enough: a thread uses the same one again soon.
class RecentClocks {
 public:
  /// Null if there is none.
  const SharedClock* at(std::uintptr_t address) const {
    const auto found = std::ranges::find(all_, address, &Entry::address);
    return found == all_.end() ? nullptr : &found->clock;
  }
  /// Adds what the clock knows to that of the location.
  void add(std::uintptr_t address, const SharedClock& clock) {
    constexpr std::size_t most = 8;
    const auto found = std::ranges::find(all_, address, &Entry::address);
    if (found != all_.end()) return join(found->clock, clock);
    if (all_.size() == most) all_.erase(all_.begin());
    all_.push_back({address, clock});
  }

 private:
  struct Entry {
    std::uintptr_t address = 0;
    SharedClock clock;
  };
  std::vector<Entry> all_;  ///< the newest last
};

}  // namespace warpwright::simulator

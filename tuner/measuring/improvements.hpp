// Notices when a search no longer finds anything better.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace warpwright::tuner {

/// Counts the configurations since the best cost last fell noticeably.
class Improvements {
 public:
  /// Adds the cost of the next configuration; infinity if it has none.
  void add(double cost) {
    ++count_;
    if (!(cost < kNoticeable * best_)) return;
    best_ = cost;
    improved_at_ = count_;
  }

  /// Whether nothing better was found for long: for twice as many configurations as were needed for the best one, for a
  /// fiftieth of the space, and for a hundred.
  bool have_ceased(std::size_t space) const {
    return count_ - improved_at_ > std::max({std::size_t{100}, space / 50, 2 * improved_at_});
  }

 private:
  static constexpr double kNoticeable = 0.995;

  double best_ = std::numeric_limits<double>::infinity();
  std::size_t count_ = 0, improved_at_ = 0;
};

}  // namespace warpwright::tuner

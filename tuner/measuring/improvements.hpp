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

  /// Whether nothing better was found for more configurations than each of: 100, a fiftieth of the space, and twice the
  /// number up to the last improvement.
  bool have_ceased(std::size_t space) const {
    return count_ - improved_at_ > std::max({std::size_t{100}, space / 50, 2 * improved_at_});
  }

 private:
  static constexpr double kNoticeable = 0.995;

  double best_ = std::numeric_limits<double>::infinity();
  std::size_t count_ = 0, improved_at_ = 0;
};

}  // namespace warpwright::tuner

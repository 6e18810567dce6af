// Scales: from values to positions in percent, with ticks at round numbers.
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright::reports::charts {

enum class Growth { linear, logarithmic };

// Maps [low, high] to 0 ... 100 %. A logarithmic scale has only values above 0.
class Scale {
 public:
  Scale(Growth, double low, double high);

  // The position of a value in percent; outside 0 ... 100 if the value is outside.
  double at(double value) const;
  // The same, clamped to 0 ... 100.
  double clamped(double value) const;
  double low() const { return low_; }
  double high() const { return high_; }
  bool holds(double value) const { return value >= low_ && value <= high_; }
  // Round numbers in the range, in ascending order: about `most` of them, or fewer.
  std::vector<double> ticks(std::size_t most = 6) const;

 private:
  Growth growth_;
  double low_;
  double high_;
};

// From 0 to a round number at or above `high`.
Scale from_zero(double high);
// A logarithmic scale around the values, with a margin on both sides, spanning at least a factor `span`. Values that
// are not above 0 are left out; without any, from 1 to 10.
Scale around(const std::vector<double>& values, double span = 2, double margin = 0.06);

}  // namespace warpwright::reports::charts

// Greedy pairwise covering sample of a search space.
#include "tuner/search/covering.hpp"

#include <algorithm>

#include "tuner/search/search_support.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::size_t most_tried = 4000;

/// Numbers all pairs of (axis, value) and (axis, value) consecutively; a pair of an axis with itself stands for a
/// single value.
class Pairs {
 public:
  explicit Pairs(const std::vector<int>& axis_sizes) {
    std::size_t values = 0;
    for (const int size : axis_sizes) {
      offsets_.push_back(values);
      values += static_cast<std::size_t>(size);
    }
    values_ = values;
    uncovered_.assign(values * values, false);
  }

  /// Calls visit(number) for each pair of values in the point.
  template <class Visit>
  void each(const std::vector<int>& point, const Visit& visit) const {
    for (std::size_t a = 0; a < point.size(); ++a) {
      const std::size_t first = offsets_[a] + static_cast<std::size_t>(point[a]);
      for (std::size_t b = a; b < point.size(); ++b) {
        visit(first * values_ + offsets_[b] + static_cast<std::size_t>(point[b]));
      }
    }
  }

  void require(const std::vector<int>& point) {
    each(point, [this](std::size_t pair) {
      left_ += uncovered_[pair] ? 0 : 1;
      uncovered_[pair] = true;
    });
  }

  void cover(const std::vector<int>& point) {
    each(point, [this](std::size_t pair) {
      left_ -= uncovered_[pair] ? 1 : 0;
      uncovered_[pair] = false;
    });
  }

  std::size_t gain(const std::vector<int>& point) const {
    std::size_t count = 0;
    each(point, [&](std::size_t pair) { count += uncovered_[pair] ? 1 : 0; });
    return count;
  }

  std::size_t left() const { return left_; }

 private:
  std::vector<std::size_t> offsets_;
  std::size_t values_ = 0;
  std::size_t left_ = 0;
  std::vector<bool> uncovered_;
};

}  // namespace

std::vector<std::size_t> covering_sample(const SearchSpace& space, std::uint64_t seed) {
  space.check();
  if (space.points.empty()) return {};
  Random random(seed);
  Pairs pairs(space.axis_sizes);
  std::vector<std::size_t> useful;
  for (std::size_t p = 0; p < space.points.size(); ++p) {
    pairs.require(space.points[p]);
    useful.push_back(p);
  }
  random.shuffle(useful);
  std::vector<std::size_t> sample = {space.default_point};
  pairs.cover(space.points[space.default_point]);
  while (pairs.left() > 0) {
    std::size_t best = 0;
    std::size_t best_gain = 0;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < useful.size() && (tried < most_tried || best_gain == 0); ++tried) {
      const std::size_t gain = pairs.gain(space.points[useful[i]]);
      if (gain == 0) {
        useful[i] = useful.back();
        useful.pop_back();
        continue;
      }
      if (gain > best_gain) {
        best_gain = gain;
        best = useful[i];
      }
      ++i;
    }
    sample.push_back(best);
    pairs.cover(space.points[best]);
    random.shuffle(useful);
  }
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace warpwright::tuner

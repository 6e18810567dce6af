// Grows regression trees, splitting by the largest reduction of squared error.
#include "tuner/search/regression_forest.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::tuner {

RegressionForest::RegressionForest(const std::vector<const std::vector<int>*>& points,
                                   const std::vector<double>& values, const std::vector<int>& axis_sizes,
                                   Random& random, ForestOptions options)
    : options_(options) {
  const Samples samples{points, values, axis_sizes};
  for (int t = 0; t < options_.trees; ++t) {
    std::vector<std::size_t> bootstrap(points.size());
    for (std::size_t& sample : bootstrap) sample = random.below(points.size());
    grow(trees_.emplace_back(), samples, bootstrap, random);
  }
}

RegressionForest::Split RegressionForest::best_split(const Samples& samples, const std::vector<std::size_t>& chosen,
                                                     double mean, Random& random) const {
  Split best;
  double best_gain = 1e-12;
  std::vector<double> sums;
  std::vector<std::size_t> counts;
  for (std::size_t axis = 0; axis < samples.axis_sizes.size(); ++axis) {
    const auto size = static_cast<std::size_t>(samples.axis_sizes[axis]);
    if (size < 2 || random.unit() >= options_.axis_share) continue;
    sums.assign(size, 0);
    counts.assign(size, 0);
    for (const std::size_t sample : chosen) {
      const auto at = static_cast<std::size_t>((*samples.points[sample])[axis]);
      sums[at] += samples.values[sample] - mean;
      ++counts[at];
    }
    double left_sum = 0;
    std::size_t left = 0;
    for (std::size_t cut = 0; cut + 1 < size; ++cut) {
      left_sum += sums[cut];
      left += counts[cut];
      if (counts[cut] == 0 || left < options_.min_leaf) continue;
      if (chosen.size() - left < options_.min_leaf) break;
      const double gain =
          left_sum * left_sum * (1 / static_cast<double>(left) + 1 / static_cast<double>(chosen.size() - left));
      if (gain <= best_gain) continue;
      std::size_t gap = 1;
      while (cut + gap + 1 < size && counts[cut + gap] == 0) ++gap;
      best_gain = gain;
      best = {static_cast<int>(axis), static_cast<int>(cut + random.below(gap))};
    }
  }
  return best;
}

std::size_t RegressionForest::grow(std::vector<Node>& tree, const Samples& samples,
                                   const std::vector<std::size_t>& chosen, Random& random) const {
  double sum = 0;
  for (const std::size_t sample : chosen) sum += samples.values[sample];
  const double mean = sum / static_cast<double>(chosen.size());
  const std::size_t own = tree.size();
  tree.push_back({.value = mean});
  if (chosen.size() < 2 * options_.min_leaf) return own;
  const Split split = best_split(samples, chosen, mean, random);
  if (split.axis < 0) return own;
  std::vector<std::size_t> left, right;
  for (const std::size_t sample : chosen) {
    const int at = (*samples.points[sample])[static_cast<std::size_t>(split.axis)];
    (at <= split.cut ? left : right).push_back(sample);
  }
  const std::size_t left_node = grow(tree, samples, left, random);
  const std::size_t right_node = grow(tree, samples, right, random);
  tree[own] = {split.axis, split.cut, left_node, right_node, mean};
  return own;
}

ForestPrediction RegressionForest::predict(const std::vector<int>& point) const {
  double sum = 0;
  double squares = 0;
  for (const std::vector<Node>& tree : trees_) {
    std::size_t at = 0;
    while (tree[at].axis >= 0) {
      at = point[static_cast<std::size_t>(tree[at].axis)] <= tree[at].cut ? tree[at].left : tree[at].right;
    }
    sum += tree[at].value;
    squares += tree[at].value * tree[at].value;
  }
  const double count = static_cast<double>(trees_.size());
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

}  // namespace warpwright::tuner

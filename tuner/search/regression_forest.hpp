// A small random forest over axis indices: predicts a value, and how much its trees disagree.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/search/search_support.hpp"

namespace warpwright::tuner {

struct ForestOptions {
  int trees = 16;
  std::size_t min_leaf = 2;  ///< least number of samples in a leaf
  double axis_share = 0.8;   ///< share of the axes, drawn for each split, among which the split is chosen
};

struct ForestPrediction {
  double mean = 0;
  double deviation = 0;  ///< standard deviation over the trees
};

/// Regression trees on bootstrap samples; a split compares an axis index with a threshold. Source: L. Breiman, Random
/// Forests, Machine Learning 45, 2001.
class RegressionForest {
 public:
  /// Fits values[i] at points[i]. `points` must not be empty; coordinates must be less than `axis_sizes`.
  RegressionForest(const std::vector<const std::vector<int>*>& points, const std::vector<double>& values,
                   const std::vector<int>& axis_sizes, Random& random, ForestOptions options = {});

  ForestPrediction predict(const std::vector<int>& point) const;

 private:
  struct Node {
    int axis = -1;  ///< -1 for a leaf
    int cut = 0;    ///< coordinates <= cut go left
    std::size_t left = 0, right = 0;
    double value = 0;
  };
  struct Split {
    int axis = -1;
    int cut = 0;
  };
  struct Samples {
    const std::vector<const std::vector<int>*>& points;
    const std::vector<double>& values;
    const std::vector<int>& axis_sizes;
  };

  std::size_t grow(std::vector<Node>& tree, const Samples& samples, const std::vector<std::size_t>& chosen,
                   Random& random) const;
  Split best_split(const Samples& samples, const std::vector<std::size_t>& chosen, double mean, Random& random) const;

  ForestOptions options_;
  std::vector<std::vector<Node>> trees_;
};

}  // namespace warpwright::tuner

// Tests of the predictions of the Gaussian process.
#include "tuner/search/gaussian_process.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warpwright::tuner {
namespace {

using Points = std::vector<std::vector<int>>;

/// A process on three axes of 8, 8 and 2 values that was fitted to, and observed, these points.
GaussianProcess fitted(const Points& points, const std::vector<double>& values) {
  GaussianProcess process({8, 8, 2});
  std::vector<const std::vector<int>*> pointers;
  for (const std::vector<int>& point : points) pointers.push_back(&point);
  process.fit(pointers, values);
  for (const std::vector<int>& point : points) process.observe(point);
  process.explain({values.begin(), values.end()});
  return process;
}

/// Every third point of the grid, and values that depend on its first axis alone.
struct Slope {
  Points points;
  std::vector<double> values;
  Slope() {
    for (int i = 0; i < 128; i += 3) {
      points.push_back({i / 16, i / 2 % 8, i % 2});
      values.push_back((i / 16 - 3.5) / 2);
    }
  }
};

/// What a process predicts for 256, if it knows 16, 32, ..., 240, of which the powers of two are fast.
double predicted_for_256(const std::vector<std::vector<std::int64_t>>& axis_values) {
  GaussianProcess process({16}, axis_values);
  const Points points{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}, {12}, {13}, {14}};
  const std::vector<double> values{0.4, -0.8, 0.4, -1.6, 0.4, -0.6, 0.4, -2.2, 0.4, -0.7, 0.4, -1.5, 0.4, -0.8, 0.4};
  std::vector<const std::vector<int>*> pointers;
  for (const std::vector<int>& point : points) pointers.push_back(&point);
  process.fit(pointers, values);
  for (const std::vector<int>& point : points) process.observe(point);
  process.explain({values.begin(), values.end()});
  process.add_candidate({15});
  return process.mean(0);
}

TEST(GaussianProcess, numbers_that_can_be_halved_equally_often_are_alike) {
  std::vector<std::int64_t> sixteens;
  for (int i = 1; i <= 16; ++i) sixteens.push_back(16 * i);
  EXPECT_LT(predicted_for_256({sixteens}), -1);
  EXPECT_GT(predicted_for_256({}), -0.5) << "the index says nothing of it";
  sixteens[15] = 1024;
  EXPECT_EQ(predicted_for_256({sixteens}), predicted_for_256({})) << "not evenly spaced";
}

TEST(GaussianProcess, predicts_what_it_observed_and_is_sure_of_it) {
  const Slope slope;
  GaussianProcess process = fitted(slope.points, slope.values);
  for (std::size_t i = 0; i < slope.points.size(); ++i) {
    process.add_candidate(slope.points[i]);
    EXPECT_NEAR(process.mean(i), slope.values[i], 0.1);
    EXPECT_LT(process.variance(i), 0.1);
  }
}

TEST(GaussianProcess, learns_which_axes_matter) {
  const Slope slope;
  GaussianProcess process = fitted(slope.points, slope.values);
  process.add_candidate({0, 4, 0});
  process.add_candidate({7, 1, 1});
  EXPECT_NEAR(process.mean(0), -1.75, 0.25);
  EXPECT_NEAR(process.mean(1), 1.75, 0.25);
}

TEST(GaussianProcess, is_unsure_far_from_all_observed_points) {
  GaussianProcess process({8, 8, 2});
  process.add_candidate({7, 7, 1});
  EXPECT_EQ(process.mean(0), 0);
  EXPECT_EQ(process.variance(0), 1);
  process.observe({0, 0, 0});
  process.explain({1.0});
  process.add_candidate({0, 1, 0});
  EXPECT_GT(process.variance(0), process.variance(1));
  EXPECT_LT(process.mean(0), process.mean(1));
}

TEST(GaussianProcess, an_unknown_value_makes_it_surer_but_changes_no_prediction) {
  const Slope slope;
  GaussianProcess process = fitted(slope.points, slope.values);
  process.add_candidate({5, 5, 1});
  const double mean = process.mean(0), variance = process.variance(0);
  process.observe({5, 5, 0});
  std::vector<std::optional<double>> values(slope.values.begin(), slope.values.end());
  values.push_back(std::nullopt);
  process.explain(values);
  EXPECT_NEAR(process.mean(0), mean, 1e-4);
  EXPECT_LT(process.variance(0), variance);
  values.back() = 5;
  process.explain(values);
  EXPECT_GT(process.mean(0), mean + 0.1);
}

TEST(GaussianProcess, the_order_of_observing_and_adding_candidates_does_not_matter) {
  GaussianProcess early({8, 8, 2}), late({8, 8, 2});
  early.add_candidate({3, 3, 1});
  for (GaussianProcess* const process : {&early, &late}) {
    process->observe({3, 4, 1});
    process->observe({6, 1, 0});
    process->explain({-1.0, 2.0});
  }
  late.add_candidate({3, 3, 1});
  EXPECT_NEAR(early.mean(0), late.mean(0), 1e-5);
  EXPECT_NEAR(early.variance(0), late.variance(0), 1e-5);
}

TEST(GaussianProcess, survives_identical_points) {
  const Points points(20, {1, 1, 1});
  GaussianProcess process = fitted(points, std::vector<double>(20, 0.5));
  process.add_candidate({1, 1, 1});
  EXPECT_NEAR(process.mean(0), 0.5, 0.05);
  EXPECT_GE(process.variance(0), 0);
}

}  // namespace
}  // namespace warpwright::tuner

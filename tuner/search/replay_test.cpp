// Tests of the score of strategies against its published closed forms, on plain numbers and on recorded spaces.
#include "tuner/search/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "kernels/system/temporary_folder.hpp"
#include "tuner/search/recorded_spaces_test.hpp"

namespace warpwright::tuner {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(ReplayScore, leaves_out_points_that_failed) {
  const ReplayScore score({3, infinity, 1, 2, std::nan("")});
  EXPECT_EQ(score.valid(), 3u);
  EXPECT_EQ(score.optimum(), 1);
  EXPECT_EQ(score.median(), 2);
  EXPECT_THROW(ReplayScore({1, infinity}), std::invalid_argument);
}

TEST(ReplayScore, the_baseline_is_the_expected_best_rank_of_random_draws) {
  const ReplayScore score(one_to(99));
  EXPECT_EQ(score.baseline(1), 49) << "d[round(100 / 2)] of the values from worst to best";
  EXPECT_EQ(score.baseline(9), 9);
  EXPECT_EQ(score.baseline(1000), 1);
  for (std::size_t m = 1; m < 200; ++m) EXPECT_LE(score.baseline(m + 1), score.baseline(m));
}

TEST(ReplayScore, cutoffs_grow_with_the_share_of_the_distance) {
  const ReplayScore score(one_to(999));
  for (int p = 1; p < 95; ++p) EXPECT_LE(score.cutoff(p / 100.0), score.cutoff((p + 1) / 100.0));
  EXPECT_GT(score.cutoff(0.95), score.cutoff(0.01));
}

TEST(ReplayScore, finding_the_optimum_at_once_scores_one_and_finding_only_the_worst_point_scores_below_zero) {
  const ReplayScore score(one_to(999));
  EXPECT_DOUBLE_EQ(score.score({{1}}), 1);
  EXPECT_LT(score.score({{999}}), 0);
  EXPECT_LT(score.score({{infinity}}), 0);
  EXPECT_THROW(score.score({}), std::invalid_argument);
}

TEST(ReplayScore, the_curve_is_the_median_over_runs) {
  const ReplayScore score(one_to(999));
  EXPECT_DOUBLE_EQ(score.score({{1}, {1}, {999}}), 1);
  EXPECT_LT(score.score({{1}, {999}, {999}}), 0);
}

TEST(RecordedSpace, other_files_are_refused_with_their_name) {
  EXPECT_THROW(read_kernel_tuner_cache("/nonexistent/file.json.gz"), std::runtime_error);
  const TemporaryFolder folder;
  const std::string path = folder / "no_cache.json";
  std::ofstream(path) << "{\"cache\": {}}";
  try {
    read_kernel_tuner_cache(path);
    FAIL() << "was accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
  }
}

TEST(RecordedSpace, a_cache_becomes_points_on_axes_and_failures_become_infinite_costs) {
  const TemporaryFolder folder;
  const std::string path = folder / "small_cache.json";
  std::ofstream(path) << R"({"tune_params_keys": ["x", "y"], "tune_params": {"x": [16, 32], "y": [1, 2, 4]}, "cache": {
    "16,4": {"x": 16, "y": 4, "time": 2.5, "times": [2, 3]},
    "32,1": {"x": 32, "y": 1, "time": "CompilationFailedConfig"},
    "32,2": {"x": 32, "y": 2, "time": 1e20}}})";
  const RecordedSpace recorded = read_kernel_tuner_cache(path);
  recorded.space.check();
  EXPECT_EQ(recorded.space.axis_sizes, (std::vector<int>{2, 3}));
  EXPECT_EQ(recorded.space.axis_values, (std::vector<std::vector<std::int64_t>>{{16, 32}, {1, 2, 4}}));
  EXPECT_EQ(recorded.space.points, (std::vector<std::vector<int>>{{0, 2}, {1, 0}, {1, 1}}));
  EXPECT_EQ(recorded.costs, (std::vector<double>{2.5, infinity, infinity}));
  EXPECT_EQ(recorded.axis("y"), 1u);
}

struct PublishedRow {
  const char* name;
  std::size_t valid;
  double optimum, median;
  std::size_t f01, f50, f95, f96;
};

class PublishedCutoffs : public testing::TestWithParam<PublishedRow> {};

TEST_P(PublishedCutoffs, are_reproduced) {
  const PublishedRow& row = GetParam();
  const std::string path = recorded_space(row.name);
  if (path.empty()) GTEST_SKIP() << "no recorded spaces here";
  const RecordedSpace recorded = read_kernel_tuner_cache(path);
  recorded.space.check();
  const ReplayScore score(recorded.costs);
  EXPECT_EQ(score.valid(), row.valid);
  EXPECT_NEAR(score.optimum(), row.optimum, 1e-5 * row.optimum);
  EXPECT_NEAR(score.median(), row.median, 1e-5 * row.median);
  EXPECT_EQ(score.cutoff(0.01), row.f01);
  EXPECT_EQ(score.cutoff(0.50), row.f50);
  EXPECT_EQ(score.cutoff(0.95), row.f95);
  EXPECT_EQ(score.cutoff(0.96), row.f96);
}

INSTANTIATE_TEST_SUITE_P(RecordedSpaces, PublishedCutoffs,
                         testing::Values(PublishedRow{"convolution__RTX_2080_Ti", 5256, 0.900262, 2.75672, 2, 4, 219,
                                                      250},
                                         PublishedRow{"gemm__RTX_2080_Ti", 17956, 11.4828, 28.5985, 2, 4, 997, 1632},
                                         PublishedRow{"pnpoly__RTX_3090", 3774, 8.71424, 13.5350, 2, 6, 198, 222}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpwright::tuner

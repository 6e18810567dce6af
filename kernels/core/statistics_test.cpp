// Tests of medians, of the coverage of their intervals on simulated data, and of the ranking of finalists.
#include "kernels/core/statistics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

namespace warpwright {
namespace {

using Draw = std::function<double(std::mt19937_64&)>;

/// The share of `trials` samples of n draws whose interval contains the true median.
double observed_coverage(const Draw& draw, double true_median, std::size_t n, double confidence) {
  std::mt19937_64 engine(20240607);
  constexpr int trials = 4000;
  int hits = 0;
  for (int t = 0; t < trials; ++t) {
    std::vector<double> values(n);
    for (double& value : values) value = draw(engine);
    hits += median_interval(values, confidence).contains(true_median) ? 1 : 0;
  }
  return static_cast<double>(hits) / trials;
}

/// rounds x candidates: the base time of each candidate, times a drift common to a round and independent relative
/// noise.
std::vector<std::vector<double>> simulate_final(const std::vector<double>& base_us, std::size_t rounds, double noise,
                                                std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> result(rounds);
  for (std::vector<double>& round : result) {
    const double drift = 1 + 0.02 * normal(engine);
    for (const double base : base_us) round.push_back(base * drift * (1 + noise * normal(engine)));
  }
  return result;
}

TEST(Statistics, the_median_of_an_even_number_of_values_is_the_mean_of_the_middle_two) {
  EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(median({7}), 7);
}

TEST(Statistics, no_values_and_nan_are_refused) {
  EXPECT_THROW(median({}), std::invalid_argument);
  EXPECT_THROW(median({1, std::nan(""), 2}), std::invalid_argument);
  EXPECT_THROW(median_interval({}), std::invalid_argument);
  EXPECT_THROW(median_interval({1, 2}, 1.0), std::invalid_argument);
}

TEST(Statistics, ranks_and_coverage_agree_with_the_tables_of_the_binomial_distribution) {
  std::vector<double> ten;
  for (int i = 1; i <= 10; ++i) ten.push_back(i);
  const Interval interval = median_interval(ten, 0.95);
  EXPECT_DOUBLE_EQ(interval.low, 2);
  EXPECT_DOUBLE_EQ(interval.high, 9);
  EXPECT_NEAR(interval.coverage, 0.978516, 1e-6);

  std::vector<double> thirty;
  for (int i = 1; i <= 30; ++i) thirty.push_back(i);
  const Interval wide = median_interval(thirty, 0.95);
  EXPECT_DOUBLE_EQ(wide.low, 10);
  EXPECT_DOUBLE_EQ(wide.high, 21);
  EXPECT_NEAR(wide.coverage, 0.957226, 1e-6);
}

TEST(Statistics, too_few_values_give_the_whole_range_and_say_how_little_it_covers) {
  const Interval interval = median_interval({3, 1, 2}, 0.95);
  EXPECT_DOUBLE_EQ(interval.low, 1);
  EXPECT_DOUBLE_EQ(interval.high, 3);
  EXPECT_DOUBLE_EQ(interval.coverage, 0.75);
  EXPECT_NEAR(median_interval({1}, 0.95).coverage, 0, 1e-12);
}

TEST(Statistics, intervals_cover_the_median_as_often_as_stated_even_with_heavy_tails) {
  const Draw cauchy = [](std::mt19937_64& engine) { return std::cauchy_distribution<double>(10, 1)(engine); };
  const Draw lognormal = [](std::mt19937_64& engine) { return std::lognormal_distribution<double>(0, 1.5)(engine); };
  const Draw normal = [](std::mt19937_64& engine) { return std::normal_distribution<double>(5, 1)(engine); };
  for (const std::size_t n : {std::size_t{7}, std::size_t{15}, std::size_t{30}}) {
    const double stated = median_interval(std::vector<double>(n, 1.0), 0.95).coverage;
    ASSERT_GE(stated, 0.95);
    EXPECT_NEAR(observed_coverage(cauchy, 10, n, 0.95), stated, 0.012) << n << " Cauchy values";
    EXPECT_NEAR(observed_coverage(lognormal, 1, n, 0.95), stated, 0.012) << n << " lognormal values";
    EXPECT_NEAR(observed_coverage(normal, 5, n, 0.95), stated, 0.012) << n << " normal values";
  }
}

RC_GTEST_PROP(StatisticsProperty, the_interval_contains_the_median_and_grows_with_the_confidence, ()) {
  const auto integers = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1000)));
  const std::vector<double> values(integers.begin(), integers.end());
  const Interval low = median_interval(values, 0.5);
  const Interval high = median_interval(values, 0.99);
  RC_ASSERT(low.contains(median(values)));
  RC_ASSERT(high.low <= low.low && low.high <= high.high);
  RC_ASSERT(high.coverage >= low.coverage);
}

TEST(Finalists, identical_candidates_are_tied_as_often_as_the_confidence_says) {
  int told_apart = 0;
  constexpr int trials = 400;
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const FinalistRanking ranking = rank_finalists(simulate_final({100, 100, 100, 100}, 30, 0.003, seed), 0.95);
    told_apart += ranking.tied.size() < 4 ? 1 : 0;
  }
  EXPECT_LE(told_apart, trials / 20);
}

TEST(Finalists, one_percent_is_told_apart_at_a_noise_of_three_per_mille_in_thirty_rounds) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const FinalistRanking ranking = rank_finalists(simulate_final({101, 100}, 30, 0.003, seed));
    ASSERT_THAT(ranking.tied, testing::ElementsAre(1)) << "seed " << seed;
    EXPECT_EQ(ranking.winner, 1u);
    EXPECT_NEAR(ranking.finalists[0].ratio.low, 1.01, 0.006);
  }
}

TEST(Finalists, a_drift_common_to_a_round_does_not_hide_a_difference) {
  const auto rounds = simulate_final({100, 101}, 30, 0.001, 11);
  const Interval alone = median_interval({rounds[0][0], rounds[1][0], rounds[2][0], rounds[3][0], rounds[4][0]}, 0.5);
  EXPECT_GT(alone.width(), 1) << "the drift is larger than the difference";
  EXPECT_FALSE(rank_finalists(rounds).finalists[1].tied);
}

TEST(Finalists, the_winner_is_the_first_of_the_tied_in_canonical_order_not_the_smallest_median) {
  std::vector<std::vector<double>> rounds;
  for (int r = 0; r < 30; ++r) rounds.push_back({110.0 + r % 3, 100.0 + r % 5, 100.0 + (r + 2) % 5 - 0.01});
  const FinalistRanking ranking = rank_finalists(rounds);
  EXPECT_EQ(ranking.best, 2u);
  EXPECT_THAT(ranking.tied, testing::ElementsAre(1, 2));
  EXPECT_EQ(ranking.winner, 1u);
}

TEST(Finalists, one_lucky_minimum_does_not_make_a_winner) {
  std::vector<std::vector<double>> rounds(30, {100.0, 105.0});
  rounds[7][1] = 50;
  const FinalistRanking ranking = rank_finalists(rounds);
  EXPECT_THAT(ranking.tied, testing::ElementsAre(0));
}

TEST(Finalists, too_few_rounds_tell_nothing_apart) {
  EXPECT_EQ(rank_finalists({{100, 200}, {100, 200}, {100, 200}}).tied.size(), 2u);
  EXPECT_EQ(rank_finalists(std::vector<std::vector<double>>(6, {100, 200})).tied.size(), 1u);
  const std::vector<double> eight = {100, 200, 200, 200, 200, 200, 200, 200};
  EXPECT_EQ(rank_finalists(std::vector<std::vector<double>>(10, eight)).tied.size(), 8u);
  EXPECT_EQ(rank_finalists(std::vector<std::vector<double>>(11, eight)).tied.size(), 1u);
}

TEST(Finalists, a_single_candidate_wins_and_bad_rounds_are_refused) {
  EXPECT_EQ(rank_finalists({{5.0}}).winner, 0u);
  EXPECT_THROW(rank_finalists({}), std::invalid_argument);
  EXPECT_THROW(rank_finalists({{}}), std::invalid_argument);
  EXPECT_THROW(rank_finalists({{1, 2}, {1}}), std::invalid_argument);
  EXPECT_THROW(rank_finalists({{1, 0}}), std::invalid_argument);
  EXPECT_THROW(rank_finalists({{1, std::numeric_limits<double>::infinity()}}), std::invalid_argument);
}

TEST(PairedRatio, IsTheMedianOfTheRatiosOfEachRound) {
  // The board slows down from round to round, but the ratio stays the same.
  const PairedRatio ratio = paired_ratio({20, 44, 60, 100, 210}, {10, 20, 30, 50, 100});
  EXPECT_DOUBLE_EQ(ratio.median, 2);
  EXPECT_DOUBLE_EQ(ratio.interval.low, 2);
  EXPECT_DOUBLE_EQ(ratio.interval.high, 2.2);
}

TEST(PairedRatio, RefusesSamplesThatAreNoPairs) {
  EXPECT_THROW(paired_ratio({1, 2}, {1}), std::invalid_argument);
  EXPECT_THROW(paired_ratio({}, {}), std::invalid_argument);
  EXPECT_THROW(paired_ratio({1}, {0}), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright

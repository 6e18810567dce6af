// Tests the stopping rule and the retry policy with plain numbers.
#include "tuner/measuring/stopping_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace warpwright::tuner {
namespace {

/// Adds samples until the rule stops, cycling through `pattern`.
StopReason run(StoppingRule& rule, const std::vector<double>& pattern) {
  for (std::size_t i = 0;; ++i) {
    const StopReason reason = rule.add(pattern[i % pattern.size()]);
    if (reason != StopReason::none) return reason;
  }
}

TEST(StoppingRule, stops_at_the_first_sample_whose_interval_is_covered_and_narrow) {
  StoppingRule rule({.min_samples = 3, .max_samples = 50, .relative_width = 0.01});
  EXPECT_EQ(run(rule, {100.0, 100.2, 99.9}), StopReason::narrow);
  EXPECT_EQ(rule.samples().size(), 6u) << "fewer than six samples cannot have a 95 % interval";
}

TEST(StoppingRule, takes_at_least_the_minimum_even_of_equal_samples) {
  StoppingRule rule({.min_samples = 9});
  EXPECT_EQ(run(rule, {5.0}), StopReason::narrow);
  EXPECT_EQ(rule.samples().size(), 9u);
}

TEST(StoppingRule, takes_at_most_the_maximum_of_noisy_samples) {
  StoppingRule rule({.min_samples = 5, .max_samples = 20});
  EXPECT_EQ(run(rule, {100, 130, 160, 190}), StopReason::exhausted);
  EXPECT_EQ(rule.samples().size(), 20u);
}

TEST(StoppingRule, takes_no_more_time_than_the_limit_for_slow_kernels) {
  StoppingRule rule({.min_samples = 5, .max_samples = 1000, .enough_us = 1e6});
  EXPECT_EQ(run(rule, {100e3, 130e3}), StopReason::exhausted);
  EXPECT_EQ(rule.samples().size(), 9u);
}

TEST(StoppingRule, one_sample_at_twice_the_best_is_enough_and_two_far_above_it) {
  StoppingRule once({}, 100);
  EXPECT_EQ(once.sampling().once_us, 200);
  EXPECT_EQ(once.add(201), StopReason::cannot_win);
  StoppingRule rule({}, 100);
  EXPECT_EQ(rule.add(199), StopReason::none);
  EXPECT_EQ(rule.add(139), StopReason::none);
  EXPECT_FALSE(rule.sampling().cannot_win(3, 900)) << "one sample is within reach, whatever comes";
  StoppingRule other({}, 100);
  EXPECT_EQ(other.add(190), StopReason::none);
  EXPECT_EQ(other.add(141), StopReason::cannot_win);
  EXPECT_THROW(StoppingRule({.hopeless_ratio = 1.1, .far_ratio = 1.05}), std::invalid_argument);
  EXPECT_THROW(StoppingRule({.once_ratio = 1.3}), std::invalid_argument);
  StoppingRule first;
  first.add(1e6);
  EXPECT_EQ(first.add(1e6), StopReason::none) << "nothing to be compared with";
}

TEST(StoppingRule, flags_a_configuration_that_cannot_win_after_three_samples) {
  StoppingRule rule({.hopeless_ratio = 1.1}, 100);
  EXPECT_EQ(rule.add(111), StopReason::none);
  EXPECT_EQ(rule.add(190), StopReason::none);
  EXPECT_EQ(rule.add(112), StopReason::cannot_win);
}

TEST(StoppingRule, does_not_give_up_on_a_configuration_with_one_sample_within_reach) {
  StoppingRule rule({.min_samples = 5, .max_samples = 8, .hopeless_ratio = 1.1}, 100);
  EXPECT_EQ(run(rule, {150, 109, 160, 155}), StopReason::exhausted);
}

TEST(StoppingRule, never_gives_up_without_a_best_so_far) {
  StoppingRule rule({.min_samples = 5, .max_samples = 8});
  EXPECT_EQ(run(rule, {1e6, 2e6, 3e5}), StopReason::exhausted);
}

TEST(StoppingRule, seldom_gives_up_on_an_equally_fast_configuration_whatever_the_noise) {
  constexpr int trials = 2000;
  for (const auto& [scatter, most] : {std::pair(0.5, trials / 5), std::pair(0.2, trials / 16)}) {
    std::mt19937_64 engine(5);
    std::lognormal_distribution<double> noise(0, scatter);
    int given_up = 0;
    for (int t = 0; t < trials; ++t) {
      StoppingRule rule({.min_samples = 3, .max_samples = 3}, 100);
      StopReason reason = StopReason::none;
      while (reason == StopReason::none) reason = rule.add(100 * noise(engine));
      given_up += reason == StopReason::cannot_win ? 1 : 0;
    }
    EXPECT_LT(given_up, most) << scatter;
  }
}

TEST(StoppingRule, refuses_options_and_samples_that_make_no_sense) {
  EXPECT_THROW(StoppingRule({.min_samples = 0}), std::invalid_argument);
  EXPECT_THROW(StoppingRule({.min_samples = 9, .max_samples = 8}), std::invalid_argument);
  EXPECT_THROW(StoppingRule({.hopeless_ratio = 0.9}), std::invalid_argument);
  EXPECT_THROW(StoppingRule({}, 0), std::invalid_argument);
  StoppingRule rule;
  EXPECT_THROW(rule.add(0), std::invalid_argument);
  EXPECT_THROW(rule.add(std::nan("")), std::invalid_argument);
  EXPECT_THROW(rule.add(std::numeric_limits<double>::infinity()), std::invalid_argument);
}

TEST(StoppingRule, names_its_reasons) {
  EXPECT_EQ(to_string(StopReason::narrow), "narrow");
  EXPECT_EQ(to_string(StopReason::cannot_win), "cannot_win");
}

TEST(RetryPolicy, keeps_good_samples_and_takes_throttled_ones_again) {
  RetryPolicy policy({.per_sample = 2, .per_configuration = 10});
  EXPECT_FALSE(policy.retry(false));
  EXPECT_TRUE(policy.retry(true));
  EXPECT_FALSE(policy.retry(false));
  EXPECT_EQ(policy.discarded(), 1);
  EXPECT_EQ(policy.kept_throttled(), 0);
}

TEST(RetryPolicy, keeps_a_sample_that_stays_throttled_and_counts_it) {
  RetryPolicy policy({.per_sample = 2, .per_configuration = 10});
  EXPECT_TRUE(policy.retry(true));
  EXPECT_TRUE(policy.retry(true));
  EXPECT_FALSE(policy.retry(true));
  EXPECT_EQ(policy.kept_throttled(), 1);
  EXPECT_TRUE(policy.retry(true)) << "the next sample has its own retries";
}

TEST(RetryPolicy, is_bounded_over_all_samples_of_a_configuration) {
  RetryPolicy policy({.per_sample = 3, .per_configuration = 7});
  int calls = 0;
  for (int sample = 0; sample < 10; ++sample) {
    while (policy.retry(true)) ++calls;
  }
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(policy.kept_throttled(), 10);
}

}  // namespace
}  // namespace warpwright::tuner

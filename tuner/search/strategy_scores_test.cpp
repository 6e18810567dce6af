// Tests of the scores of strategies, against values computed by hand.
#include "tuner/search/strategy_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace warpwright::tuner {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

TEST(ExpectedBest, is_the_mean_over_all_draws) {
  EXPECT_DOUBLE_EQ(expected_best({3, 1, 2}, 1), 2);
  EXPECT_DOUBLE_EQ(expected_best({3, 1, 2}, 2), 4.0 / 3);
  EXPECT_DOUBLE_EQ(expected_best({3, 1, 2}, 3), 1);
  EXPECT_DOUBLE_EQ(expected_best({3, 1, 2}, 100), 1);
}

TEST(ExpectedBest, failed_points_are_drawn_too) {
  EXPECT_DOUBLE_EQ(expected_best({1, never, 3}, 1), 7.0 / 3) << "a draw that fails counts as the slowest";
  EXPECT_DOUBLE_EQ(expected_best({1, never, 3}, 2), (1 + 1 + 3) / 3.0);
  EXPECT_THROW(expected_best({never}, 1), std::invalid_argument);
}

/// 1,000 points on a line, a tenth of which fail; the least cost is 1, at the end of the line.
RecordedSpace line() {
  RecordedSpace recorded;
  recorded.axes = {"x"};
  recorded.space.axis_sizes = {1000};
  for (int x = 0; x < 1000; ++x) {
    recorded.space.points.push_back({x});
    recorded.costs.push_back(x % 10 == 5 ? never : 1000 - x);
  }
  return recorded;
}

StrategyRun run_named(const char* strategy, std::uint64_t seed) {
  return ScoredSpace(line()).run(
      [&](const SearchSpace& space, std::uint64_t its_seed) { return make_strategy(strategy, space, its_seed); }, seed,
      16);
}

TEST(StrategyScores, random_search_scores_zero_on_average) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) sum += run_named("random", seed).score();
  EXPECT_NEAR(sum / 200, 0, 0.15);
}

/// Begins with one point, and then has the slowest ones.
class Scripted : public Strategy {
 public:
  explicit Scripted(std::size_t first) : first_(first) {}
  std::vector<std::size_t> ask(std::size_t at_most) override {
    if (next_ == 500 || at_most == 0) return {};
    return {next_++ == 0 ? first_ : next_ - 2};
  }
  void tell(std::size_t /*point*/, double /*cost*/) override {}
  void tell_known(std::size_t /*point*/, double /*cost*/) override {}

 private:
  std::size_t first_, next_ = 0;
};

StrategyRun run_scripted(std::size_t first) {
  return ScoredSpace(line()).run([&](const SearchSpace&, std::uint64_t) { return std::make_unique<Scripted>(first); },
                                 0, 1);
}

TEST(StrategyScores, the_optimum_at_once_scores_one_and_only_slow_points_score_below_zero) {
  const StrategyRun best = run_scripted(999);
  EXPECT_DOUBLE_EQ(best.score(), 1);
  EXPECT_TRUE(best.found_optimum);
  for (const double ratio : best.ratios) EXPECT_EQ(ratio, 1);
  const StrategyRun worst = run_scripted(600);
  EXPECT_LT(worst.score(), -1);
  EXPECT_FALSE(worst.found_optimum);
  EXPECT_EQ(worst.ratios[0], 400);
  const double expected = expected_best(line().costs, 50);
  EXPECT_DOUBLE_EQ(worst.scores[1], (expected - 400) / (expected - 1));
}

TEST(StrategyScores, a_summary_has_means_over_the_runs_and_their_standard_error) {
  StrategyRun good, bad;
  good.scores.fill(1);
  good.ratios.fill(1);
  good.found_optimum = true;
  good.longest_ask_ms = 7;
  bad.scores.fill(0);
  bad.ratios.fill(3);
  const StrategySummary both = summary({good, bad});
  EXPECT_DOUBLE_EQ(both.score, 0.5);
  EXPECT_DOUBLE_EQ(both.standard_error, 0.5);
  EXPECT_DOUBLE_EQ(both.ratios[4], 2);
  EXPECT_DOUBLE_EQ(both.found_optimum, 0.5);
  EXPECT_EQ(both.longest_ask_ms, 7);
  EXPECT_THROW(summary({}), std::invalid_argument);
}

TEST(Replay, keeps_a_number_of_costs_outstanding_and_tells_them_in_another_order) {
  struct Counted : Scripted {
    Counted(std::vector<std::size_t>& all_told, std::size_t& most) : Scripted(0), told(all_told), most_asked(most) {}
    std::vector<std::size_t> ask(std::size_t at_most) override {
      most_asked = std::max(most_asked, at_most);
      auto asked = Scripted::ask(at_most);
      for (std::size_t i = 1; i < at_most && !asked.empty(); ++i) asked.push_back(Scripted::ask(1).at(0));
      return asked;
    }
    void tell(std::size_t point, double /*cost*/) override { told.push_back(point); }
    std::vector<std::size_t>& told;
    std::size_t& most_asked;
  };
  std::vector<std::size_t> told;
  std::size_t most_asked = 0;
  const auto maker = [&](const SearchSpace&, std::uint64_t) { return std::make_unique<Counted>(told, most_asked); };
  EXPECT_EQ(replay(line(), maker, 1, 100, 8).size(), 100u);
  EXPECT_EQ(most_asked, 8u);
  EXPECT_EQ(told.size(), 100u);
  EXPECT_FALSE(std::is_sorted(told.begin(), told.end()));
  told.clear();
  replay(line(), maker, 1, 100, 1);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end())) << "one at a time";
}

}  // namespace
}  // namespace warpwright::tuner

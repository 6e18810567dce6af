// Tests of the contract that every strategy obeys, and that search strategies beat random search on recorded spaces.
#include "tuner/search/strategy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include "tuner/search/recorded_spaces_test.hpp"
#include "tuner/search/replay.hpp"

namespace warpwright::tuner {
namespace {

/// All points of a grid except those whose coordinates sum to a multiple of `hole`.
SearchSpace holed_grid(std::vector<int> sizes, int hole) {
  SearchSpace space;
  space.axis_sizes = std::move(sizes);
  std::vector<int> point(space.axis_sizes.size(), 0);
  while (true) {
    if (std::accumulate(point.begin(), point.end(), 1) % hole != 0) space.points.push_back(point);
    std::size_t axis = point.size();
    while (axis > 0 && ++point[axis - 1] == space.axis_sizes[axis - 1]) point[--axis] = 0;
    if (axis == 0) break;
  }
  space.default_point = space.points.size() / 2;
  return space;
}

double bowl(const std::vector<int>& point) {
  double cost = 1;
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    cost += std::pow(point[axis] - 2.0, 2) * (1.0 + 0.1 * static_cast<double>(axis));
  return cost;
}

/// Keeps up to `ahead` points outstanding and tells the oldest first, until the strategy ends.
std::vector<std::size_t> run_ahead(Strategy& strategy, const SearchSpace& space, std::size_t ahead) {
  std::vector<std::size_t> order;
  std::deque<std::size_t> outstanding;
  while (true) {
    const std::vector<std::size_t> asked = strategy.ask(ahead - outstanding.size());
    outstanding.insert(outstanding.end(), asked.begin(), asked.end());
    if (outstanding.empty()) return order;
    order.push_back(outstanding.front());
    outstanding.pop_front();
    const bool fails = order.back() % 7 == 3;
    strategy.tell(order.back(), fails ? std::numeric_limits<double>::infinity() : bowl(space.points[order.back()]));
  }
}

class EveryStrategy : public testing::TestWithParam<std::string> {};

TEST_P(EveryStrategy, visits_every_point_exactly_once_with_any_number_outstanding) {
  const SearchSpace space = holed_grid({5, 4, 6, 2}, 5);
  for (const std::size_t ahead : {1, 3, 16, 1000}) {
    const auto strategy = make_strategy(GetParam(), space, 1);
    std::vector<std::size_t> order = run_ahead(*strategy, space, ahead);
    EXPECT_EQ(order.size(), space.points.size()) << ahead << " ahead";
    std::sort(order.begin(), order.end());
    EXPECT_EQ(std::unique(order.begin(), order.end()), order.end());
    EXPECT_TRUE(strategy->ask(10).empty());
  }
}

TEST_P(EveryStrategy, is_deterministic_in_the_seed) {
  const SearchSpace space = holed_grid({7, 5, 6}, 4);
  const auto one = make_strategy(GetParam(), space, 42);
  const auto two = make_strategy(GetParam(), space, 42);
  EXPECT_EQ(run_ahead(*one, space, 4), run_ahead(*two, space, 4));
}

TEST_P(EveryStrategy, does_not_ask_for_points_that_a_resumed_session_knows) {
  const SearchSpace space = holed_grid({5, 4, 6}, 5);
  const auto strategy = make_strategy(GetParam(), space, 3);
  std::set<std::size_t> known;
  for (std::size_t p = 0; p < space.points.size(); p += 2) {
    strategy->tell_known(p, bowl(space.points[p]));
    known.insert(p);
  }
  const std::vector<std::size_t> order = run_ahead(*strategy, space, 5);
  EXPECT_EQ(order.size() + known.size(), space.points.size());
  for (const std::size_t point : order) EXPECT_FALSE(known.count(point));
}

TEST_P(EveryStrategy, ends_at_once_on_an_empty_space_and_survives_nan_and_a_space_that_always_fails) {
  EXPECT_TRUE(make_strategy(GetParam(), {}, 0)->ask(5).empty());
  const SearchSpace space = holed_grid({4, 4}, 9);
  const auto strategy = make_strategy(GetParam(), space, 0);
  std::size_t told = 0;
  for (std::vector<std::size_t> asked; !(asked = strategy->ask(2)).empty();) {
    for (const std::size_t point : asked) strategy->tell(point, told++ % 2 == 0 ? std::nan("") : INFINITY);
  }
  EXPECT_EQ(told, space.points.size());
}

TEST_P(EveryStrategy, refuses_costs_of_points_that_are_not_outstanding) {
  const auto strategy = make_strategy(GetParam(), holed_grid({4, 4}, 9), 0);
  const std::size_t asked = strategy->ask(1).at(0);
  EXPECT_THROW(strategy->tell(asked == 0 ? 1 : 0, 5), std::invalid_argument);
  EXPECT_THROW(strategy->tell(1000, 5), std::invalid_argument);
  EXPECT_THROW(strategy->tell_known(asked, 5), std::invalid_argument);
  strategy->tell(asked, 5);
  EXPECT_THROW(strategy->tell(asked, 5), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Named, EveryStrategy, testing::ValuesIn(strategy_names()),
                         [](const auto& test) { return test.param; });

TEST(Strategy, all_but_the_exhaustive_one_begin_with_the_default_point) {
  const SearchSpace space = holed_grid({5, 4, 6}, 5);
  for (const std::string name : {"random", "local", "gaussian_process"}) {
    EXPECT_EQ(make_strategy(name, space, 9)->ask(1).at(0), space.default_point) << name;
  }
  EXPECT_EQ(make_strategy("exhaustive", space, 9)->ask(2), (std::vector<std::size_t>{0, 1}));
}

TEST(Strategy, another_seed_is_another_order) {
  const SearchSpace space = holed_grid({7, 5, 6}, 4);
  for (const std::string name : {"random", "local", "gaussian_process"}) {
    EXPECT_NE(run_ahead(*make_strategy(name, space, 1), space, 1), run_ahead(*make_strategy(name, space, 2), space, 1))
        << name;
  }
}

TEST(Strategy, an_unknown_name_is_refused_with_a_list_of_known_ones) {
  try {
    make_strategy("annealing", {}, 0);
    FAIL() << "was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "there is no strategy 'annealing'; there are: exhaustive, random, local, gaussian_process");
  }
}

TEST(SearchSpace, an_invalid_space_is_refused_with_a_reason) {
  EXPECT_THROW((SearchSpace{.points = {{0, 1}, {0}}, .axis_sizes = {2, 2}}.check()), std::invalid_argument);
  EXPECT_THROW((SearchSpace{.points = {{0, 2}}, .axis_sizes = {2, 2}}.check()), std::invalid_argument);
  EXPECT_THROW((SearchSpace{.points = {{0, 1}, {0, 1}}, .axis_sizes = {2, 2}}.check()), std::invalid_argument);
  EXPECT_THROW((SearchSpace{.points = {{0, 1}}, .axis_sizes = {2, 2}, .default_point = 1}.check()),
               std::invalid_argument);
  EXPECT_THROW((SearchSpace{.points = {{1}}, .axis_sizes = {2}, .axis_values = {{16}}}.check()), std::invalid_argument);
  EXPECT_THROW((SearchSpace{.points = {{1}}, .axis_sizes = {2}, .axis_values = {{}, {}}}.check()),
               std::invalid_argument);
  EXPECT_THROW(make_strategy("random", {.points = {{5}}, .axis_sizes = {2}}, 0), std::invalid_argument);
}

TEST(Strategy, search_finds_the_optimum_of_a_smooth_space_early) {
  const SearchSpace space = holed_grid({8, 8, 8, 4}, 7);
  for (const std::string name : {"local", "gaussian_process"}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto strategy = make_strategy(name, space, seed);
      double best = INFINITY;
      for (int evaluation = 0; evaluation < 250; ++evaluation) {
        const std::size_t point = strategy->ask(1).at(0);
        best = std::min(best, bowl(space.points[point]));
        strategy->tell(point, bowl(space.points[point]));
      }
      EXPECT_LE(best, 2.3) << name << " with seed " << seed;
    }
  }
}

TEST(RecordedSpaces, local_and_gaussian_process_beat_random_search_on_average_with_a_margin) {
  double random = 0, local = 0, model = 0;
  int spaces = 0;
  for (const char* name : {"convolution__RTX_2080_Ti", "gemm__RTX_2080_Ti", "pnpoly__RTX_3090",
                           "convolution_milo__A4000", "sgemm__H200"}) {
    const std::string path = recorded_space(name);
    if (path.empty()) GTEST_SKIP() << "no recorded spaces here";
    const RecordedSpace recorded = read_kernel_tuner_cache(path);
    const auto score = [&](const char* strategy) {
      return replay_score(
          recorded, [&](const SearchSpace& space, std::uint64_t seed) { return make_strategy(strategy, space, seed); },
          recorded.costs.size() > 10000 ? 3 : 11, 4);
    };
    const double of_random = score("random"), of_local = score("local"), of_model = score("gaussian_process");
    fmt::print("{:<28} random {:+.3f}  local {:+.3f}  gaussian_process {:+.3f}\n", name, of_random, of_local, of_model);
    random += of_random;
    local += of_local;
    model += of_model;
    ++spaces;
  }
  EXPECT_GT(local / spaces, random / spaces + 0.3);
  EXPECT_GT(model / spaces, random / spaces + 0.5);
  EXPECT_GT(model / spaces, 0.75);
}

}  // namespace
}  // namespace warpwright::tuner

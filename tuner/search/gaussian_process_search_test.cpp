// Tests of the model-based search: what it finds in how many evaluations, on spaces of many kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {
namespace {

using Cost = std::function<double(const std::vector<int>&)>;
using Valid = std::function<bool(const std::vector<int>&)>;

constexpr double failure = std::numeric_limits<double>::infinity();

/// The valid points of a grid; the first one is the default.
SearchSpace whole_grid(
    const std::vector<int>& sizes, const Valid& is_valid = [](const std::vector<int>&) { return true; }) {
  SearchSpace space;
  space.axis_sizes = sizes;
  std::vector<int> point(sizes.size(), 0);
  for (std::size_t axis = sizes.size(); axis > 0;) {
    if (is_valid(point)) space.points.push_back(point);
    for (axis = sizes.size(); axis > 0 && ++point[axis - 1] == sizes[axis - 1]; --axis) point[axis - 1] = 0;
  }
  return space;
}

std::unique_ptr<Strategy> search_of(const SearchSpace& space, std::uint64_t seed) {
  return make_strategy("gaussian_process", space, seed);
}

/// Evaluates `count` points one by one; returns them in order.
std::vector<std::size_t> evaluated(Strategy& search, const SearchSpace& space, const Cost& cost, int evaluations) {
  std::vector<std::size_t> order;
  for (int i = 0; i < evaluations; ++i)
    for (const std::size_t point : search.ask(1)) {
      order.push_back(point);
      search.tell(point, cost(space.points[point]));
    }
  return order;
}

double best_found(const SearchSpace& space, const Cost& cost, int evaluations, std::uint64_t seed) {
  double best = failure;
  for (const std::size_t point : evaluated(*search_of(space, seed), space, cost, evaluations))
    best = std::min(best, cost(space.points[point]));
  return best;
}

double steps_from(const std::vector<int>& point, int center) {
  double sum = 0;
  for (const int value : point) sum += std::abs(value - center);
  return sum;
}

/// How many of ten seeds find a point of cost 1.
int seeds_that_find_it(const SearchSpace& space, const Cost& cost, int evaluations) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) found += best_found(space, cost, evaluations, seed) <= 1 ? 1 : 0;
  return found;
}

double wide_basin(const std::vector<int>& point) {
  double cost = 1.2;
  for (const int value : point) cost += 0.02 * (value - 2) * (value - 2);
  return cost;
}

TEST(GaussianProcessSearch, leaves_a_wide_basin_for_a_narrow_one_that_is_a_sixth_faster) {
  const SearchSpace space = whole_grid({8, 8, 8, 8});
  const Cost cost = [](const std::vector<int>& point) {
    return std::min(wide_basin(point), 1 + 0.15 * steps_from(point, 6));
  };
  EXPECT_GE(seeds_that_find_it(space, cost, 120), 9);
}

TEST(GaussianProcessSearch, finds_the_faster_one_of_two_algorithms_though_most_of_its_points_are_slower) {
  const SearchSpace space = whole_grid({2, 8, 8, 8});
  const Cost cost = [](const std::vector<int>& point) {
    const std::vector<int> rest(point.begin() + 1, point.end());
    return point[0] == 0 ? wide_basin(rest) : 1 + 0.1 * steps_from(rest, 6);
  };
  EXPECT_GE(seeds_that_find_it(space, cost, 100), 9);
}

TEST(GaussianProcessSearch, learns_where_points_fail) {
  const SearchSpace space = whole_grid({8, 8, 4, 4});
  const Cost cost = [](const std::vector<int>& point) {
    return point[0] + point[1] > 7 ? failure
                                   : 1 + 0.1 * std::abs(point[0] + point[1] - 7) + 0.1 * (point[2] + point[3]);
  };
  const auto search = search_of(space, 4);
  evaluated(*search, space, cost, 40);
  int failed = 0;
  double best = failure;
  for (const std::size_t point : evaluated(*search, space, cost, 30)) {
    failed += std::isinf(cost(space.points[point])) ? 1 : 0;
    best = std::min(best, cost(space.points[point]));
  }
  EXPECT_LE(failed, 10) << "of 30; 28 of 64 fail, side by side with the fastest";
  EXPECT_LE(best, 1.1);
}

TEST(GaussianProcessSearch, finds_the_only_point_that_does_not_fail_among_few) {
  const SearchSpace space = whole_grid({3, 4});
  const Cost cost = [](const std::vector<int>& point) { return point == std::vector<int>{2, 2} ? 1 : failure; };
  EXPECT_EQ(best_found(space, cost, 12, 1), 1);
}

TEST(GaussianProcessSearch, visits_all_of_tiny_spaces) {
  for (const std::vector<int>& sizes : {std::vector<int>{}, {1}, {1, 1, 1}, {2}, {1, 3}}) {
    const SearchSpace space = whole_grid(sizes);
    std::vector<std::size_t> order = evaluated(
        *search_of(space, 0), space, [](const std::vector<int>& point) { return steps_from(point, 0); }, 10);
    EXPECT_EQ(order.size(), space.points.size());
  }
}

TEST(GaussianProcessSearch, gets_close_to_the_optimum_of_a_huge_space_in_a_hundred_evaluations) {
  const SearchSpace space = whole_grid({10, 10, 10, 10, 6});
  const Cost cost = [](const std::vector<int>& point) { return 1 + steps_from(point, 4); };
  EXPECT_LE(best_found(space, cost, 100, 2), 2) << "of at most 31, and 16 on average";
}

TEST(GaussianProcessSearch, finds_the_optimum_where_few_points_of_the_grid_are_valid) {
  const SearchSpace space = whole_grid(
      {12, 12, 12}, [](const std::vector<int>& point) { return (point[0] + 3 * point[1] + 5 * point[2]) % 11 == 0; });
  double least = failure;
  const Cost cost = [](const std::vector<int>& point) { return 1 + steps_from(point, 7); };
  for (const std::vector<int>& point : space.points) least = std::min(least, cost(point));
  for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_LE(best_found(space, cost, 50, seed), least) << "seed " << seed;
}

TEST(GaussianProcessSearch, begins_from_known_costs) {
  const SearchSpace space = whole_grid({8, 8, 8, 8});
  const Cost cost = [](const std::vector<int>& point) { return 1 + steps_from(point, 5); };
  const auto search = search_of(space, 0);
  for (std::size_t point = 0; point < space.points.size(); point += 101)
    search->tell_known(point, cost(space.points[point]));
  double best = failure;
  for (const std::size_t point : evaluated(*search, space, cost, 8)) best = std::min(best, cost(space.points[point]));
  EXPECT_LE(best, 2) << "within 8 evaluations of 4,096, with no random ones first";
}

TEST(GaussianProcessSearch, learns_from_points_that_others_evaluate_meanwhile) {
  const SearchSpace space = whole_grid({8, 8, 8, 8});
  const Cost cost = [](const std::vector<int>& point) { return 1 + steps_from(point, 6); };
  const auto search = search_of(space, 0);
  evaluated(*search, space, cost, 6);
  for (const std::vector<int>& known : {std::vector<int>{6, 6, 6, 5}, {6, 6, 5, 6}, {6, 5, 6, 6}}) {
    const auto point =
        static_cast<std::size_t>(std::find(space.points.begin(), space.points.end(), known) - space.points.begin());
    search->tell_known(point, cost(known));
  }
  double best = failure;
  for (const std::size_t point : evaluated(*search, space, cost, 10)) best = std::min(best, cost(space.points[point]));
  EXPECT_EQ(best, 1);
}

TEST(GaussianProcessSearch, depends_on_the_order_of_the_costs_alone) {
  const SearchSpace space = whole_grid({8, 8, 8});
  const Cost cost = [](const std::vector<int>& point) { return 1 + steps_from(point, 5) + 0.1 * point[0]; };
  const Cost grows_faster = [&](const std::vector<int>& point) { return 1e-6 * std::exp(cost(point)); };
  EXPECT_EQ(evaluated(*search_of(space, 3), space, cost, 60), evaluated(*search_of(space, 3), space, grows_faster, 60));
}

TEST(GaussianProcessSearch, points_asked_for_together_are_spread_out) {
  const SearchSpace space = whole_grid({8, 8, 8, 8});
  const Cost cost = [](const std::vector<int>& point) { return 1 + steps_from(point, 5); };
  const auto search = search_of(space, 0);
  evaluated(*search, space, cost, 12);
  const std::vector<std::size_t> asked = search->ask(16);
  ASSERT_EQ(asked.size(), 16u);
  int far = 0;
  for (const std::size_t point : asked) {
    int axes = 0;
    for (std::size_t axis = 0; axis < 4; ++axis)
      axes += space.points[point][axis] != space.points[asked.front()][axis] ? 1 : 0;
    far += axes >= 2 ? 1 : 0;
  }
  EXPECT_GE(far, 8) << "differ from the first on two axes or more";
}

TEST(GaussianProcessSearch, finds_the_optimum_with_many_costs_outstanding) {
  const SearchSpace space = whole_grid({8, 8, 8, 8});
  const Cost cost = [](const std::vector<int>& point) { return 1 + steps_from(point, 5); };
  const auto search = search_of(space, 0);
  double best = failure;
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < 160; ++i) {
    for (const std::size_t point : search->ask(32 - waiting.size())) waiting.push_back(point);
    std::swap(waiting[i * 7 % waiting.size()], waiting.back());
    best = std::min(best, cost(space.points[waiting.back()]));
    search->tell(waiting.back(), cost(space.points[waiting.back()]));
    waiting.pop_back();
  }
  EXPECT_EQ(best, 1);
}

}  // namespace
}  // namespace warpwright::tuner

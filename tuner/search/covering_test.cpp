// Tests that a covering sample has every possible pair, is small, and is deterministic.
#include "tuner/search/covering.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace warpwright::tuner {
namespace {

using Pair = std::tuple<std::size_t, int, std::size_t, int>;

template <class Points>
std::set<Pair> pairs_in(const SearchSpace& space, const Points& chosen) {
  std::set<Pair> pairs;
  for (const std::size_t p : chosen) {
    for (std::size_t a = 0; a < space.axis_sizes.size(); ++a) {
      for (std::size_t b = a; b < space.axis_sizes.size(); ++b) {
        pairs.emplace(a, space.points[p][a], b, space.points[p][b]);
      }
    }
  }
  return pairs;
}

std::vector<std::size_t> all_of(const SearchSpace& space) {
  std::vector<std::size_t> all(space.points.size());
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = p;
  return all;
}

SearchSpace full_grid(const std::vector<int>& sizes) {
  SearchSpace space{.points = {{}}, .axis_sizes = sizes};
  for (const int size : sizes) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& point : space.points) {
      for (int value = 0; value < size; ++value) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    space.points = std::move(longer);
  }
  return space;
}

RC_GTEST_PROP(Covering, every_pair_of_a_random_space_is_covered_and_the_default_is_included, ()) {
  const auto sizes = *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(1, 5));
  SearchSpace space = full_grid(sizes);
  const auto keep = *rc::gen::container<std::vector<bool>>(space.points.size(), rc::gen::arbitrary<bool>());
  std::vector<std::vector<int>> kept;
  for (std::size_t p = 0; p < space.points.size(); ++p) {
    if (keep[p]) kept.push_back(space.points[p]);
  }
  RC_PRE(!kept.empty());
  space.points = kept;
  space.default_point = *rc::gen::inRange<std::size_t>(0, kept.size());
  const std::vector<std::size_t> sample = covering_sample(space, *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(pairs_in(space, sample) == pairs_in(space, all_of(space)));
  RC_ASSERT(std::binary_search(sample.begin(), sample.end(), space.default_point));
  RC_ASSERT(std::adjacent_find(sample.begin(), sample.end()) == sample.end());
}

TEST(Covering, is_close_to_the_product_of_the_two_largest_axes) {
  const SearchSpace space = full_grid({6, 5, 4, 3, 2, 2});
  const std::vector<std::size_t> sample = covering_sample(space, 1);
  EXPECT_EQ(pairs_in(space, sample), pairs_in(space, all_of(space)));
  EXPECT_GE(sample.size(), 30u);
  EXPECT_LE(sample.size(), 40u) << "of " << space.points.size();
}

TEST(Covering, is_small_for_a_large_space) {
  const SearchSpace space = full_grid({8, 8, 6, 5, 4, 3});
  const std::vector<std::size_t> sample = covering_sample(space, 1);
  EXPECT_EQ(pairs_in(space, sample).size(), pairs_in(space, all_of(space)).size());
  EXPECT_LE(sample.size(), 90u) << "of " << space.points.size();
}

TEST(Covering, is_deterministic_in_the_seed) {
  const SearchSpace space = full_grid({6, 5, 4, 3});
  EXPECT_EQ(covering_sample(space, 7), covering_sample(space, 7));
  EXPECT_NE(covering_sample(space, 7), covering_sample(space, 8));
}

TEST(Covering, single_points_and_empty_spaces_are_their_own_samples) {
  EXPECT_TRUE(covering_sample({}, 0).empty());
  EXPECT_EQ(covering_sample({.points = {{0, 0}}, .axis_sizes = {1, 1}}, 0), std::vector<std::size_t>{0});
  EXPECT_EQ(covering_sample({.points = {{0}, {1}, {2}}, .axis_sizes = {3}}, 0), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_THROW(covering_sample({.points = {{3}}, .axis_sizes = {3}}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::tuner

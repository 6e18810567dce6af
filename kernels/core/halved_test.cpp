// Tests of making shapes smaller.
#include "kernels/core/halved.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(Halved, shapes_are_smaller_in_the_largest_extent_that_may_be_halved) {
  const auto too_large = [](const Shape& shape) { return shape[0] * shape[1] > 64; };
  const auto any = [](const Shape&) { return true; };
  EXPECT_EQ(halved({100, 40}, too_large, any), (Shape{6, 10}));
  EXPECT_EQ(halved({100, 40}, too_large, [](const Shape& shape) { return shape[0] == 100; }), (Shape{100, 1}));
  EXPECT_EQ(halved({8, 8}, too_large, any), (Shape{8, 8}));
}

}  // namespace
}  // namespace warpwright

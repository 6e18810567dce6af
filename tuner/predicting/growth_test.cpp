// Tests of fitted growth, and that predictions do not depend on what a job states about its work.
#include "tuner/predicting/growth.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace warpwright::tuner {
namespace {

using testing::DoubleNear;

/// The factor for a count that grows like `of`, from 256 to 65,536.
double factor(double (*of)(double)) {
  return grown(of(256), of(128), 256, 128, 65'536);
}

TEST(Growth, OfWholePowersIsExactWithAConstant) {
  EXPECT_NEAR(factor([](double n) { return 3 * n; }), 256, 1e-9);
  EXPECT_NEAR(factor([](double n) { return n * n; }), 65'536, 1e-6);
  EXPECT_NEAR(factor([](double n) { return n * n * n; }), 16'777'216, 1e-3);
  EXPECT_NEAR(factor([](double n) { return 100 + n; }), (100 + 65'536) / 356., 1e-9);
  EXPECT_EQ(factor([](double) { return 7.; }), 1);
}

TEST(Growth, OfLogarithmsIsNotOverestimatedByFar) {
  EXPECT_THAT(factor([](double n) { return std::log2(n); }), DoubleNear(2, 1));
  EXPECT_THAT(factor([](double n) { return n * std::log2(n); }) / 512, DoubleNear(1, 0.5));
}

TEST(Growth, OfADimensionThatBecomesSmallerIsUndone) {
  EXPECT_NEAR(grown(100, 200, 1, 2, 64), 64, 1e-9);
  EXPECT_EQ(grown(0, 0, 256, 128, 65'536), 1);
}

}  // namespace
}  // namespace warpwright::tuner

// Tests of rates in the unit of a problem.
#include "db/query/rate.hpp"

#include <gtest/gtest.h>

namespace warpwright::db {
namespace {

std::string text(double amount, const std::string& unit, double us) {
  const auto rate = rate_of({.amount = amount, .unit = unit}, us);
  return rate ? rate->text() : "none";
}

TEST(Rate, IsTheAmountOverTheTime) {
  const auto rate = rate_of({.amount = 16'777'216, .unit = "keys"}, 461);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->per_second, 36.39e9, 1e7);
  EXPECT_EQ(rate->unit, "keys/s");
}

TEST(Rate, HasThreeDigitsAndAPrefix) {
  EXPECT_EQ(text(16'777'216, "keys", 461), "36.4 Gkeys/s");
  EXPECT_EQ(text(2 * 4096.0 * 4096 * 4096, "FLOP", 2670), "51.5 TFLOP/s");
  EXPECT_EQ(text(256'000 * 20.0, "atom-steps", 25'600), "200 Matom-steps/s");
  EXPECT_EQ(text(3, "matrices", 1e6), "3 matrices/s");
  EXPECT_EQ(text(999.6, "keys", 1e6), "1 kkeys/s");
}

TEST(Rate, IsMissingWithoutAUnitOrATime) {
  EXPECT_EQ(text(0, "keys", 10), "none");
  EXPECT_EQ(text(5, "", 10), "none");
  EXPECT_EQ(text(5, "keys", 0), "none");
}

}  // namespace
}  // namespace warpwright::db

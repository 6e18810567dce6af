// Tests of parsing and printing shapes and settings.
#include "kernels/core/shape.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "kernels/core/settings.hpp"

namespace warpwright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Shapes, AreParsedAsOneNumberPerDimension) {
  EXPECT_THAT(parse_shape("67108864"), ElementsAre(67108864));
  EXPECT_THAT(parse_shape("2^26"), ElementsAre(1 << 26));
  EXPECT_THAT(parse_shape("8192x4096"), ElementsAre(8192, 4096));
  EXPECT_THAT(parse_shape("2^20x4"), ElementsAre(1 << 20, 4));
  EXPECT_THAT(parse_shape("0x10^3x1"), ElementsAre(0, 1000, 1));
  EXPECT_EQ(shape_text(parse_shape("2^13x2^0x7")), "8192x1x7");
  EXPECT_EQ(shape_text(parse_shape("1e6x1.5e9x2.50E1x0e3x7e0x9e18")), "1000000x1500000000x25x0x7x9000000000000000000");
}

TEST(Shapes, OfOtherTextsAreRefusedWithTheAcceptedForms) {
  for (const char* text : {"",
                           "x",
                           "12x",
                           "x12",
                           "2^",
                           "^2",
                           "2^63",
                           "2^-1",
                           "-5",
                           "8192 x 8192",
                           "abc",
                           "3X4",
                           "1e",
                           "e6",
                           "1e-3",
                           "1.5",
                           "1.25e1",
                           ".5e1",
                           "1.e1",
                           "1e19",
                           "2^3e1",
                           "1e99999999999",
                           "9223372036854775808",
                           "1^99999999999"}) {
    EXPECT_THROW(parse_shape(text), std::invalid_argument) << text;
  }
  try {
    parse_shape("big");
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("'big' is not a size: write 1024, 2^20, 1e6 or, with one number a dimension, 8192x8192"));
  }
}

TEST(Shapes, HaveTheDistanceOfTheirExtentsInDoublings) {
  EXPECT_EQ(shape_distance({8192, 8192}, {8192, 8192}), 0);
  EXPECT_NEAR(shape_distance({8191}, {4095}), 1, 1e-12);
  EXPECT_NEAR(shape_distance({1023, 1023, 1023}, {4095, 4095, 63}), 2 + 2 + 4, 1e-12) << "as many elements";
  EXPECT_EQ(shape_distance({0}, {0}), 0);
  EXPECT_NEAR(shape_distance({0, 7}, {7, 0}), 6, 1e-12);
  EXPECT_EQ(shape_distance({64, 64}, {4096}), no_distance);
}

TEST(Shapes, OfAnyTextAreParsedOrRefusedAtOnce) {
  std::mt19937 random(30);
  int read = 0;
  for (int i = 0; i < 100'000; ++i) {
    constexpr std::string_view letters = "0123456789^x- e.";
    std::string text;
    for (std::size_t length = random() % 24; length > 0; --length) text += letters[random() % letters.size()];
    try {
      const Shape shape = parse_shape(text);
      EXPECT_EQ(parse_shape(shape_text(shape)), shape) << text;
      EXPECT_THAT(shape, testing::Each(testing::Ge(0))) << text;
      ++read;
    } catch (const std::invalid_argument& refusal) {
      EXPECT_THAT(refusal.what(), HasSubstr(text));
    }
  }
  EXPECT_GT(read, 1000) << "of all";
  EXPECT_EQ(parse_shape("1^63"), Shape{1});
  EXPECT_THROW(parse_shape("1^9000000000000000000"), std::invalid_argument) << "as many factors as it says";
}

TEST(SettingsText, NamesEachSettingOnce) {
  EXPECT_EQ(parse_settings("op=sum,bins=256,data=kept:0.1"),
            (Settings{{"op", "sum"}, {"bins", "256"}, {"data", "kept:0.1"}}));
  EXPECT_TRUE(parse_settings("").empty());
  for (const char* text : {"sum", "op=", "=sum", "op=sum,", ",op=sum", "op=sum,,data=zipf", "op=sum,op=min"})
    EXPECT_THROW(parse_settings(text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace warpwright

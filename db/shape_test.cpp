// Tests of shapes and settings as text.
#include "db/shape.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

#include "db/settings.hpp"

namespace warpwright::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Shapes, AreReadAsOneNumberADimension) {
  EXPECT_THAT(parse_shape("67108864"), ElementsAre(67108864));
  EXPECT_THAT(parse_shape("2^26"), ElementsAre(1 << 26));
  EXPECT_THAT(parse_shape("8192x4096"), ElementsAre(8192, 4096));
  EXPECT_THAT(parse_shape("2^20x4"), ElementsAre(1 << 20, 4));
  EXPECT_THAT(parse_shape("0x10^3x1"), ElementsAre(0, 1000, 1));
  EXPECT_EQ(shape_text(parse_shape("2^13x2^0x7")), "8192x1x7");
}

TEST(Shapes, OfOtherTextsAreRefusedSayingWhatIsUnderstood) {
  for (const char* text : {"", "x", "12x", "x12", "2^", "^2", "2^63", "2^-1", "-5", "8192 x 8192", "1e6", "abc", "3X4",
                           "9223372036854775808", "1^99999999999"}) {
    EXPECT_THROW(parse_shape(text), std::invalid_argument) << text;
  }
  try {
    parse_shape("big");
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("'big' is not a size. Write a number a dimension"));
  }
}

TEST(Shapes, AreAsFarApartAsTheirExtentsInDoublings) {
  EXPECT_EQ(shape_distance({8192, 8192}, {8192, 8192}), 0);
  EXPECT_NEAR(shape_distance({8191}, {4095}), 1, 1e-12);
  EXPECT_NEAR(shape_distance({1023, 1023, 1023}, {4095, 4095, 63}), 2 + 2 + 4, 1e-12) << "as many elements";
  EXPECT_EQ(shape_distance({0}, {0}), 0);
  EXPECT_NEAR(shape_distance({0, 7}, {7, 0}), 6, 1e-12);
  EXPECT_EQ(shape_distance({64, 64}, {4096}), no_distance);
}

TEST(SettingsText, NamesEachSettingOnce) {
  EXPECT_EQ(parse_settings("op=sum,bins=256,data=kept:0.1"),
            (Settings{{"op", "sum"}, {"bins", "256"}, {"data", "kept:0.1"}}));
  EXPECT_TRUE(parse_settings("").empty());
  for (const char* text : {"sum", "op=", "=sum", "op=sum,", ",op=sum", "op=sum,,data=zipf", "op=sum,op=min"})
    EXPECT_THROW(parse_settings(text), std::invalid_argument) << text;
}

TEST(SettingsText, OfAProblemReadsBack) {
  const Problem problem{.variant = "op=sum", .numbers = "alpha=0.5,bins=256", .data = "zipf"};
  EXPECT_EQ(settings_text(problem), "op=sum,alpha=0.5,bins=256,data=zipf");
  EXPECT_EQ(parse_settings(settings_text(problem)).size(), 4U);
  EXPECT_EQ(settings_text(Problem{}), "data=uniform");
}

}  // namespace
}  // namespace warpwright::db

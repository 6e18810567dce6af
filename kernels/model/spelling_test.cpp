// The C++ spellings of the values of parameters. They are part of the names of compiled kernels and of stored params.
#include "kernels/model/spelling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace shop {

enum class shade { unknown = -1, red, green, last = 127, too_high = 128 };
enum class size : std::uint8_t { small, large = 100, also_small = small };
enum unscoped { kFirst = 100, kSecond };

struct shelf {
  enum class side { left, right };
};

}  // namespace shop

namespace warpwright {
namespace {

enum class hidden { value };

std::string refusal_of(auto value) {
  try {
    return "spelled: " + spelling(value);
  } catch (const std::logic_error& refused) {
    return refused.what();
  }
}

TEST(Spelling, NumbersAndBooleansAreLiterals) {
  EXPECT_EQ(spelling(256), "256");
  EXPECT_EQ(spelling(-1), "-1");
  EXPECT_EQ(spelling(std::int64_t{1} << 40), "1099511627776");
  EXPECT_EQ(spelling(true), "true");
  EXPECT_EQ(spelling(false), "false");
}

TEST(Spelling, AnEnumeratorHasTheNamesOfItsEnumAndNamespaces) {
  EXPECT_EQ(spelling(shop::shade::unknown), "shop::shade::unknown");
  EXPECT_EQ(spelling(shop::shade::red), "shop::shade::red");
  EXPECT_EQ(spelling(shop::shade::green), "shop::shade::green");
  EXPECT_EQ(spelling(shop::shade::last), "shop::shade::last");
  EXPECT_EQ(spelling(shop::size::large), "shop::size::large");
  EXPECT_EQ(spelling(shop::shelf::side::right), "shop::shelf::side::right");
}

TEST(Spelling, AnUnscopedEnumeratorIsSpelledWithoutItsEnum) {
  EXPECT_EQ(spelling(shop::kFirst), "shop::kFirst");
  EXPECT_EQ(spelling(shop::kSecond), "shop::kSecond");
}

TEST(Spelling, TheFirstOfTwoEnumeratorsWithOneValueIsSpelled) {
  EXPECT_EQ(spelling(shop::size::also_small), "shop::size::small");
}

TEST(Spelling, AValueWithoutANameInCppIsRefused) {
  EXPECT_THAT(refusal_of(static_cast<shop::shade>(2)), testing::HasSubstr("value number 3"));
  EXPECT_THAT(refusal_of(static_cast<shop::shade>(2)), testing::HasSubstr("shop::shade"));
  EXPECT_THAT(refusal_of(shop::shade::too_high), testing::StartsWith("not an enumerator from -1 to 127"));
  EXPECT_THAT(refusal_of(static_cast<shop::shade>(-2)), testing::StartsWith("not an enumerator from -1 to 127"));
  EXPECT_THAT(refusal_of(hidden::value), testing::HasSubstr("of a namespace with a name"));
}

}  // namespace
}  // namespace warpwright

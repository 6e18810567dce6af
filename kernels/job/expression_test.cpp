// Tests of the expressions of job files, in C's and in Python's syntax.
#include "kernels/job/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace warpwright::job {
namespace {

const Names kNames{{"n", 1000}, {"block", 32}, {"pad", 0}, {"tile", 3}};

double value_of(const std::string& text, Division division = Division::rounds_down) {
  return static_cast<double>(Expression::parse(text, division).value(kNames));
}

std::string refusal(const std::string& text) {
  try {
    Expression::parse(text);
  } catch (const ExpressionError& error) {
    return error.what() + std::string(" at ") + std::to_string(error.offset);
  }
  return "none";
}

TEST(Expressions, HaveThePrecedenceOfC) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("10 - 4 - 3"), 3);
  EXPECT_EQ(value_of("2 * 3 % 4"), 2);
  EXPECT_EQ(value_of("1 << 3 + 1"), 16);
  EXPECT_EQ(value_of("6 & 3 | 8"), 10);
  EXPECT_EQ(value_of("-2 ** 2"), -4);
  EXPECT_EQ(value_of("2 ** -1"), 0.5);
  EXPECT_EQ(value_of("not n == 1000 or block == 32 and tile == 3"), 1);
  EXPECT_EQ(value_of("!pad && !(tile == 2) || pad"), 1);
  EXPECT_EQ(value_of("n > 500 ? block : tile"), 32);
  EXPECT_EQ(value_of("block if n > 5000 else tile"), 3);
  EXPECT_EQ(value_of("pad ? 1 : tile ? 2 : 3"), 2);
}

TEST(Expressions, DivideAsTheirDialectDoes) {
  EXPECT_EQ(value_of("n / block"), 31);
  EXPECT_EQ(value_of("n / block", Division::is_exact), 31.25);
  EXPECT_EQ(value_of("n // block", Division::is_exact), 31);
  EXPECT_EQ(value_of("n / 2.5"), 400);
  EXPECT_EQ(value_of("tile / 2.0"), 1.5) << "what has a point is no integer, as in C";
  EXPECT_EQ(value_of("1.0 / (tile + 1)"), 0.25);
  EXPECT_EQ(value_of("2.0 ** 2 / tile"), 4 / 3.0);
  EXPECT_EQ(value_of("2 * (1e0 + tile) / 3 / 2"), 8 / 6.0);
  EXPECT_EQ(value_of("(pad ? 1 : 1.0) / 4"), 0.25);
  EXPECT_EQ(value_of("max(1.0, tile) / 2"), 1.5);
  EXPECT_EQ(value_of("int(3.0) / 2 + 7 / 2"), 4);
  EXPECT_EQ(value_of("(0 - 7) % 4"), 1);
  EXPECT_EQ(value_of("(0 - 7) // 4"), -2);
  EXPECT_EQ(value_of("ceil_div(n, block)"), 32);
  EXPECT_EQ(value_of("math.ceil(n / block)", Division::is_exact), 32);
  EXPECT_TRUE(std::isnan(value_of("n / pad")));
  EXPECT_EQ(value_of("n % pad == 0"), 0);
}

TEST(Expressions, TruncateAsCDoes) {
  EXPECT_EQ(value_of("trunc_div(-1, 4)"), 0);
  EXPECT_EQ(value_of("-1 / 4"), -1);
  EXPECT_EQ(value_of("trunc_div(7, 4)"), 1);
}

TEST(Expressions, ReadNumbersOfBothLanguages) {
  EXPECT_EQ(value_of("0x1F + 0b101"), 36);
  EXPECT_EQ(value_of("0xFFu"), 255);
  EXPECT_EQ(value_of("1'000'000 + 3ULL"), 1000003);
  EXPECT_EQ(value_of("1e-2f * 1.5E+2"), 1.5);
  EXPECT_EQ(value_of("1.f+.5"), 1.5);
  EXPECT_EQ(value_of("1e2-3"), 97);
  EXPECT_EQ(refusal("2 * 3m"), "a number that cannot be read at 4");
  EXPECT_EQ(refusal("0x"), "a number that cannot be read at 0");
  EXPECT_EQ(refusal("0b2"), "a number that cannot be read at 0");
}

TEST(Expressions, ChainComparisonsAndTestMembership) {
  EXPECT_EQ(value_of("32 <= block <= 1024"), 1);
  EXPECT_EQ(value_of("1 < tile < 3"), 0);
  EXPECT_EQ(value_of("tile in [1, 3, 5]"), 1);
  EXPECT_EQ(value_of("tile not in (1, 2)"), 1);
  EXPECT_EQ(value_of("max(tile, block, 4) + min(tile, 2)"), 34);
}

TEST(Expressions, HoldEveryIntegerOf64Bits) {
  EXPECT_EQ(static_cast<std::int64_t>(Expression::parse("9007199254740993 * 1").value({})), 9007199254740993);
  EXPECT_EQ(static_cast<std::int64_t>(Expression::parse("(1 << 62) - 1").value({})), (std::int64_t{1} << 62) - 1);
}

TEST(Expressions, KnowTheirNames) {
  EXPECT_EQ(Expression::parse("n + block * min(n, tile)").names(),
            (std::set<std::string, std::less<>>{"block", "n", "tile"}));
  EXPECT_THROW(value_of("nothing"), std::out_of_range);
}

TEST(Expressions, NameThePositionOfAnError) {
  EXPECT_EQ(refusal("n +"), "a value is missing at the end at 3");
  EXPECT_EQ(refusal("n n"), "what stands here belongs to nothing at 'n' at 2");
  EXPECT_EQ(refusal("(n"), "')' is missing at the end at 2");
  EXPECT_EQ(refusal("block ? 1"), "':' is missing at the end at 9");
  EXPECT_NE(refusal("blok(n)").find("no function 'blok'"), std::string::npos);
  EXPECT_NE(refusal("ceil_div(n)").find("takes two values, not 1"), std::string::npos) << refusal("ceil_div(n)");
  EXPECT_NE(refusal("math.ceil_div(n)").find("takes two values, not 1"), std::string::npos);
  EXPECT_NE(refusal("12ab").find("a number that cannot be read"), std::string::npos);
}

TEST(Lists, AreThoseOfPython) {
  EXPECT_EQ(list_of("[1, 2, 4]"), (std::vector<Value>{1, 2, 4}));
  EXPECT_EQ(list_of("[32 * i for i in range(1, 4)]"), (std::vector<Value>{32, 64, 96}));
  EXPECT_EQ(list_of("[1] + [2 * i for i in range(1, 4)]"), (std::vector<Value>{1, 2, 4, 6}));
  EXPECT_EQ(list_of("list(range(0, 10, 4))"), (std::vector<Value>{0, 4, 8}));
  EXPECT_EQ(list_of("[2**i for i in [1, 3]]"), (std::vector<Value>{2, 8}));
  EXPECT_THROW(list_of("range(0, 10, 0)"), ExpressionError);
  EXPECT_THROW(list_of("[n]"), ExpressionError);
}

}  // namespace
}  // namespace warpwright::job

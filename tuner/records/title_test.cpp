// Tests of problem titles.
#include "tuner/records/title.hpp"

#include <gtest/gtest.h>

#include "kernels/model/catalogue.hpp"

namespace warpwright::tuner {
namespace {

std::string title(const std::string& pattern, ElementType type, const Settings& settings,
                  const std::vector<std::int64_t>& shape) {
  const Pattern& of = catalogue().pattern(pattern);
  return short_title(of, make_problem(of, {type}, settings, shape));
}

TEST(Title, OmitsSettingsAtTheirDefault) {
  EXPECT_EQ(title("reduce", ElementType::f32, {}, {1 << 26}), "2^26 float");
  EXPECT_EQ(title("reduce", ElementType::f32, {{"op", "sum"}}, {1000}), "1000 float");
  EXPECT_EQ(title("transpose", ElementType::f64, {{"data", "uniform"}}, {8192, 8192}), "8192x8192 double");
  EXPECT_EQ(title("transpose", ElementType::f64, {}, {65536, 4}), "2^16x4 double");
}

TEST(Title, NamesNumbersButNotOptionsAndData) {
  EXPECT_EQ(title("reduce", ElementType::i32, {{"op", "max"}}, {1 << 26}), "2^26 int, max");
  EXPECT_EQ(title("sort", ElementType::u32, {{"items", "pairs"}, {"data", "sorted"}}, {1 << 24}),
            "2^24 uint, pairs, sorted");
  EXPECT_EQ(title("histogram", ElementType::u8, {{"bins", "256"}, {"data", "zipf"}}, {1 << 28}),
            "2^28 uchar, bins=256, zipf");
  const Pattern& products = catalogue().pattern("matmul");
  const Problem several = make_problem(products, {ElementType::e4m3, ElementType::f32},
                                       {{"b", "transposed"}, {"products", "3"}}, {8, 4, 2});
  EXPECT_EQ(short_title(products, several), "8x4x2 e4m3/float, transposed, products=3");
}

TEST(Title, NamesAnOptionThatUsersLookForAlsoIfItIsTheDefault) {
  EXPECT_EQ(title("rows", ElementType::f32, {}, {4096, 4096}), "4096x4096 float, softmax");
  EXPECT_EQ(title("rows", ElementType::f32, {{"op", "rmsnorm"}}, {4096, 4096}), "4096x4096 float, rmsnorm");
}

TEST(Title, NamesASettingIfAnotherOneHasTheSameOption) {
  Pattern two = catalogue().pattern("reduce");
  two.name = "two";
  two.variants = {{"a", {"row", "column"}}, {"b", {"row", "column"}}};
  two.numbers.clear();
  const Problem problem{.pattern = "two",
                        .variant = {{"a", "column"}, {"b", "row"}},
                        .types = {ElementType::f16, ElementType::f32},
                        .shape = {64}};
  EXPECT_EQ(short_title(two, problem), "64 half/float, a=column");
}

}  // namespace
}  // namespace warpwright::tuner

// Tests of contracted multiply-adds: what is rounded once in some runs, and which kernels show it.
#include "kernels/runtime/simulator/module/contraction.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The results of expressions of three numbers of that type, in runs with contraction or without. Each product of two
/// of the numbers is inexact.
template <class T>
std::vector<T> results_of(const std::vector<std::string>& expressions, bool contracts, const std::string& type,
                          const std::vector<T>& numbers) {
  std::string text = fmt::format(
      "__global__ void kernel(const {0}* in, {0}* out, int which) {{\n  const {0} a = in[0], b = in[1], c = in[2];\n"
      "  switch (which) {{\n",
      type);
  for (std::size_t i = 0; i < expressions.size(); ++i)
    text += fmt::format("    case {}: {{ {}; break; }}\n", i, expressions[i]);
  Experiment experiment{.text = text + "  }\n}\n", .entry = "kernel", .block = {1, 1, 1}};
  const ElementType element = sizeof(T) == 4 ? ElementType::f32 : ElementType::f64;
  experiment.with("in", Role::in, element, numbers).with("out", Role::out, element, std::vector<T>(1));
  SimulationOptions options;
  options.contracts = contracts;
  std::vector<T> results;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    Experiment one = experiment;
    one.values = {value(static_cast<int>(i))};
    EXPECT_EQ(summary_of(one.run(options)), "") << expressions[i];
    results.push_back(values_of<T>(one.contents[1])[0]);
  }
  return results;
}

const std::vector<float> floats{1.0f + 0x1p-12f, 1.0f - 0x1.8p-13f, -0.9375f};
const std::vector<double> doubles{1.0 + 0x1p-27, 1.0 - 0x1.8p-28, 0.9375};

bool has_fused_multiply_add() {
  return __builtin_cpu_supports("fma") != 0;
}

TEST(Contraction, RoundsAProductAndItsSumOnce) {
  if (!has_fused_multiply_add()) GTEST_SKIP() << "this CPU has no fused multiply-add";
  const auto [a, b, c] = std::tuple(floats[0], floats[1], floats[2]);
  const float product = a * b;
  struct Row {
    std::string expression;
    float separate, fused;
  };
  const std::vector<Row> rows{
      {"*out = a * b + c", product + c, std::fma(a, b, c)},
      {"*out = c + a * b", product + c, std::fma(a, b, c)},
      {"*out = a * b - c", product - c, std::fma(a, b, -c)},
      {"*out = c - a * b", c - product, std::fma(-a, b, c)},
      {"*out = a * in[1] + in[2]", product + c, std::fma(a, b, c)},
      {"*out = a * a - in[0]", a * a - a, std::fma(a, a, -a)},
      {"*out = c; *out += a * b", product + c, std::fma(a, b, c)},
      {"float s = c; for (int i = 0; i < 2; ++i) s += in[i] * b; *out = s", (c + product) + b * b,
       std::fma(b, b, std::fma(a, b, c))},
      {"*out = a * b - a * b", 0, std::fma(a, b, -product)},
      {"const float p = a * b; *out = p + c - p", (product + c) - product, std::fma(-a, b, std::fma(a, b, c))},
      // Not in the order of a product and its sum, or with functions that forbid it.
      {"*out = (a + c) * b", (a + c) * b, (a + c) * b},
      {"*out = __fmul_rn(a, b) + c", product + c, product + c},
      {"*out = __fadd_rn(a * b, c)", product + c, product + c},
      {"*out = a * b; *out = *(volatile float*)out + c", product + c, product + c},
      {"*out = fmaf(a, b, c)", std::fma(a, b, c), std::fma(a, b, c)}};
  std::vector<std::string> expressions;
  for (const Row& row : rows) expressions.push_back(row.expression);
  for (const bool contracts : {false, true, false}) {
    const std::vector<float> results = results_of(expressions, contracts, "float", floats);
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(results[i], contracts ? rows[i].fused : rows[i].separate) << rows[i].expression << contracts;
  }
  EXPECT_NE(rows[0].separate, rows[0].fused) << "the numbers must show it";
  const auto [x, y, z] = std::tuple(doubles[0], doubles[1], doubles[2]);
  const std::vector<std::string> of_doubles{"*out = a * b - c", "*out = -(c - a * b)"};
  EXPECT_THAT(results_of(of_doubles, true, "double", doubles), testing::Each(std::fma(x, y, -z)));
  EXPECT_THAT(results_of(of_doubles, false, "double", doubles), testing::Each(x * y - z));
  EXPECT_NE(std::fma(x, y, -z), x * y - z);
}

/// A kernel whose results are right only if equal products cancel.
std::string determinant(const std::string& difference) {
  return "__global__ void kernel(const float* in, float* out) {\n"
         "  const float a = in[threadIdx.x], b = in[threadIdx.x + 32];\n  out[threadIdx.x] = " +
         difference + ";\n}\n";
}

/// The hints of all schedules in which some difference is not zero.
std::vector<std::vector<std::string>> hints_of_wrong_runs(const std::string& difference) {
  std::vector<float> numbers(64);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 1.0f + static_cast<float>(i) / 1000;
  Experiment experiment{.text = determinant(difference), .entry = "kernel"};
  experiment.with("in", Role::in, ElementType::f32, numbers)
      .with("out", Role::out, ElementType::f32, std::vector<float>(32));
  std::vector<std::vector<std::string>> hints;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment copy = experiment;
    const Execution execution = copy.run(seed);
    EXPECT_THAT(execution.findings, IsEmpty());
    EXPECT_TRUE(seed != 0 || execution.hints.empty());
    if (values_of<float>(copy.contents[1]) != std::vector<float>(32)) hints.push_back(execution.hints);
  }
  return hints;
}

TEST(Contraction, ShowsInSomeSchedulesThatEqualProductsNeedNotCancel) {
  if (!has_fused_multiply_add()) GTEST_SKIP() << "this CPU has no fused multiply-add";
  const auto wrong = hints_of_wrong_runs("a * b - b * a");
  EXPECT_GT(wrong.size(), test_seeds / 10);
  EXPECT_LT(wrong.size(), test_seeds / 2);
  for (const auto& hints : wrong) EXPECT_THAT(hints, ElementsAre(HasSubstr("rounded together")));
  EXPECT_THAT(hints_of_wrong_runs("__fmul_rn(a, b) - __fmul_rn(b, a)"), IsEmpty());
}

TEST(Contraction, IsOfTheThreadThatMultiplied) {
  // Between its product and its sum each thread waits for the others, which compute their own products there.
  Experiment experiment{.text =
                            "__global__ void kernel(const float* in, float* out) {\n"
                            "  const float p = in[threadIdx.x] * in[threadIdx.x + 32];\n  __syncthreads();\n"
                            "  out[threadIdx.x] = p - 1.0f;\n}\n",
                        .entry = "kernel"};
  std::vector<float> numbers(64), expected(32);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 1.0f + static_cast<float>(i) / 1000;
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = numbers[i] * numbers[i + 32];
  experiment.with("in", Role::in, ElementType::f32, numbers).with("out", Role::out, ElementType::f32, expected);
  SimulationOptions options;
  options.contracts = true;
  experiment.run(options);
  const std::vector<float> results = values_of<float>(experiment.contents[1]);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float fused = std::fma(numbers[i], numbers[i + 32], -1.0f);
    EXPECT_TRUE(results[i] == fused || results[i] == expected[i] - 1.0f) << i;
  }
}

TEST(Contraction, LeavesOtherAssemblerTextAlone) {
  for (const std::string text : {"\tmulss\t%xmm1, %xmm0\n.L3:\n\taddss\t%xmm0, %xmm2\n",
                                 "\tmulss\t%xmm1, %xmm0\n\tmovss\t(%rax), %xmm0\n\taddss\t%xmm0, %xmm2\n",
                                 "\tmulss\t%xmm1, %xmm0\n\taddsd\t%xmm0, %xmm2\n",
                                 "\tmulss\t%xmm1, %xmm0\n\tcall\tf@PLT\n\taddss\t%xmm0, %xmm2\n",
                                 "\t.file 1 \"kernels/runtime/cpu_model/rounded.cuh\"\n\t.loc 1 7 3\n\tmulss\t%xmm1, "
                                 "%xmm0\n\taddss\t%xmm0, %xmm2\n"})
    EXPECT_EQ(with_contractions(text), text);
  for (const std::string text :
       {"\tmulss\t%xmm1, %xmm0\n.LBB3:\n\taddss\t%xmm0, %xmm2\n",
        "\tmulss\t%xmm1, %xmm0\n\tmovss\t%xmm0, -8(%rbp)\n\tcall\tf@PLT\n\taddss\t-8(%rbp), %xmm2\n",
        "\tmulss\t%xmm1, %xmm0\n\tmovd\t%xmm0, %r12d\n\tcall\tf@PLT\n\tmovd\t%r12d, %xmm4\n\taddss\t%xmm4, %xmm2\n"})
    EXPECT_THAT(with_contractions(text), HasSubstr("vfmadd132ss"));
}

}  // namespace
}  // namespace warpwright::simulator

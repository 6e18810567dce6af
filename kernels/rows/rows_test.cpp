// Tests of the pattern rows: golden values, bounds, data sets, oracle and reference, plans.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/rows/data.cuh"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/pattern_fixture.hpp"

namespace warpwright {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

const std::vector<std::string> kOperations{"softmax", "layernorm", "rmsnorm"};

const Pattern& pattern() {
  return catalogue().pattern("rows");
}

std::vector<const Kernel*> kernels() {
  return catalogue().matching("rows");
}

Device device(int compute_capability) {
  Device device;
  device.compute_capability = compute_capability;
  return device;
}

Problem problem_of(const std::string& op, std::int64_t rows, std::int64_t columns,
                   ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, {{"op", op}}, {rows, columns});
}

/// A row with weights of 1 and biases of 0.
std::vector<Bytes> plain(const std::string& op, const Floats& row) {
  std::vector<Bytes> inputs{bytes_of(row)};
  if (op != "softmax") inputs.push_back(bytes_of(Floats(row.size(), 1)));
  if (op == "layernorm") inputs.push_back(bytes_of(Floats(row.size(), 0)));
  return inputs;
}

Floats run(const Kernel& of, const Problem& problem, const std::vector<Bytes>& inputs) {
  return elements_of<float>(simulator::run_kernel(of, problem, inputs, "{}", device(90)).at("out"));
}

ExpectedOutput expected(const Problem& problem, const std::vector<Bytes>& inputs) {
  return pattern().oracle(problem, inputs).at(0);
}

Doubles values_of(const ExpectedOutput& output) {
  return elements_of<double>(output.values);
}

/// The largest error of `got`, in its bound; infinity if a result is NaN.
double error_in_bound(const Problem& problem, const std::vector<Bytes>& inputs, const Floats& got, double depth) {
  const ExpectedOutput right = expected(problem, inputs);
  const Bound bound = pattern().bound(problem, "out", {.name = "uniform"}, depth);
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double allowed = bound.relative * right.magnitude[i] + bound.absolute;
    if (std::isnan(got[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::fabs(static_cast<double>(got[i]) - values_of(right)[i]) / allowed);
  }
  return worst;
}

std::vector<Bytes> drawn(const Problem& problem, const std::string& kind) {
  return generate_inputs(pattern(), problem, {.kind = kind, .seed = 3});
}

TEST(Rows, ThreeByHand) {
  const auto check = [](const std::string& op, const Floats& row, const Doubles& wanted) {
    const Doubles got = values_of(expected(problem_of(op, 1, static_cast<std::int64_t>(row.size())), plain(op, row)));
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-5) << op << " " << i;
  };
  check("softmax", {1, 2, 3}, {0.0900306, 0.2447285, 0.6652410});
  check("softmax", {1000, 1000 + std::log(3.0F)}, {0.25, 0.75});
  check("layernorm", {1, 2, 3, 4}, {-1.3416354, -0.4472118, 0.4472118, 1.3416354});
  check("rmsnorm", {3, 4}, {0.8485278, 1.1313704});
}

TEST(Rows, EveryKernelGivesTheOracleForEveryOperation) {
  for (const Kernel* of : kernels())
    for (const std::string& op : kOperations) {
      const Problem problem = problem_of(op, 3, 75);
      const std::vector<Bytes> inputs = drawn(problem, op == "layernorm" ? "shifted" : "normal");
      const double depth = of->depth(of->default_point, problem, device(90));
      EXPECT_LE(error_in_bound(problem, inputs, run(*of, problem, inputs), depth), 1) << of->name << " " << op;
    }
}

TEST(Rows, ExactInputsNeedNoRounding) {
  for (const Kernel* of : kernels())
    for (const std::string& op : kOperations) {
      const Problem problem = problem_of(op, 4, 37);
      const std::vector<Bytes> inputs = drawn(problem, "exact");
      const Doubles right = values_of(expected(problem, inputs));
      const Floats got = run(*of, problem, inputs);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ(got[i], static_cast<float>(right[i])) << of->name << " " << op << " " << i;
    }
}

TEST(Rows, ExactInputsOfRmsnormAbsorbTheLargestEpsilon) {
  const Problem problem = make_problem(pattern(), {ElementType::f32}, {{"op", "rmsnorm"}, {"epsilon", "0.01"}}, {2, 5});
  const ExpectedOutput right = expected(problem, drawn(problem, "exact"));
  const Bound bound = pattern().bound(problem, "out", {.name = "exact", .exact = true}, 1);
  for (std::size_t i = 0; i < right.magnitude.size(); ++i) {
    const double value = values_of(right)[i];
    EXPECT_LE(std::fabs(std::round(value) - value), bound.relative * right.magnitude[i]) << "weights are integers";
  }
}

TEST(Rows, ExactSoftmaxHasAPowerOfTwoOfEqualsInEveryRow) {
  constexpr int kColumns = 37;
  const rows::elements<float> of{.kind = rows::content::exact, .op = rows::operation::softmax, .columns = kColumns};
  std::vector<bool> seen(kColumns + 1);
  for (long long row = 0; row < 200; ++row) {
    std::size_t equal = 0;
    for (long long c = 0; c < kColumns; ++c)
      if (std::isfinite(of(1, row * kColumns + c, 200 * kColumns))) ++equal;
    EXPECT_TRUE(equal > 0 && (equal & (equal - 1)) == 0) << equal;
    seen[equal] = true;
  }
  for (const std::size_t power : {1U, 2U, 4U, 8U, 16U, 32U}) EXPECT_TRUE(seen[power]) << power;
}

// The bounds must be small enough to refuse algorithms that are known to be bad.

TEST(Rows, AVarianceFromTheMeanOfSquaresExceedsTheBound) {
  const Problem problem = problem_of("layernorm", 1, 64);
  const Floats row = elements_of<float>(drawn(problem, "shifted")[0]);
  float sum = 0;
  float squares = 0;
  for (const float x : row) {
    sum += x;
    squares += x * x;
  }
  const float mean = sum / 64;
  const float factor = 1 / std::sqrt(squares / 64 - mean * mean + 1e-5F);
  Floats got;
  for (const float x : row) got.push_back((x - mean) * factor);
  EXPECT_GT(error_in_bound(problem, plain("layernorm", row), got, 2 * 64), 1);
}

TEST(Rows, ASoftmaxThatDoesNotSubtractTheLargestElementExceedsTheBound) {
  const Problem problem = problem_of("softmax", 1, 64);
  const Floats row = elements_of<float>(drawn(problem, "scores")[0]);
  float sum = 0;
  for (const float x : row) sum += std::exp(x);
  Floats got;
  for (const float x : row) got.push_back(std::exp(x) / sum);
  EXPECT_GT(error_in_bound(problem, plain("softmax", row), got, 2 * 64), 1);
}

TEST(Rows, AForgottenEpsilonExceedsTheBound) {
  const Problem problem = problem_of("rmsnorm", 1, 4);
  const Floats row{0.01F, -0.02F, 0.01F, 0.015F};
  float squares = 0;
  for (const float x : row) squares += x * x;
  Floats got;
  for (const float x : row) got.push_back(x / std::sqrt(squares / 4));
  EXPECT_GT(error_in_bound(problem, plain("rmsnorm", row), got, 8), 1);
}

TEST(Rows, ANanAnywhereMakesItsRowNan) {
  Floats row(40, 0.5F);
  row[33] = std::numeric_limits<float>::quiet_NaN();
  for (const Kernel* of : kernels())
    for (const std::string& op : kOperations)
      for (const float result : run(*of, problem_of(op, 1, 40), plain(op, row)))
        EXPECT_TRUE(std::isnan(result)) << of->name << " " << op;
}

TEST(Rows, TheReferenceAgreesWithTheOracle) {
  for (const std::string& op : kOperations)
    for (const ElementType type : {ElementType::f32, ElementType::bf16}) {
      const Problem problem = problem_of(op, 3, 300, type);
      const std::vector<Bytes> inputs = drawn(problem, "normal");
      simulator::expect_reference(
          pattern(), problem, inputs, device(90), [](double, double magnitude) { return 1e-12 * magnitude; }, 1e-12);
    }
}

TEST(Rows, AnEmptyMatrixLaunchesNothing) {
  for (const Kernel* of : kernels())
    for (const auto& [rows, columns] : {std::pair(0, 5), std::pair(5, 0)})
      EXPECT_TRUE(of->plan(of->default_point, problem_of("layernorm", rows, columns), device(90)).steps.empty())
          << of->name;
}

TEST(Rows, KernelsSayWhichRowsTheyDoNotTake) {
  const auto refusal = [](const std::string& name, const std::string& params, std::int64_t columns, int capability) {
    const Kernel& of = catalogue().kernel("rows/" + name);
    return of.refuses(of.space.parse(params, of.default_point), problem_of("softmax", 2, columns), device(capability));
  };
  EXPECT_EQ(refusal("registers", "{.row_threads = 32, .held = 4}", 129, 90),
            "a row does not fit into the registers of its threads");
  EXPECT_EQ(refusal("registers", "{.row_threads = 32, .held = 4}", 128, 90), "");
  EXPECT_EQ(refusal("online", "{.vector_width = 4}", 130, 90), "the length of rows must be a multiple of vector_width");
  EXPECT_EQ(refusal("block_per_row", "{.keep = true}", 1 << 20, 90), "a row does not fit into shared memory");
  EXPECT_EQ(refusal("block_per_row", "{.keep = false}", 1 << 20, 90), "");
  EXPECT_EQ(refusal("cluster", "{}", 128, 80), "clusters of blocks need sm_90");
}

TEST(Rows, DefaultsAreValidForEveryType) {
  for (const Kernel* of : kernels())
    for (const std::vector<ElementType>& types : pattern().types)
      EXPECT_EQ(of->space.rejected_by(of->default_point, {types, device(75)}), "") << of->name;
}

}  // namespace
}  // namespace warpwright

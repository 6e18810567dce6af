// Tests of the pattern richardson: space sizes, plans, golden values, known spectra, oracle, bound, laws.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/pattern_fixture.hpp"

namespace warpwright {
namespace {

using Doubles = std::vector<double>;

const Pattern& pattern() {
  return catalogue().pattern("richardson");
}

const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("richardson/" + name);
}

Device device(int compute_capability) {
  Device device;
  device.compute_capability = compute_capability;
  return device;
}

Problem system(std::int64_t rows, const Settings& settings, ElementType type = ElementType::f64) {
  return make_problem(pattern(), {type}, settings, {rows});
}

/// Runs a kernel on the simulator, expecting no finding; returns x, and taken if sweeps may end early.
simulator::PlanRun run(const std::string& name, const Problem& problem, const std::vector<Bytes>& inputs,
                       const std::string& params = "{}") {
  const Kernel& of = kernel(name);
  simulator::SimulationOptions options;
  options.device = device(90);
  const Plan plan = of.plan(of.space.parse(params, of.default_point), problem, options.device);
  const simulator::PlanRun done = simulator::run_plan(plan, of.source, inputs, options);
  for (const simulator::Finding& finding : done.execution.findings) ADD_FAILURE() << name << ": " << describe(finding);
  return done;
}

Doubles solved(const std::string& name, const Problem& problem, const std::vector<Bytes>& inputs,
               const std::string& params = "{}") {
  return elements_of<double>(run(name, problem, inputs, params).buffers.at("x"));
}

Doubles expected(const Problem& problem, const std::vector<Bytes>& inputs) {
  return elements_of<double>(pattern().oracle(problem, inputs).at(0).values);
}

std::vector<Bytes> as_inputs(const Doubles& a, const Doubles& f, const Doubles& start) {
  return {bytes_of(a), bytes_of(f), bytes_of(start)};
}

const std::vector<std::string> kKernels{"row_per_thread", "row_per_warp", "tiled"};

TEST(Richardson, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::vector<std::size_t>> known{
      {"row_per_thread", {120, 120}}, {"row_per_warp", {705, 465}}, {"tiled", {2256, 1116}}};
  for (const auto& [name, counts] : known)
    for (const int capability : {75, 90}) {
      std::vector<std::size_t> got;
      for (const ElementType type : {ElementType::f32, ElementType::f64})
        got.push_back(kernel(name).space.points({{type}, device(capability)}).size());
      EXPECT_EQ(got, counts) << name;
    }
}

TEST(Richardson, DefaultsAreValidForEveryType) {
  for (const std::string& name : kKernels)
    for (const ElementType type : {ElementType::f32, ElementType::f64})
      EXPECT_EQ(kernel(name).space.rejected_by(kernel(name).default_point, {{type}, device(75)}), "") << name;
}

TEST(Richardson, SparseRowsAreRefusedByKernelsWithoutASparseForm) {
  const Problem sparse = system(8, {{"matrix", "csr"}});
  EXPECT_EQ(kernel("tiled").refuses(kernel("tiled").default_point, sparse, device(90)),
            "keeps tiles of x for rows of a dense matrix");
  for (const std::string name : {"row_per_thread", "row_per_warp"}) {
    const Kernel& of = kernel(name);
    EXPECT_EQ(of.refuses(of.default_point, sparse, device(90)), "") << name;
    EXPECT_EQ(of.refuses(of.space.parse("{.vector_width = 2}", of.default_point), sparse, device(90)),
              "takes the entries of sparse rows one by one")
        << name;
  }
}

TEST(Richardson, SweepsAlternateBuffersAndEndInX) {
  const auto steps = [](const std::string& sweeps, std::int64_t rows = 8) {
    const Kernel& of = kernel("row_per_warp");
    return of.plan(of.default_point, system(rows, {{"sweeps", sweeps}}), device(90)).steps;
  };
  const auto target = [](const Step& step) {
    return std::get<BufferArgument>(std::get<Launch>(step.what).arguments[3]);
  };
  EXPECT_TRUE(steps("3", 0).empty());
  ASSERT_EQ(steps("0").size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Copy>(steps("0")[0].what));
  ASSERT_EQ(steps("1").size(), 1U);
  EXPECT_EQ(target(steps("1")[0]).buffer, "x");
  ASSERT_EQ(steps("4").size(), 2U);
  EXPECT_EQ(target(steps("4")[0]).buffer, "other");
  const auto repeat = std::get<Repeat>(steps("4")[1].what);
  EXPECT_EQ(repeat.times, 3);
  EXPECT_EQ(repeat.swaps, (std::vector<std::pair<std::string, std::string>>{{"other", "x"}}));
}

/// A = 1, f = 1, x = 0: with alpha = 1/2 the sweeps diverge, with -1/2 they converge to 1.
TEST(Richardson, OneByOneGivesTheGoldenValues) {
  const std::map<std::string, Doubles> golden{{"0.5", {-0.5, -1.25, -2.375}}, {"-0.5", {0.5, 0.75, 0.875}}};
  for (const auto& [alpha, values] : golden)
    for (std::size_t sweep = 0; sweep < values.size(); ++sweep) {
      const Problem problem = system(1, {{"alpha", alpha}, {"sweeps", std::to_string(sweep + 1)}});
      for (const std::string& name : kKernels)
        EXPECT_EQ(solved(name, problem, as_inputs({1}, {1}, {0})), Doubles{values[sweep]}) << name << " " << alpha;
      EXPECT_EQ(expected(problem, as_inputs({1}, {1}, {0})), Doubles{values[sweep]}) << alpha;
    }
}

/// For the second difference with zero ends, sin(pi (i + 1) / (n + 1)) is an eigenvector with eigenvalue 2 - 2 cos(pi /
/// (n + 1)).
TEST(Richardson, AnEigenvectorShrinksByItsEigenvalueInEverySweep) {
  constexpr int kRows = 37;
  Doubles a(kRows * kRows);
  Doubles start(kRows);
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kRows; ++j)
      a[static_cast<std::size_t>(i * kRows + j)] = i == j ? 2 : std::abs(i - j) == 1 ? -1 : 0;
    start[static_cast<std::size_t>(i)] = std::sin(std::numbers::pi * (i + 1) / (kRows + 1));
  }
  const double factor = 1 - 0.25 * (2 - 2 * std::cos(std::numbers::pi / (kRows + 1)));
  const Problem problem = system(kRows, {{"alpha", "-0.25"}, {"sweeps", "4"}});
  for (const std::string& name : kKernels) {
    const Doubles x = solved(name, problem, as_inputs(a, Doubles(kRows), start), "{.unroll = 2}");
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], start[i] * std::pow(factor, 4), 1e-14) << name << " " << i;
  }
}

/// For a ring, cos(2 pi i / n) is an eigenvector with eigenvalue diagonal + 2 beside cos(2 pi / n); here the diagonal
/// is -1 / alpha, and `beside` a quarter of its size.
TEST(Richardson, TheRingHasItsKnownSpectrum) {
  for (const std::string matrix : {"dense", "csr"}) {
    const Problem problem =
        system(16, {{"matrix", matrix}, {"data", "ring"}, {"alpha", "-0.5"}, {"sweeps", "2"}, {"per_row", "5"}});
    auto inputs = generate_inputs(pattern(), problem, {.kind = "ring"});
    Doubles start(16);
    for (std::size_t i = 0; i < 16; ++i) start[i] = std::cos(2 * std::numbers::pi * static_cast<double>(i) / 16);
    inputs[inputs.size() - 2] = bytes_of(Doubles(16));
    inputs[inputs.size() - 1] = bytes_of(start);
    const double factor = -0.25 * std::cos(2 * std::numbers::pi / 16);
    const Doubles x = solved("row_per_thread", problem, inputs);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(x[i], start[i] * factor * factor, 1e-15) << matrix << " " << i;
  }
}

TEST(Richardson, SparseRowsFillTheMatrixForAnyNumberOfRows) {
  for (const std::string sweeps : {"1", "2"})
    for (const std::string data : {"contracting", "ring"})
      for (const int rows : {1, 2, 7, 8, 9, 10, 17}) {
        const Problem problem = system(rows, {{"matrix", "csr"}, {"sweeps", sweeps}, {"data", data}, {"per_row", "3"}});
        const auto inputs = generate_inputs(pattern(), problem, {.kind = data});
        const auto starts = elements_of<long long>(inputs.at(0));
        const auto columns = elements_of<int>(inputs.at(1));
        EXPECT_EQ(starts.front(), 0);
        EXPECT_EQ(starts.back(), 3 * rows);
        EXPECT_TRUE(std::ranges::is_sorted(starts)) << rows;
        for (const int column : columns) EXPECT_TRUE(column >= 0 && column < rows) << rows;
        for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
          if (starts[row] == starts[row + 1]) continue;
          EXPECT_EQ(columns.at(static_cast<std::size_t>(starts[row])), static_cast<int>(row)) << rows;
        }
      }
}

TEST(Richardson, SweepsEndAfterTheFirstThatFindsASmallResidual) {
  // x = 8, 4, 2, 1, ... in 64ths: the residuals before the sweeps are 8, 4, 2, 1 of them.
  const auto after = [](const std::string& name, const std::string& tolerance, const std::string& sweeps) {
    const Problem problem =
        system(2, {{"stop", "residual"}, {"tolerance", tolerance}, {"sweeps", sweeps}, {"alpha", "-0.5"}});
    const auto inputs = as_inputs({1, 0, 0, 1}, {0, 0}, {0.125, -0.125});
    const simulator::PlanRun done = run(name, problem, inputs);
    const Doubles x = elements_of<double>(done.buffers.at("x"));
    const Expectation oracle = pattern().oracle(problem, inputs);
    EXPECT_EQ(elements_of<double>(oracle.at(0).values), x) << name;
    EXPECT_EQ(elements_of<double>(oracle.at(1).values), elements_of<double>(done.buffers.at("taken"))) << name;
    return std::pair{x.at(0), elements_of<double>(done.buffers.at("taken")).at(0)};
  };
  for (const std::string& name : kKernels) {
    EXPECT_EQ(after(name, "0.03125", "9"), (std::pair{1.0 / 64, 3.0})) << name;
    EXPECT_EQ(after(name, "0.125", "9"), (std::pair{4.0 / 64, 1.0})) << name;
    EXPECT_EQ(after(name, "0", "4"), (std::pair{0.5 / 64, 4.0})) << name;
    EXPECT_EQ(after(name, "0.015625", "0"), (std::pair{8.0 / 64, 0.0})) << name;
  }
}

/// Rows and tiles of every remainder, complete and partial vectors, sparse and dense.
TEST(Richardson, EveryKernelIsRightOnOddShapes) {
  const std::string warp = "{.rows_per_warp = 4, .vector_width = 2, .unroll = 2";
  for (const std::string matrix : {"dense", "csr"})
    for (const int rows : {67, 136})
      for (const auto& [name, params] : std::map<std::string, std::string>{
               {"row_per_thread", matrix == "csr" ? "{.unroll = 2}" : "{.vector_width = 2}"},
               {"row_per_warp", matrix == "csr" ? "{.rows_per_warp = 4}" : warp + ", .hint = streaming}"},
               {"tiled", warp + ", .block_size = 64}"}}) {
        const Problem problem = system(rows, {{"matrix", matrix}, {"alpha", "0.75"}});
        if (!kernel(name).refuses(kernel(name).default_point, problem, device(90)).empty()) continue;
        const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 2});
        EXPECT_EQ(solved(name, problem, inputs, params), expected(problem, inputs)) << name << problem_text(problem);
      }
}

TEST(Richardson, TheReferenceAgreesWithTheOracle) {
  for (const std::string matrix : {"dense", "csr"})
    for (const Settings& settings :
         {Settings{{"sweeps", "1"}}, Settings{{"sweeps", "4"}}, Settings{{"sweeps", "0"}},
          Settings{{"sweeps", "9"}, {"stop", "residual"}, {"tolerance", "0.125"}, {"alpha", "0.5"}}}) {
      Settings all = settings;
      all["matrix"] = matrix;
      const Problem problem = system(11, all);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "contracting", .seed = 3});
      simulator::expect_reference(
          pattern(), problem, inputs, device(90), [](double, double magnitude) { return 1e-14 * magnitude; }, 1e-14);
    }
}

/// Each sweep leaves at most a quarter of the errors before it.
TEST(Richardson, MagnitudesDoNotGrowWithTheSweepsOfAContraction) {
  const Problem problem = system(100, {{"sweeps", "32"}, {"alpha", "-0.5"}});
  const auto inputs = generate_inputs(pattern(), problem, {.kind = "contracting", .seed = 3});
  const Expectation oracle = pattern().oracle(problem, inputs);
  EXPECT_LT(std::ranges::max(oracle.at(0).magnitude), 10);
}

TEST(Richardson, BoundsGrowWithTheSweepsAndWithTheTolerance) {
  const Problem once = system(100, {}, ElementType::f32);
  const Problem thrice = system(100, {{"sweeps", "3"}}, ElementType::f32);
  const Kernel& of = kernel("row_per_thread");
  EXPECT_EQ(of.depth(of.default_point, once, device(90)), 102);
  EXPECT_EQ(of.depth(of.default_point, thrice, device(90)), 306);
  EXPECT_EQ(kernel("row_per_warp").depth(kernel("row_per_warp").default_point, once, device(90)), 4 + 5 + 2);
  EXPECT_EQ(kernel("tiled").depth(kernel("tiled").default_point, system(300, {}), device(90)), 2 * 8 + 5 + 2);
  EXPECT_EQ(pattern().bound(once, "x", {.name = "exact", .exact = true}, 102).relative, 0);
  EXPECT_NEAR(pattern().bound(once, "x", {.name = "uniform"}, 102).relative, 102 * 0x1p-24, 1e-9);
  const Problem early =
      system(100, {{"stop", "residual"}, {"tolerance", "0.125"}, {"alpha", "-0.5"}}, ElementType::f32);
  EXPECT_NEAR(pattern().bound(early, "x", {.name = "contracting"}, 102).absolute, 0.09375, 1e-9);
  EXPECT_EQ(pattern().bound(early, "taken", {.name = "exact", .exact = true}, 102).absolute, 0);
}

TEST(Richardson, WorkCountsTheMatrixOnceAndItsProductsInEverySweep) {
  const Work dense = pattern().work(system(100, {{"sweeps", "3"}}, ElementType::f32));
  EXPECT_EQ(dense.bytes_read, 4.0 * (100 * 100 + 200));
  EXPECT_EQ(dense.operations, 3.0 * (2 * 100 * 100 + 300));
  const Work sparse = pattern().work(system(100, {{"matrix", "csr"}, {"per_row", "8"}}, ElementType::f32));
  EXPECT_EQ(sparse.bytes_read, 8.0 * 800 + 8 * 101 + 4 * 200);
  EXPECT_GT(pattern().work(system(100, {{"sweeps", "0"}})).steps, 100 * 100);
}

/// The oracle as an implementation for a problem altered by `change`.
Runner oracle_of(const std::function<void(Problem&)>& change) {
  return [change](const Problem& problem, const std::vector<Bytes>& inputs) {
    Problem other = problem;
    change(other);
    std::vector<Bytes> outputs;
    for (const ExpectedOutput& one : pattern().oracle(other, inputs)) outputs.push_back(one.values);
    return outputs;
  };
}

/// What the law with that name reports for an implementation.
std::string verdict(const std::string& name, const Problem& problem, const Runner& run) {
  for (const Law& law : pattern().laws)
    if (law.name == name)
      return law.broken(problem, generate_inputs(pattern(), problem, {.kind = law.input.empty() ? "exact" : law.input}),
                        run);
  return "no law " + name;
}

TEST(Richardson, LawsHoldForTheOracleOnEveryShape) {
  for (const std::string matrix : {"dense", "csr"})
    for (const std::string sweeps : {"0", "1", "5"})
      for (const std::string stop : {"sweeps", "residual"})
        for (const int rows : {0, 1, 2, 9, 30})
          for (const Law& law : pattern().laws) {
            const Problem problem = system(
                rows, {{"matrix", matrix}, {"sweeps", sweeps}, {"stop", stop}, {"alpha", "-0.25"}, {"per_row", "4"}});
            EXPECT_EQ(verdict(law.name, problem, oracle_of([](Problem&) {})), "") << law.name << problem_text(problem);
          }
}

TEST(Richardson, LawsFindAWrongSignAndTooWeakContraction) {
  const Problem problem = system(12, {{"alpha", "-0.5"}, {"sweeps", "3"}});
  const auto turns = [](Problem& other) { other.numbers["alpha"] = 0.5; };
  EXPECT_NE(verdict("sweeps contract by the norm of I + alpha A", problem, oracle_of(turns)), "");
  const auto shifts = [](const Problem& other, const std::vector<Bytes>& inputs) {
    Doubles x = expected(other, inputs);
    x.at(3) += 0.125;
    return std::vector<Bytes>{bytes_of(x)};
  };
  EXPECT_NE(verdict("a solution is a fixed point", problem, shifts), "");
  EXPECT_NE(verdict("half of a system has half of the solution", problem, shifts), "");
}

TEST(Richardson, GridsOfExtremeShapesStayWithinTheLimits) {
  for (const std::string& name : kKernels) {
    const Kernel& of = kernel(name);
    for (const Problem& problem : {system((std::int64_t{1} << 31) - 1, {}), system(std::int64_t{1} << 31, {})})
      for (const Point& point : of.space.points({{ElementType::f64}, device(90)})) {
        if (!of.refuses(point, problem, device(90)).empty()) {
          EXPECT_EQ(problem.shape[0], std::int64_t{1} << 31) << name;
          continue;
        }
        for (const PlannedLaunch& planned : launches_of(of.plan(point, problem, device(90))))
          EXPECT_LT(planned.launch.grid.x, 1U << 31) << name;
      }
  }
}

}  // namespace
}  // namespace warpwright

// Tests of the pattern matmul: space sizes, plans at edge sizes, oracle, bound, laws, and every kernel on odd shapes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/matmul/matmul_fixture.hpp"
#include "kernels/matmul/tiles.cuh"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/pattern_fixture.hpp"

namespace warpwright::matmul {
namespace {

using Floats = std::vector<float>;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Runs the kernel on these operands on the simulator, expecting no finding.
Bytes run(const Kernel& of, const Problem& problem, const std::vector<Bytes>& inputs,
          const std::string& params = "{}") {
  return simulator::run_kernel(of, problem, inputs, params, device(90)).at("c");
}

Floats run(const Kernel& of, const Problem& problem, const std::vector<Floats>& inputs) {
  std::vector<Bytes> bytes;
  for (const Floats& input : inputs) bytes.push_back(bytes_of(input));
  return elements_of<float>(run(of, problem, bytes));
}

ExpectedOutput expected(const Problem& problem, const std::vector<Bytes>& inputs) {
  return pattern().oracle(problem, inputs).at(0);
}

/// For each kernel a configuration valid for all types, with tiles so small that a small problem has several.
const std::map<std::string, std::string>& small_tiles() {
  static const std::map<std::string, std::string> params{
      {"naive", "{.block_x = 8, .block_y = 16, .unroll = 2}"},
      {"tiled", "{.tile_m = 8, .tile_n = 16, .tile_k = 8}"},
      {"register_tiled", "{.tile_m = 32, .tile_n = 32, .tile_k = 8, .thread_m = 4, .thread_n = 4}"},
      {"vectorized",
       "{.tile_m = 32, .tile_n = 32, .tile_k = 8, .thread_m = 4, .thread_n = 4, .vector_width = 2, .lanes_n = 8, "
       ".vector_store = true}"},
      {"double_buffered",
       "{.tile_m = 32, .tile_n = 64, .tile_k = 8, .thread_m = 4, .thread_n = 4, .vector_width = 2, .copy_width = 2, "
       ".splits = 2}"},
      {"async_copy",
       "{.tile_m = 64, .tile_n = 64, .tile_k = 8, .thread_m = 4, .thread_n = 4, .vector_width = 2, .copy_width = 2, "
       ".stages "
       "= 4, .splits = 4}"}};
  return params;
}

TEST(Matmul, SpacesHaveTheirKnownNumberOfValidPoints) {
  simulator::expect_points("matmul", device,
                           {{"naive", {96, 96, 96, 96}},
                            {"tiled", {336, 336, 336, 336}},
                            {"register_tiled", {1090, 809, 1110, 913}},
                            {"vectorized", {4084, 1496, 4224, 1718}},
                            {"double_buffered", {17120, 3088, 17984, 3472}},
                            {"async_copy", {43776, 11376, 43776, 11376}}});
}

TEST(Matmul, SpacesOfHalvesHaveMoreNeighboursInAnAccess) {
  const std::map<std::string, std::size_t> known{
      {"naive", 96},        {"tiled", 336}, {"register_tiled", 1110}, {"vectorized", 4224}, {"double_buffered", 20384},
      {"async_copy", 54144}};
  for (const ElementType type : {ElementType::f16, ElementType::bf16})
    for (const auto& [name, count] : known)
      EXPECT_EQ(kernel(name).space.points({types_of(type), device(90)}).size(), count) << name;
}

TEST(Matmul, DefaultsAndSmallTilesAreValidForAllTypes) {
  for (const auto& [name, params] : small_tiles())
    for (const int capability : {75, 90}) {
      const Kernel& of = kernel(name);
      const auto rejected = [&](const Point& point, ElementType type) {
        return of.space.rejected_by(point, {types_of(type), device(capability)});
      };
      const Point small = of.space.parse(params, of.default_point);
      for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16})
        EXPECT_EQ(rejected(of.default_point, type), "") << name;
      for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::f16, ElementType::bf16})
        EXPECT_EQ(rejected(small, type), "") << name;
    }
}

TEST(Matmul, CopiesAreMeasuredInBytes) {
  const auto rejected = [](const std::string& name, const std::string& params, ElementType type) {
    const Kernel& of = kernel(name);
    return of.space.rejected_by(of.space.parse(params, of.default_point), {types_of(type), device(90)});
  };
  EXPECT_EQ(rejected("double_buffered", "{.tile_k = 16, .copy_width = 8}", ElementType::f16), "");
  EXPECT_EQ(rejected("double_buffered", "{.tile_k = 16, .copy_width = 8}", ElementType::f32),
            "at most 16 bytes a vector");
  EXPECT_EQ(rejected("async_copy", "{.bank_pad = 8, .copy_width = 8}", ElementType::bf16), "");
  EXPECT_EQ(rejected("async_copy", "{.bank_pad = 8}", ElementType::f32),
            "rows padded by more than 4 elements in 16 bytes");
  EXPECT_EQ(rejected("async_copy", "{.copy_width = 1}", ElementType::f32), "");
  EXPECT_EQ(rejected("async_copy", "{.copy_width = 1}", ElementType::f16), "4 bytes of an asynchronous copy at least");
}

TEST(Matmul, AsynchronousCopiesAreRefusedWithAReasonOnOldArchitectures) {
  const Kernel& of = kernel("async_copy");
  EXPECT_EQ(of.refuses(of.default_point, product({8, 8, 8}), device(75)), "asynchronous copies need sm_80");
  EXPECT_EQ(of.refuses(of.default_point, product({8, 8, 8}), device(80)), "");
}

TEST(Matmul, AnEmptyCHasNoStepsAndAProductWithoutTermsHasALaunch) {
  for (const auto& [name, params] : small_tiles()) {
    const Kernel& of = kernel(name);
    for (const auto& shape : std::vector<std::vector<std::int64_t>>{{0, 5, 3}, {5, 0, 3}, {0, 0, 0}})
      EXPECT_TRUE(of.plan(of.default_point, product(shape), device(90)).steps.empty()) << name;
    EXPECT_EQ(of.plan(of.default_point, product({5, 3, 0}), device(90)).steps.size(), 1U) << name;
  }
}

TEST(Matmul, SplitSumsAreAddedUpByASecondLaunch) {
  const Kernel& of = kernel("async_copy");
  const Point split = of.space.parse("{.splits = 4}", of.default_point);
  const Plan plan = of.plan(split, product({300, 200, 1000}, {{"pad_c", "8"}}), device(90));
  EXPECT_EQ(plan.buffer("parts").count, 4 * 300 * 200);
  const auto launches = launches_of(plan);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].launch.grid, (Dim3{.x = 6, .z = 4}));
  EXPECT_EQ(launches[1].launch.entry, "warpwright::matmul::add_parts<float>");
  EXPECT_EQ(of.depth(of.default_point, product({300, 200, 1000}), device(90)), 1002);
  EXPECT_EQ(of.depth(split, product({300, 200, 1000}), device(90)), 16 * 16 + 2 + 5);
}

TEST(Matmul, TwoByTwoByHandWithEveryKernel) {
  const Floats a{1, 2, 3, 4};
  const Floats b{5, 6, 7, 8};
  const Floats c{100, 200, 300, 400};
  for (const auto& [name, params] : small_tiles()) {
    EXPECT_EQ(run(kernel(name), product({2, 2, 2}), {a, b, c}), (Floats{19, 22, 43, 50})) << name;
    EXPECT_EQ(run(kernel(name), product({2, 2, 2}, {{"alpha", "2"}, {"beta", "-1"}}), {a, b, c}),
              (Floats{-62, -156, -214, -300}))
        << name;
  }
  EXPECT_EQ(run(kernel("naive"), product({2, 2, 2}, {{"b", "transposed"}}), {a, b, c}), (Floats{17, 23, 39, 53}));
}

TEST(Matmul, FactorsOfZeroReadNothing) {
  const Floats a{1, 2, 3, 4};
  const Floats nothing(4, static_cast<float>(kNothing));
  for (const auto& [name, params] : small_tiles()) {
    EXPECT_EQ(run(kernel(name), product({2, 2, 2}), {a, a, nothing}), (Floats{7, 10, 15, 22})) << name;
    EXPECT_EQ(run(kernel(name), product({2, 2, 2}, {{"alpha", "0"}, {"beta", "2"}}), {nothing, nothing, a}),
              (Floats{2, 4, 6, 8}))
        << name;
    EXPECT_EQ(run(kernel(name), product({2, 2, 0}, {{"beta", "2"}}), {{}, {}, a}), (Floats{2, 4, 6, 8})) << name;
  }
}

TEST(Matmul, EveryKernelIsRightOnOddShapesWithPaddedRows) {
  const Settings padded{{"alpha", "-2"}, {"beta", "0.5"}, {"pad_a", "3"}, {"pad_b", "1"}, {"pad_c", "5"}};
  Settings turned = padded;
  turned["b"] = "transposed";
  for (const auto& [name, params] : small_tiles())
    for (const Problem& problem :
         {product({67, 131, 43}, turned, ElementType::f64), product({31, 33, 97}, padded, ElementType::f64),
          product({64, 128, 40}, {{"b", "transposed"}}, ElementType::f64),
          product({1, 1, 1}, turned, ElementType::f64)}) {
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 5});
      const auto got = elements_of<double>(run(kernel(name), problem, inputs, params));
      EXPECT_EQ(got, elements_of<double>(expected(problem, inputs).values)) << name << " " << problem_text(problem);
    }
}

TEST(Matmul, TilesAtAnEdgeAreMovedBackIfTheProductIsLargeEnough) {
  EXPECT_EQ(begin_of_tile(128, 64, 200, 4), 128);
  EXPECT_EQ(begin_of_tile(192, 64, 200, 4), 136);
  EXPECT_EQ(begin_of_tile(192, 64, 201, 1), 137);
  EXPECT_EQ(begin_of_tile(192, 64, 201, 4), 192) << "vectors would not be aligned";
  EXPECT_EQ(begin_of_tile(0, 64, 60, 4), 0) << "there are fewer places than a tile has";
}

TEST(Matmul, EveryKernelIsRightOnHalves) {
  const Settings plain{{"alpha", "-2"}, {"beta", "0.5"}, {"pad_a", "1"}, {"pad_b", "3"}, {"pad_c", "1"}};
  Settings turned = plain;
  turned["b"] = "transposed";
  const auto check = [](const std::string& name, const Problem& problem) {
    const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 5});
    const auto values = elements_of<double>(expected(problem, inputs).values);
    EXPECT_EQ(elements_of<float>(run(kernel(name), problem, inputs, small_tiles().at(name))),
              Floats(values.begin(), values.end()))
        << name << " " << problem_text(problem);
  };
  check("naive", product({31, 33, 43}, turned, ElementType::f16));
  check("tiled", product({31, 33, 43}, plain, ElementType::bf16));
  check("register_tiled", product({31, 33, 43}, turned, ElementType::bf16));
  check("vectorized", product({64, 33, 48}, {}, ElementType::f16));
  check("double_buffered", product({31, 65, 43}, plain, ElementType::f16));
  // Complete tiles with aligned rows, then with rows of which every other one begins in the middle of 4 bytes.
  for (const Settings& settings : {Settings(), plain})
    check("async_copy", product({64, 65, 104}, settings, ElementType::bf16));
  for (const Settings& settings : {Settings{{"b", "transposed"}}, turned})
    check("async_copy", product({65, 64, 104}, settings, ElementType::f16));
}

TEST(Matmul, TheOracleLosesNothingToCancellation) {
  const Problem problem = product({1, 1, 4}, {}, ElementType::f64);
  const std::vector<double> a{0x1p60, 1, -0x1p60, 1 + 0x1p-52};
  const std::vector<double> b{1 + 0x1p-52, 0x1p-40, 1 + 0x1p-52, 1 - 0x1p-53};
  const ExpectedOutput one = expected(problem, {bytes_of(a), bytes_of(b), bytes_of(std::vector<double>{kNothing})});
  EXPECT_EQ(elements_of<double>(one.values).at(0), 0x1p-40 + 1 + 0x1p-53);
  EXPECT_NEAR(one.magnitude.at(0), 0x1p61, 0x1p12);
}

TEST(Matmul, TheOracleKnowsThatProductsOfHalvesAreFloats) {
  const Problem problem = product({1, 1, 2}, {}, ElementType::f16);
  const std::vector<float16> a{float16(1 + 0x1p-10), float16(0x1p-24)};
  const std::vector<float16> b{float16(1 + 0x1p-10), float16(0x1p-24)};
  const ExpectedOutput one = expected(problem, {bytes_of(a), bytes_of(b), bytes_of(Floats{0})});
  EXPECT_EQ(elements_of<double>(one.values).at(0), 1 + 0x1p-9 + 0x1p-20 + 0x1p-48);
}

TEST(Matmul, TheReferenceAgreesWithTheOracle) {
  const std::vector<std::pair<std::string, ElementType>> forms{{"plain", ElementType::f32},
                                                               {"plain", ElementType::bf16},
                                                               {"transposed", ElementType::f32},
                                                               {"transposed", ElementType::f16}};
  for (const auto& [form, type] : forms)
    for (const std::string alpha : {"0", "-1.5"})
      for (const std::string kind : {"exact", "special"}) {
        const Problem problem =
            product({5, 7, 9}, {{"b", form}, {"alpha", alpha}, {"beta", "2"}, {"pad_a", "1"}, {"pad_c", "3"}}, type);
        const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 3});
        const Reference reference = pattern().reference(problem, device(90));
        const simulator::PlanRun done = simulator::run_plan(reference.plan, reference.source, inputs);
        EXPECT_TRUE(done.execution.clean());
        const ExpectedOutput oracle = expected(problem, inputs);
        const auto values = elements_of<double>(oracle.values);
        const auto got = elements_of<double>(done.buffers.at("c.expected"));
        const auto magnitude = elements_of<double>(done.buffers.at("c.magnitude"));
        ASSERT_EQ(values.size(), 5U * 10);
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (!std::isfinite(values[i])) {
            EXPECT_TRUE(got[i] == values[i] || (std::isnan(got[i]) && std::isnan(values[i]))) << kind << " " << i;
            continue;
          }
          EXPECT_NEAR(got[i], values[i], 1e-14 * oracle.magnitude[i]) << kind << " " << i;
          EXPECT_NEAR(magnitude[i], oracle.magnitude[i], 1e-14 * oracle.magnitude[i]) << kind << " " << i;
        }
      }
}

TEST(Matmul, MemoryAfterTheRowsOfCMustNotChange) {
  const Problem problem = product({2, 1, 1}, {{"pad_c", "1"}});
  const ExpectedOutput one =
      expected(problem, {bytes_of(Floats{2, 3}), bytes_of(Floats{5}), bytes_of(Floats{1, 7, 1, 9})});
  EXPECT_EQ(elements_of<double>(one.values), (std::vector<double>{10, 7, 15, 9}));
  EXPECT_EQ(one.magnitude, (std::vector<double>{10, 0, 15, 0}));
}

TEST(Matmul, ExactInputsHaveABoundOfZeroAndOthersOneThatGrowsWithDepth) {
  for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
    const Problem problem = product({9, 9, 9}, {}, type);
    EXPECT_EQ(pattern().bound(problem, "c", {.name = "exact", .exact = true}, 11).relative, 0);
    const Bound bound = pattern().bound(problem, "c", {.name = "uniform"}, 11);
    EXPECT_GT(bound.relative, 11 * 0x1p-24);
    EXPECT_LT(bound.relative, 11.0001 * 0x1p-24);
    EXPECT_EQ(bound.absolute, 11 * 0x1p-126);
  }
}

TEST(Matmul, WorkCountsReadsAndMultiplications) {
  const Work plain = pattern().work(product({100, 200, 300}));
  EXPECT_EQ(plain.operations, 2.0 * 100 * 200 * 300);
  EXPECT_EQ(plain.bytes_read, 4.0 * (100 * 300 + 300 * 200));
  EXPECT_EQ(plain.bytes_written, 4.0 * 100 * 200);
  EXPECT_EQ(pattern().work(product({100, 200, 300}, {{"beta", "1"}})).bytes_read - plain.bytes_read, 4.0 * 100 * 200);
  EXPECT_EQ(pattern().work(product({100, 200, 300}, {{"alpha", "0"}})).operations, 0);
  const Work of_halves = pattern().work(product({100, 200, 300}, {{"beta", "1"}}, ElementType::bf16));
  EXPECT_EQ(of_halves.bytes_read, 2.0 * (100 * 300 + 300 * 200) + 4.0 * 100 * 200);
  EXPECT_EQ(of_halves.bytes_written, 4.0 * 100 * 200);
  EXPECT_EQ(of_halves.arithmetic, ElementType::f32);
  EXPECT_EQ(of_halves.half_products, 1);
  EXPECT_EQ(plain.half_products, 3);
  EXPECT_EQ(pattern().work(product({100, 200, 300}, {}, ElementType::f64)).half_products, 0);
}

/// The oracle as an implementation for a problem altered by `change`.
Runner oracle_of(const std::function<void(Problem&)>& change) {
  return [change](const Problem& problem, const std::vector<Bytes>& inputs) {
    Problem other = problem;
    change(other);
    const auto values = elements_of<double>(expected(other, inputs).values);
    return std::vector<Bytes>{bytes_of(Floats(values.begin(), values.end()))};
  };
}

/// What the law with that name reports for an implementation on exact inputs.
std::string verdict(const std::string& name, const Problem& problem, const Runner& run) {
  for (const Law& law : pattern().laws)
    if (law.name == name) return law.broken(problem, generate_inputs(pattern(), problem, {}), run);
  return "no law " + name;
}

TEST(Matmul, LawsHoldForTheOracleOnEveryShape) {
  for (const std::string form : {"plain", "transposed"})
    for (const auto& shape : std::vector<std::vector<std::int64_t>>{{0, 3, 2}, {1, 1, 1}, {5, 3, 0}, {7, 5, 9}})
      for (const Law& law : pattern().laws)
        for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
          const Problem problem =
              product(shape, {{"b", form}, {"beta", "-1"}, {"pad_a", "2"}, {"pad_b", "1"}, {"pad_c", "4"}}, type);
          EXPECT_EQ(verdict(law.name, problem, oracle_of([](Problem&) {})), "")
              << fmt::format("{}: {}", law.name, problem_text(problem));
        }
}

TEST(Matmul, LawsFindAWronglyReadBAndAnIgnoredC) {
  const auto turns = [](Problem& problem) {
    problem.variant["b"] = problem.option("b") == "plain" ? "transposed" : "plain";
  };
  const Problem square = product({6, 6, 6}, {{"beta", "1"}});
  EXPECT_NE(verdict("the transposed product", square, oracle_of(turns)), "");
  const auto forgets = [](Problem& problem) { problem.numbers["beta"] = 0; };
  EXPECT_NE(verdict("distributivity", square, oracle_of(forgets)), "");
  const auto skips = [](Problem& problem) { problem.numbers["alpha"] = 0; };
  EXPECT_NE(verdict("the identity keeps A", square, oracle_of(skips)), "");
}

TEST(Matmul, GridsOfExtremeShapesStayWithinTheLimits) {
  for (const auto& [name, params] : small_tiles())
    for (const auto& shape :
         std::vector<std::vector<std::int64_t>>{{1 << 30, 1, 1}, {1, 1 << 30, 1}, {1 << 17, 1 << 17, 1}}) {
      const Kernel& of = kernel(name);
      const Point point = of.space.parse(params, of.default_point);
      const Problem problem = product(shape);
      if (!of.refuses(point, problem, device(90)).empty()) continue;
      for (const PlannedLaunch& planned : launches_of(of.plan(point, problem, device(90)))) {
        EXPECT_EQ(planned.launch.grid.y, 1U) << name;
        EXPECT_LT(planned.launch.grid.x, 1U << 31) << name;
      }
    }
}

}  // namespace
}  // namespace warpwright::matmul

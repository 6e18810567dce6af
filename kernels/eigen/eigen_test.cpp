// Tests of the pattern eigen: space sizes, plans, golden values, known spectra, oracle, observation, bound, laws.
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

const std::vector<std::string> kKernels{"jacobi_thread", "jacobi_warp", "jacobi_block", "jacobi_registers"};

const Pattern& pattern() {
  return catalogue().pattern("eigen");
}

const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("eigen/" + name);
}

Device device(int compute_capability, int most_shared = 232448) {
  Device device;
  device.compute_capability = compute_capability;
  device.shared_per_block_optin = most_shared;
  return device;
}

Problem batch(std::int64_t matrices, int order, const std::string& entries = "real", Settings more = {},
              ElementType type = ElementType::f64) {
  more["order"] = std::to_string(order);
  more["entries"] = entries;
  return make_problem(pattern(), {type}, more, {matrices});
}

struct Decomposition {
  Doubles values, vectors;
};

/// Runs a kernel on matrices of doubles on the simulator, expecting no finding.
Decomposition decomposed(const std::string& name, const Problem& problem, const Doubles& matrices,
                         const std::string& params = "{}") {
  const auto buffers = simulator::run_kernel(kernel(name), problem, {bytes_of(matrices)}, params, device(90));
  return {elements_of<double>(buffers.at("values")), elements_of<double>(buffers.at("vectors"))};
}

/// The outputs of the observation: ascending, residual, orthogonality.
std::vector<Doubles> observed(const Problem& problem, const Doubles& matrices, const Decomposition& of) {
  const Observation observation = pattern().observations.at(0).of(problem, device(90));
  const simulator::PlanRun done = simulator::run_plan(observation.plan, observation.source,
                                                      {bytes_of(matrices), bytes_of(of.values), bytes_of(of.vectors)});
  EXPECT_TRUE(done.execution.clean());
  std::vector<Doubles> all;
  for (const char* name : {"ascending", "residual", "orthogonality"})
    all.push_back(elements_of<double>(done.buffers.at(name)));
  return all;
}

Doubles expected(const Problem& problem, const Doubles& matrices) {
  return elements_of<double>(pattern().oracle(problem, {bytes_of(matrices)}).at(0).values);
}

TEST(Eigen, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::size_t> known{
      {"jacobi_thread", 288}, {"jacobi_warp", 384}, {"jacobi_block", 210}, {"jacobi_registers", 152}};
  for (const auto& [name, count] : known)
    for (const int capability : {75, 90})
      for (const ElementType type : {ElementType::f32, ElementType::f64}) {
        EXPECT_EQ(kernel(name).space.points({{type}, device(capability)}).size(), count) << name;
        EXPECT_EQ(kernel(name).space.rejected_by(kernel(name).default_point, {{type}, device(capability)}), "") << name;
      }
}

TEST(Eigen, APadNeedsSharedMemory) {
  const auto rejected = [](const std::string& name, const std::string& params) {
    const Kernel& of = kernel(name);
    return of.space.rejected_by(of.space.parse(params, of.default_point), {{ElementType::f32}, device(90)});
  };
  EXPECT_EQ(rejected("jacobi_thread", "{.bank_pad = 1}"), "a pad of shared memory only");
  EXPECT_EQ(rejected("jacobi_thread", "{.kept_in = shared, .bank_pad = 1}"), "");
  EXPECT_EQ(rejected("jacobi_block", "{.matrix_in = global, .vectors_in = global}"), "a pad of shared memory only");
  EXPECT_EQ(rejected("jacobi_block", "{.matrix_in = global}"), "");
}

TEST(Eigen, MatricesThatDoNotFitAreRefusedWithTheirSize) {
  const auto refused = [](const std::string& name, const std::string& params, const Problem& problem,
                          int most_shared = 65536) {
    const Kernel& of = kernel(name);
    return of.refuses(of.space.parse(params, of.default_point), problem, device(75, most_shared));
  };
  // One triangle of the matrix, and the vectors: 18 * 19 / 2 + 18 * 18 doubles.
  EXPECT_EQ(refused("jacobi_thread", "{}", batch(1, 18)), "");
  EXPECT_EQ(refused("jacobi_thread", "{}", batch(1, 19)), "keeps 4408 bytes a thread, more than 4096");
  EXPECT_EQ(refused("jacobi_thread", "{.unroll = 0}", batch(1, 6)), "");
  EXPECT_EQ(refused("jacobi_thread", "{.unroll = 0}", batch(1, 7)),
            "unrolls all of a sweep (unroll = 0) for up to 6 rows only");
  EXPECT_EQ(refused("jacobi_thread", "{.block_size = 128, .kept_in = shared}", batch(1, 8)),
            "needs 106496 bytes of shared memory, of which a block has 65536");
  // Two squares of 64 columns with 65 complex doubles, the rotations of 32 pairs, and 64 positions.
  const Problem large = batch(1, 64, "complex");
  EXPECT_EQ(refused("jacobi_block", "{}", large, 232448), "");
  EXPECT_EQ(refused("jacobi_block", "{}", large), "needs 134144 bytes of shared memory, of which a block has 65536");
  EXPECT_EQ(refused("jacobi_block", "{.bank_pad = 0, .matrix_in = global, .vectors_in = global}", large), "");
  EXPECT_EQ(refused("jacobi_warp", "{.block_size = 32, .lanes = 16, .vectors_in = global}", large, 232448), "");
}

TEST(Eigen, RegistersHoldNoMoreRowsThanAWarpHasLanes) {
  const Kernel& of = kernel("jacobi_registers");
  const auto refused = [&](const std::string& params, const Problem& problem) {
    return of.refuses(of.space.parse(params, of.default_point), problem, device(90));
  };
  EXPECT_EQ(refused("{}", batch(1, 33)), "has a row in each lane of a warp, so that there are no more than 32");
  EXPECT_EQ(refused("{}", batch(1, 17, "complex")), "keeps numbers in 256 registers a thread, more than 160");
  EXPECT_EQ(refused("{}", batch(1, 16)), "");
  EXPECT_EQ(refused("{}", batch(1, 17)), "keeps numbers in 128 registers a thread, of which 16 warps leave it 128");
  EXPECT_EQ(refused("{.warps = 8}", batch(1, 32)), "");
  EXPECT_EQ(refused("{.block_size = 32, .warps = 32}", batch(1, 8)), "");
}

TEST(Eigen, WarpsPerSmComeFromCompleteBlocks) {
  const Kernel& of = kernel("jacobi_registers");
  const auto rejected = [&](const std::string& params, int most_blocks) {
    Device some = device(90);
    some.max_blocks_per_sm = most_blocks;
    return of.space.rejected_by(of.space.parse(params, of.default_point), {{ElementType::f32}, some});
  };
  EXPECT_EQ(rejected("{.block_size = 256, .warps = 12}", 16), "whole blocks have the warps of an SM");
  EXPECT_EQ(rejected("{.block_size = 32, .warps = 20}", 16), "an SM holds as many blocks as have its warps");
  EXPECT_EQ(rejected("{.block_size = 32, .warps = 20}", 20), "");
}

TEST(Eigen, MatricesInGlobalMemoryGetScratch) {
  const auto scratch = [](const std::string& params) {
    const Kernel& of = kernel("jacobi_block");
    const Plan plan = of.plan(of.space.parse(params, of.default_point), batch(3, 4, "complex"), device(90));
    return plan.buffer("scratch").count;
  };
  EXPECT_EQ(scratch("{}"), 0);
  EXPECT_EQ(scratch("{.vectors_in = global}"), 3 * 2 * 4 * 5);
  EXPECT_EQ(scratch("{.bank_pad = 0, .matrix_in = global, .vectors_in = global}"), 3 * 2 * 2 * 4 * 4);
}

TEST(Eigen, GridsOfExtremeShapesStayWithinTheLimits) {
  for (const std::string& name : kKernels) {
    const Kernel& of = kernel(name);
    EXPECT_TRUE(of.plan(of.default_point, batch(0, 8), device(90)).steps.empty()) << name;
    const Problem many = batch(std::int64_t{1} << 30, 2);
    for (const Point& point : of.space.points({{ElementType::f64}, device(90)}))
      for (const PlannedLaunch& planned : launches_of(of.plan(point, many, device(90))))
        EXPECT_LT(planned.launch.grid.x, 1U << 31) << name;
  }
}

TEST(Eigen, TheSecondPauliMatrixHasMinusOneAndOne) {
  const Doubles pauli{0, 0, 0, 1, 0, -1, 0, 0};  // [0, -i; i, 0], column by column
  const Problem problem = batch(1, 2, "complex");
  EXPECT_EQ(expected(problem, pauli), (Doubles{-1, 1}));
  for (const std::string& name : kKernels) {
    const Decomposition got = decomposed(name, problem, pauli);
    EXPECT_EQ(got.values, (Doubles{-1, 1})) << name;
    // (1, -i) and (1, i), each divided by the root of 2 and with any phase: the second entry is -i or i times the
    // first.
    for (const std::size_t k : {0U, 1U}) {
      const double sign = k == 0 ? -1 : 1;
      EXPECT_NEAR(got.vectors[4 * k + 2], -sign * got.vectors[4 * k + 1], 1e-15) << name;
      EXPECT_NEAR(got.vectors[4 * k + 3], sign * got.vectors[4 * k], 1e-15) << name;
      EXPECT_NEAR(std::hypot(got.vectors[4 * k], got.vectors[4 * k + 1]), std::numbers::sqrt2 / 2, 1e-15) << name;
    }
  }
}

TEST(Eigen, TwoByTwoHasOneAndThree) {
  for (const std::string& name : kKernels) {
    const Decomposition got = decomposed(name, batch(1, 2), {2, 1, 1, 2});
    EXPECT_EQ(got.values, (Doubles{1, 3})) << name;
    EXPECT_NEAR(got.vectors[0], -got.vectors[1], 1e-15) << name;
    EXPECT_NEAR(std::fabs(got.vectors[2]), std::numbers::sqrt2 / 2, 1e-15) << name;
    EXPECT_NEAR(got.vectors[2], got.vectors[3], 1e-15) << name;
  }
}

TEST(Eigen, ADiagonalIsSortedAndItsVectorsAreUnitVectors) {
  const Doubles diagonal{3, 0, 0, 0, -1, 0, 0, 0, 2, -1, 0, 0, 0, -1, 0, 0, 0, -1};
  const Problem problem = batch(2, 3);
  for (const std::string& name : kKernels) {
    const Decomposition got = decomposed(name, problem, diagonal);
    EXPECT_EQ(got.values, (Doubles{-1, 2, 3, -1, -1, -1})) << name;
    EXPECT_EQ(got.vectors, (Doubles{0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1})) << name;
    for (const Doubles& ones : {observed(problem, diagonal, got)[1], observed(problem, diagonal, got)[2]})
      EXPECT_EQ(ones, Doubles(6, 1)) << name;
  }
}

/// The second difference with zero ends has eigenvalues 2 - 2 cos(k pi / (n + 1)). Covers every order of sweeps, place
/// and remainder.
TEST(Eigen, TheSecondDifferenceHasItsKnownSpectrum) {
  for (const int order : {5, 12}) {
    const auto n = static_cast<std::size_t>(order);
    Doubles matrix(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) matrix[j * n + i] = i == j ? 2 : i + 1 == j || j + 1 == i ? -1 : 0;
    for (const auto& [name, all] : std::map<std::string, std::vector<std::string>>{
             {"jacobi_thread",
              {"{}", "{.order = round_robin, .unroll = 2}",
               "{.block_size = 32, .kept_in = shared, .bank_pad = 1, .unroll = 4}"}},
             {"jacobi_warp",
              {"{.order = row_cyclic}", "{.lanes = 4, .vectors_in = global, .unroll = 2}", "{.lanes = 16}"}},
             {"jacobi_block",
              {"{.order = row_cyclic, .matrix_in = global}", "{.block_size = 32, .bank_pad = 0, .unroll = 4}"}},
             {"jacobi_registers", {"{}", "{.block_size = 32, .unroll = 1}", "{.unroll = 8, .turns_by = shuffle}"}}})
      for (const std::string& params : all) {
        const Decomposition got = decomposed(name, batch(1, order), matrix, params);
        const auto checks = observed(batch(1, order), matrix, got);
        for (std::size_t k = 0; k < n; ++k) {
          EXPECT_NEAR(got.values[k], 2 - 2 * std::cos(std::numbers::pi * static_cast<double>(k + 1) / (order + 1)),
                      4e-15)
              << name << params;
          EXPECT_NEAR(checks[1][k], 1, 3e-15) << name << params;
          EXPECT_NEAR(checks[2][k], 1, 9e-15) << name << params;
        }
      }
  }
}

TEST(Eigen, DataSetsHaveTheirSpectra) {
  for (const std::string entries : {"real", "complex"})
    for (const int order : {2, 7, 16}) {
      const auto values = [&](const std::string& kind) {
        const Problem problem = batch(3, order, entries);
        return expected(problem,
                        elements_of<double>(generate_inputs(pattern(), problem, {.kind = kind, .seed = 9}).at(0)));
      };
      const Doubles spectrum = values("spectrum");
      const Doubles clustered = values("clustered");
      const Doubles rank_one = values("rank_one");
      for (std::size_t at = 0; at < spectrum.size(); ++at) {
        const auto n = static_cast<std::size_t>(order);
        const std::size_t k = at % n;
        EXPECT_NEAR(spectrum[at], static_cast<double>(k + 1), 1e-13) << entries << order;
        EXPECT_NEAR(clustered[at], k < (n + 2) / 3 ? 1 : k < (n + 2) / 3 + (n + 1) / 3 ? 2 : 3, 1e-13) << order;
        EXPECT_NEAR(rank_one[at], k + 1 == n ? order : 0, 1e-13) << entries << order;
      }
      for (const std::string kind : {"blocks", "exact"})
        for (const double value : values(kind)) EXPECT_EQ(value, std::round(value)) << kind << entries << order;
    }
}

TEST(Eigen, EveryDataSetIsHermitian) {
  for (const std::string entries : {"real", "complex"})
    for (const std::string kind : {"exact", "blocks", "rank_one", "random", "spectrum", "clustered", "diagonal"}) {
      const Problem problem = batch(2, 5, entries);
      const auto numbers = elements_of<double>(generate_inputs(pattern(), problem, {.kind = kind, .seed = 4}).at(0));
      const std::size_t parts = entries == "complex" ? 2 : 1;
      for (std::size_t at = 0; at < numbers.size(); ++at) {
        const std::size_t matrix = at / parts / 25;
        const std::size_t row = at / parts % 5;
        const std::size_t column = at / parts / 5 % 5;
        const double mirrored = numbers[((matrix * 5 + row) * 5 + column) * parts + at % parts];
        EXPECT_EQ(numbers[at], at % parts == 1 ? -mirrored : mirrored) << kind << entries << at;
      }
    }
}

/// Integer eigenvalues are exact to the bit; the vectors are exact except for the rounded root of 2.
TEST(Eigen, BlocksOfTwoHaveIntegerEigenvalues) {
  for (const std::string entries : {"real", "complex"})
    for (const int order : {4, 9})
      for (const std::string& name : kKernels) {
        const Problem problem = batch(5, order, entries);
        const Doubles matrices =
            elements_of<double>(generate_inputs(pattern(), problem, {.kind = "blocks", .seed = 2}).at(0));
        EXPECT_EQ(decomposed(name, problem, matrices).values, expected(problem, matrices)) << name << entries << order;
      }
}

TEST(Eigen, TheObservationShowsWrongValuesWrongVectorsAndNan) {
  const Problem problem = batch(1, 2);
  const Doubles matrix{2, 1, 1, 2};
  const Decomposition right = decomposed("jacobi_thread", problem, matrix);
  Decomposition swapped = right;
  std::swap(swapped.values[0], swapped.values[1]);
  EXPECT_NEAR(observed(problem, matrix, swapped)[1][0], 1 + 2 / std::sqrt(10.0), 1e-14);
  Decomposition twice = right;
  std::copy_n(right.vectors.begin(), 2, twice.vectors.begin() + 2);
  EXPECT_NEAR(observed(problem, matrix, twice)[2][1], 2, 1e-14);
  EXPECT_NEAR(observed(problem, matrix, {right.values, Doubles(4)})[2][0], 2, 1e-14);
  Decomposition none = right;
  none.vectors[3] = std::nan("");
  EXPECT_TRUE(std::isnan(observed(problem, matrix, none)[1][1]));
}

TEST(Eigen, TheReferenceAgreesWithTheOracle) {
  for (const std::string entries : {"real", "complex"})
    for (const std::string kind : {"random", "clustered"}) {
      const Problem problem = batch(3, 6, entries);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 3});
      simulator::expect_reference(
          pattern(), problem, inputs, device(90), [](double, double magnitude) { return 1e-14 * magnitude; }, 1e-14);
    }
}

TEST(Eigen, BoundsGrowWithTheStagesOfTheSweeps) {
  const Problem problem = batch(1, 8, "real", {}, ElementType::f32);
  const Kernel& of = kernel("jacobi_warp");
  // 20 sweeps of 7 rounds or 13 stages with 4 roundings each, and 1.
  EXPECT_EQ(of.depth(of.default_point, problem, device(90)), 561);
  EXPECT_EQ(of.depth(of.space.parse("{.order = row_cyclic}", of.default_point), problem, device(90)), 1041);
  EXPECT_EQ(of.depth(of.default_point, batch(1, 9), device(90)), 721);
  // With 16 lanes for 9 rows, every lane is the partner of every other one.
  const Kernel& registers = kernel("jacobi_registers");
  EXPECT_EQ(registers.depth(registers.default_point, problem, device(90)), 561);
  EXPECT_EQ(registers.depth(registers.default_point, batch(1, 9), device(90)), 1201);
  EXPECT_NEAR(pattern().bound(problem, "ascending", {.name = "random"}, 561).relative, 2 * 561 * 0x1p-24, 1e-8);
  EXPECT_NEAR(pattern().bound(problem, "residual", {.name = "random"}, 561).relative, 4 * 561 * 0x1p-24, 1e-8);
  EXPECT_EQ(pattern().bound(problem, "residual", {.name = "exact", .exact = true}, 561).relative, 0);
  EXPECT_EQ(pattern().bound(problem, "ascending", {.name = "blocks"}, 561).absolute, 0);
  EXPECT_GT(pattern().bound(problem, "orthogonality", {.name = "blocks"}, 561).relative, 0);
}

TEST(Eigen, TheWorkOfADiagonalMatrixIsSorting) {
  const Work real = pattern().work(batch(10, 8, "real", {}, ElementType::f32));
  EXPECT_EQ(real.bytes_read, 10 * 64 * 4);
  EXPECT_EQ(real.bytes_written, 10 * 72 * 4);
  EXPECT_NEAR(real.operations, 10 * 512 * 8.0 / 3, 1e-6);
  EXPECT_EQ(pattern().work(batch(10, 8, "real", {{"data", "diagonal"}})).operations, 0);
  EXPECT_NEAR(pattern().work(batch(10, 8, "complex")).operations, 4 * real.operations, 1e-6);
}

TEST(Eigen, WaitingThreadsCountAsSteps) {
  const auto steps = [](const std::string& name, const std::string& params, int order) {
    const Kernel& of = kernel(name);
    return of.steps(of.space.parse(params, of.default_point), batch(3, order));
  };
  EXPECT_EQ(steps("jacobi_warp", "{}", 32), 3 * 2 * 32768);
  EXPECT_EQ(steps("jacobi_warp", "{.order = row_cyclic}", 32), 3 * 4 * 32768);
  EXPECT_EQ(steps("jacobi_block", "{.block_size = 512}", 8), 3 * 2 * 8 * 512);
  EXPECT_EQ(steps("jacobi_block", "{.block_size = 512, .order = row_cyclic}", 8), 3 * 2 * 28 * 512);
  EXPECT_EQ(steps("jacobi_registers", "{}", 9), 3 * 2 * 16 * 16 * 15);
}

/// The oracle as an implementation whose eigenvalues are altered by `change`.
Runner oracle_with(const std::function<void(Doubles&)>& change) {
  return [change](const Problem& problem, const std::vector<Bytes>& inputs) {
    Doubles values = elements_of<double>(pattern().oracle(problem, inputs).at(0).values);
    change(values);
    return std::vector<Bytes>{bytes_of(values)};
  };
}

std::string verdict(const Law& law, const Problem& problem, const Runner& run) {
  return law.broken(problem, generate_inputs(pattern(), problem, {.kind = law.input, .seed = 6}), run);
}

TEST(Eigen, LawsHoldForTheOracleOnEveryShape) {
  for (const std::string entries : {"real", "complex"})
    for (const int matrices : {0, 1, 3})
      for (const int order : {2, 5, 8})
        for (const Law& law : pattern().laws)
          EXPECT_EQ(verdict(law, batch(matrices, order, entries), oracle_with([](Doubles&) {})), "")
              << law.name << order << entries;
}

TEST(Eigen, EveryLawFindsAWrongEigenvalue) {
  const Problem problem = batch(2, 4);
  for (const Law& law : pattern().laws) {
    int runs = 0;
    const auto first_time = [&](Doubles& values) { values.at(5) += ++runs == 1 ? 0.01 : 0.0; };
    EXPECT_NE(verdict(law, problem, oracle_with(first_time)), "") << law.name;
  }
}

}  // namespace
}  // namespace warpwright

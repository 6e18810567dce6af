// Tests of the pattern map: space sizes, plans at edge sizes, oracle, data, reference, sectors of accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "kernels/map/ways.cuh"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Pattern& pattern() {
  return catalogue().pattern("map");
}

Problem array(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, settings, {count});
}

/// A problem that the kernel solves.
Problem own_problem(const Kernel& kernel, std::int64_t count) {
  for (const char* op : {"axpy", "sqrt_loop", "switch"})
    if (const Problem problem = array(count, {{"op", op}});
        kernel.refuses(kernel.default_point, problem, Device{}).empty())
      return problem;
  throw std::logic_error(kernel.full_name() + " solves nothing");
}

Surroundings on(int compute_capability, ElementType type = ElementType::f32) {
  Device device;
  device.compute_capability = compute_capability;
  return {.types = {type}, .device = device};
}

Plan plan_of(const std::string& name, const std::string& params, const Problem& problem) {
  const Kernel& kernel = catalogue().kernel(name);
  return kernel.plan(kernel.space.parse(params, kernel.default_point), problem, Device{});
}

template <class T>
std::vector<T> expected(const Problem& problem, const std::vector<Bytes>& inputs) {
  return elements_of<T>(pattern().oracle(problem, inputs).at(0).values);
}

TEST(Map, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> known{
      {"axpy", {2552, 1760}}, {"strided", {284, 284}}, {"sqrt_loop", {120, 120}}, {"divergence", {120, 120}}};
  EXPECT_EQ(catalogue().matching("map").size(), known.size());
  for (const Kernel* kernel : catalogue().matching("map"))
    for (const int capability : {75, 90}) {
      EXPECT_EQ(kernel->space.points(on(capability)).size(), known.at(kernel->name).first) << kernel->full_name();
      EXPECT_EQ(kernel->space.points(on(capability, ElementType::f64)).size(), known.at(kernel->name).second)
          << kernel->full_name();
    }
}

TEST(Map, DefaultsAreValidForEveryType) {
  for (const Kernel* kernel : catalogue().matching("map"))
    for (const auto& types : pattern().types)
      EXPECT_EQ(kernel->space.rejected_by(kernel->default_point, on(75, types[0])), "") << kernel->full_name();
}

TEST(Map, ARejectedPointNamesItsConstraint) {
  const auto why = [](const std::string& name, const std::string& params, ElementType type) {
    const Kernel& kernel = catalogue().kernel(name);
    return kernel.space.rejected_by(kernel.space.parse(params, kernel.default_point), on(90, type));
  };
  EXPECT_EQ(why("map/axpy", "{.vectors_per_thread = 2, .unroll = 4}", ElementType::f32),
            "unroll divides vectors_per_thread");
  EXPECT_EQ(why("map/axpy", "{.vector_width = 4}", ElementType::f64), "at most 16 bytes an access");
  EXPECT_EQ(why("map/axpy", "{.vector_width = 4}", ElementType::f32), "");
  EXPECT_EQ(why("map/strided", "{.access = offset}", ElementType::f32), "a step where there is an offset or a stride");
  EXPECT_EQ(why("map/strided", "{.access = strided, .step = 1}", ElementType::f32),
            "a stride of 2 or more, and of a block at most");
}

TEST(Map, EveryKernelSaysWhichOperationItSolves) {
  const auto reason = [](const std::string& name, const Problem& problem) {
    const Kernel& kernel = catalogue().kernel(name);
    return kernel.refuses(kernel.default_point, problem, Device{});
  };
  EXPECT_EQ(reason("map/axpy", array(10, {{"op", "switch"}})), "it solves op=axpy");
  EXPECT_EQ(reason("map/strided", array(10, {{"op", "sqrt_loop"}})), "it solves op=axpy");
  EXPECT_EQ(reason("map/sqrt_loop", array(10)), "it solves op=sqrt_loop");
  EXPECT_EQ(reason("map/divergence", array(10)), "it solves op=switch");
  EXPECT_THAT(reason("map/axpy", array(10, {}, ElementType::i32)), HasSubstr("needs float or double"));
  EXPECT_EQ(reason("map/sqrt_loop", array(10, {{"op", "sqrt_loop"}}, ElementType::i32)), "");
}

TEST(Map, NoElementsLaunchNothing) {
  for (const Kernel* kernel : catalogue().matching("map"))
    EXPECT_TRUE(kernel->plan(kernel->default_point, own_problem(*kernel, 0), Device{}).steps.empty())
        << kernel->full_name();
}

TEST(Map, PlansReachAboveTwoToTheThirtyOneElements) {
  const std::int64_t count = (std::int64_t{1} << 34) + 7;
  for (const Kernel* kernel : catalogue().matching("map"))
    for (const Point& point : kernel->space.points(on(75))) {
      const auto launches = launches_of(kernel->plan(point, own_problem(*kernel, count), Device{}));
      ASSERT_EQ(launches.size(), 1U);
      EXPECT_LT(launches[0].launch.grid.x, 1U << 31);
      EXPECT_EQ(launches[0].launch.arguments.back(), Argument(value(count)));
    }
}

TEST(Map, AGridOfBlocksPerSmStridesAndOneOfBlocksPerTileDoesNot) {
  const Problem large = array(1 << 24);
  const auto blocks = [&](const std::string& params) {
    return launches_of(plan_of("map/axpy", params, large)).at(0).launch.grid.x;
  };
  EXPECT_EQ(blocks("{.block_size = 256, .vectors_per_thread = 4, .vector_width = 4}"), (1U << 24) / 4096);
  EXPECT_EQ(blocks("{.block_size = 256, .grid_blocks_per_sm = 2}"), 2U * static_cast<unsigned>(Device{}.sm_count));
}

TEST(Map, TheOracleScalesAndAddsWithoutRoundingInBetween) {
  const Bytes x = bytes_of(std::vector<float>{1, -2, 0x1.000002p0F});
  const Bytes y = bytes_of(std::vector<float>{10, 0.5F, -1});
  EXPECT_THAT(expected<double>(array(3, {{"alpha", "0.25"}}), {x, y}), ElementsAre(10.25, 0, 0x1.000002p-2 - 1));
  EXPECT_THAT(pattern().oracle(array(3, {{"alpha", "-4"}}), {x, y}).at(0).magnitude,
              ElementsAre(14, 8.5, 4 * 0x1.000002p0 + 1));
}

TEST(Map, TheOracleOfTheLoopIsTheLoop) {
  for (const int limit : {1, 3, 32, 128}) {
    const Problem problem = array(400, {{"op", "sqrt_loop"}, {"limit", std::to_string(limit)}});
    for (const char* kind : {"exact", "all_equal", "beside", "special"}) {
      const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 5});
      const auto wanted = expected<double>(problem, inputs);
      const auto starts = elements_of<float>(inputs[0]);
      for (std::size_t i = 0; i < starts.size(); ++i) {
        float counted = starts[i];
        while (std::sqrt(counted) < static_cast<float>(limit)) counted += 1;
        if (std::isnan(counted))
          EXPECT_TRUE(std::isnan(wanted[i]));
        else
          EXPECT_EQ(static_cast<double>(counted), wanted[i]) << limit << " from " << starts[i];
      }
    }
  }
}

TEST(Map, KindsOfStartValuesHaveTheirProperties) {
  const Problem problem = array(4000, {{"op", "sqrt_loop"}, {"limit", "10"}});
  const auto starts = [&](const char* kind) {
    return elements_of<float>(generate_inputs(pattern(), problem, {.kind = kind, .seed = 2})[0]);
  };
  int below = 0;
  for (const float start : starts("uniform")) {
    EXPECT_EQ(start, std::floor(start));
    EXPECT_TRUE(start >= 0 && start < 200);
    below += start < 100 ? 1 : 0;
  }
  EXPECT_NEAR(below, 2000, 200);
  for (const float start : starts("all_equal")) EXPECT_EQ(start, 0);
  for (const float start : starts("beside")) EXPECT_NEAR(start, 100, 3);
  int negative = 0;
  int nan = 0;
  for (const float start : starts("special")) {
    negative += start < 0 ? 1 : 0;
    nan += std::isnan(start) ? 1 : 0;
  }
  EXPECT_GT(negative, 0);
  EXPECT_GT(nan, 0);
}

TEST(Map, AllWaysAreDifferent) {
  std::set<double> results;
  for (int way = 0; way < map::kMostWays; ++way) {
    results.insert(map::passed_along(3.0, way));
    EXPECT_EQ(map::passed_by_case(3.0, way), map::passed_along(3.0, way));
    EXPECT_EQ((map::passed_by_halving<0, map::kMostWays>(-7, way)), map::passed_along(-7, way));
    EXPECT_EQ(map::passed_by_all<0>(0.3F, way, way + 1), map::passed_along(0.3F, way));
  }
  EXPECT_EQ(results.size(), static_cast<std::size_t>(map::kMostWays));
  // Way 0 halves and adds: x/2 + 1, then /2 + 2, ... up to 16.
  double by_hand = 3;
  for (int k = 1; k <= map::kWayOperations; ++k) by_hand = k + by_hand / 2;
  EXPECT_EQ(map::passed_along(3.0, 0), by_hand);
}

TEST(Map, TheReferenceIsTheOracle) {
  Device small;
  small.sm_count = 1;
  for (const char* op : {"axpy", "sqrt_loop", "switch"})
    for (const auto& types : pattern().types) {
      const Problem problem = array(3000, {{"op", op}, {"ways", "7"}, {"limit", "5"}}, types[0]);
      if (problem.option("op") == "axpy" && types[0] == ElementType::i32) continue;
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "special", .seed = 4});
      const Reference reference = pattern().reference(problem, small);
      const auto [execution, buffers] = simulator::run_plan(reference.plan, reference.source, inputs);
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      const ExpectedOutput wanted = pattern().oracle(problem, inputs).at(0);
      const bool is_wide = !wanted.magnitude.empty();
      const auto values_are_the_same = [&]<class T>(T) {
        const auto one = elements_of<T>(buffers.at("z.expected"));
        const auto other = elements_of<T>(wanted.values);
        for (std::size_t i = 0; i < one.size(); ++i)
          EXPECT_TRUE(one[i] == other[i] || (one[i] != one[i] && other[i] != other[i])) << op << i;
      };
      if (is_wide || types[0] == ElementType::f64)
        values_are_the_same(double());
      else if (types[0] == ElementType::f32)
        values_are_the_same(float());
      else
        values_are_the_same(int());
      if (!is_wide) continue;
      const auto magnitude = elements_of<double>(buffers.at("z.magnitude"));
      for (std::size_t i = 0; i < magnitude.size(); ++i)
        EXPECT_TRUE(magnitude[i] == wanted.magnitude[i] || std::isnan(wanted.magnitude[i])) << op << i;
    }
}

/// Counts the global loads of map/strided, away from both ends of the arrays.
simulator::AccessCounts loads_of(const std::string& params) {
  const Problem problem = array(1 << 14);
  simulator::SimulationOptions options;
  options.count_accesses = true;
  const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 1});
  const auto [execution, buffers] = simulator::run_plan(plan_of("map/strided", params, problem),
                                                        catalogue().kernel("map/strided").source, inputs, options);
  EXPECT_TRUE(execution.clean());
  const auto wanted = expected<double>(problem, inputs);
  const auto z = elements_of<float>(buffers.at("z"));
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_EQ(static_cast<double>(z[i]), wanted[i]) << params << i;
  return execution.access;
}

/// The fraction of loaded sectors that was requested.
double load_use(const simulator::AccessCounts& counts) {
  return static_cast<double>(counts.global_load_bytes) / (32 * static_cast<double>(counts.global_load_sectors));
}

TEST(MapStrided, AccessesUseTheKnownFractionOfTheirSectors) {
  struct Golden {
    const char* params;
    std::uint64_t sectors;  ///< of a request by one warp
    double use;
  };
  for (const auto& [params, sectors, use] :
       {Golden{"{.block_size = 128}", 4, 1.0}, Golden{"{.block_size = 128, .access = permuted}", 4, 1.0},
        Golden{"{.block_size = 128, .access = strided, .step = 2}", 8, 0.5},
        Golden{"{.block_size = 128, .access = strided, .step = 4}", 16, 0.25},
        Golden{"{.block_size = 128, .access = strided, .step = 8}", 32, 0.125},
        Golden{"{.block_size = 128, .access = strided, .step = 128}", 32, 0.125},
        Golden{"{.block_size = 128, .access = broadcast}", 1, 0.125}}) {
    const simulator::AccessCounts counts = loads_of(params);
    EXPECT_EQ(counts.global_load_sectors, sectors * counts.global_load_requests) << params;
    EXPECT_DOUBLE_EQ(load_use(counts), use) << params;
  }
}

TEST(MapStrided, AnOffsetOfOneUsesFourFifthsOfItsSectors) {
  const simulator::AccessCounts counts = loads_of("{.block_size = 128, .access = offset, .step = 1}");
  // Both arrays: 512 warps, of which the first has 31 elements in 4 sectors and all others 5; one more warp has the
  // last element.
  const std::uint64_t warps = (1 << 14) / 32;
  EXPECT_EQ(counts.global_load_requests, 2 * (warps + 1));
  EXPECT_EQ(counts.global_load_sectors, 2 * (4 + 5 * (warps - 1) + 1));
  EXPECT_NEAR(load_use(counts), 0.8, 0.001);
}

}  // namespace
}  // namespace warpwright

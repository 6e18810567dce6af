// Tests of the pattern scan: space sizes, plans at edge sizes, oracle, reference, laws, single-pass kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "kernels/runtime/input.hpp"
#include "kernels/scan/scan_fixture.hpp"

namespace warpwright::scan {
namespace {

using simulator::bytes_of;
using simulator::values_of;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ScanPattern, EveryKernelHasItsSmallTiles) {
  const auto kernels = catalogue().matching("scan");
  EXPECT_EQ(kernels.size(), small_tiles().size());
  for (const Kernel* kernel : kernels) EXPECT_TRUE(small_tiles().contains(kernel->name)) << kernel->name;
}

TEST(ScanPattern, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> known{
      {"blelloch", {207, 216}},    {"brent_kung", {276, 288}},
      {"coarsened", {150, 168}},   {"decoupled_lookback", {1680, 2016}},
      {"domino", {192, 210}},      {"hillis_steele", {24, 24}},
      {"kogge_stone", {132, 144}}, {"naive", {120, 120}},
      {"stream", {2268, 2196}},    {"three_kernel", {331, 352}},
      {"warp_shuffle", {108, 108}}};
  for (const Kernel* kernel : catalogue().matching("scan")) {
    const auto points = [&](int capability) {
      return kernel->space.points({.types = {ElementType::f32}, .device = device_with(capability)}).size();
    };
    EXPECT_EQ(std::pair(points(75), points(90)), known.at(kernel->name)) << kernel->name;
  }
}

TEST(ScanPattern, DefaultsAreValidForEveryTypeOnEveryArchitecture) {
  for (const Kernel* kernel : catalogue().matching("scan"))
    for (const auto& types : pattern().types)
      for (const int capability : supported_architectures())
        EXPECT_EQ(kernel->space.rejected_by(kernel->default_point, {.types = types, .device = device_with(capability)}),
                  "")
            << kernel->full_name() << " sm_" << capability;
}

TEST(ScanPattern, AnEmptyArrayLaunchesNothing) {
  for (const Kernel* kernel : catalogue().matching("scan"))
    EXPECT_TRUE(kernel->plan(kernel->default_point, array(0), device_with(90)).steps.empty()) << kernel->full_name();
}

TEST(ScanPattern, PlansReachAboveTwoToTheThirtyOneElements) {
  const std::int64_t count = (std::int64_t{1} << 33) + 7;
  for (const Kernel* kernel : catalogue().matching("scan")) {
    const Device device = device_with(90, 132);
    if (!kernel->refuses(kernel->default_point, array(count), device).empty()) continue;
    for (const Point& point : kernel->space.points({.types = {ElementType::f32}, .device = device})) {
      const Plan plan = kernel->plan(point, array(count), device);
      std::uint64_t most = 0;
      for (const auto& [launch, times] : launches_of(plan)) {
        ASSERT_LT(launch.grid.x, 1U << 31) << kernel->full_name();
        most = std::max(most, std::uint64_t{launch.grid.x} * static_cast<std::uint64_t>(kernel->tile(point)[0]));
      }
      if (kernel->name != "stream") {
        ASSERT_GE(most, static_cast<std::uint64_t>(count)) << kernel->full_name();
      }
      ASSERT_GT(kernel->depth(point, array(count), device), 0);
    }
  }
}

TEST(ScanPattern, OnlyTheNaiveKernelRefusesLongArraysAndSaysWhy) {
  for (const Kernel* kernel : catalogue().matching("scan")) {
    const std::string why = kernel->refuses(kernel->default_point, array(std::int64_t{1} << 26), device_with(90));
    EXPECT_THAT(why, kernel->name == "naive" ? HasSubstr("2^18") : HasSubstr("")) << kernel->name;
    EXPECT_EQ(why.empty(), kernel->name != "naive") << why;
  }
}

TEST(ScanPattern, StreamNeedsSm90AndSaysSo) {
  const Kernel& stream = catalogue().kernel("scan/stream");
  EXPECT_THAT(stream.refuses(stream.default_point, array(9), device_with(89)), HasSubstr("sm_90"));
  EXPECT_EQ(stream.refuses(stream.default_point, array(9), device_with(100)), "");
}

TEST(ScanPattern, TheOracleKnowsBothKindsAndEveryOperator) {
  const Bytes in = bytes_of(std::vector{3, 1, 7, 0});
  const auto expected = [&](const std::string& op, const std::string& kind) {
    return values_of<int>(pattern().oracle(array(4, {{"op", op}, {"kind", kind}}, ElementType::i32), {in})[0].values);
  };
  EXPECT_THAT(expected("sum", "inclusive"), ElementsAre(3, 4, 11, 11));
  EXPECT_THAT(expected("sum", "exclusive"), ElementsAre(0, 3, 4, 11));
  EXPECT_THAT(expected("product", "exclusive"), ElementsAre(1, 3, 3, 21));
  EXPECT_THAT(expected("min", "exclusive"), ElementsAre(std::numeric_limits<int>::max(), 3, 1, 1));
  EXPECT_THAT(expected("max", "inclusive"), ElementsAre(3, 3, 7, 7));
}

TEST(ScanPattern, TheOracleCompensatesAndItsMagnitudeIsThatOfThePrefix) {
  std::vector<double> in{1e20, 1, -1e20, 1};
  const auto expected = pattern().oracle(array(4, {}, ElementType::f64), {bytes_of(in)})[0];
  EXPECT_THAT(values_of<double>(expected.values), ElementsAre(1e20, 1e20, 1, 2));
  EXPECT_EQ(expected.magnitude[0], 1e20);
  EXPECT_EQ(expected.magnitude[2], 2e20);
}

TEST(ScanPattern, NanIsIgnoredInMinima) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> in(40, nan);
  in[5] = 2;
  in[35] = -1;
  std::vector<float> least(40, 2);
  for (std::size_t i = 0; i < in.size(); ++i) least[i] = i < 5 ? infinity : i < 35 ? 2.0F : -1.0F;
  for (const auto& [name, text] : small_tiles()) EXPECT_EQ(scanned(name, text, in, {{"op", "min"}}), least) << name;
  EXPECT_EQ(values_of<float>(pattern().oracle(array(40, {{"op", "min"}}), {bytes_of(in)})[0].values), least);
}

TEST(ScanPattern, InputsHaveLargeEarlySumsAndSmallLaterTerms) {
  for (const auto& types : pattern().types) {
    const Problem problem = array(400, {}, types[0]);
    const auto inputs = generate_inputs(pattern(), problem, {.kind = "early_sum", .seed = 3});
    const Bytes values = pattern().oracle(problem, inputs)[0].values;
    const double end = types[0] == ElementType::i32   ? values_of<int>(values)[399]
                       : types[0] == ElementType::i64 ? static_cast<double>(values_of<std::int64_t>(values)[399])
                                                      : values_of<double>(values)[399];
    EXPECT_NEAR(end, 100 * 1024, 700);
  }
}

TEST(ScanPattern, TheReferenceIsTheOracle) {
  const Device small = device_with(90, 1);
  std::vector<Problem> problems{array(0)};
  for (const auto& types : pattern().types) problems.push_back(array(5000, {}, types[0]));
  for (const std::int64_t count : {1, 300, 5000})
    problems.push_back(array(count, {{"op", "min"}, {"kind", "exclusive"}}));
  for (const Problem& problem : problems) {
    const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 5});
    const Reference reference = pattern().reference(problem, small);
    const auto [execution, buffers] = simulator::run_plan(reference.plan, reference.source, {inputs[0]});
    ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
    const ExpectedOutput expected = pattern().oracle(problem, inputs)[0];
    EXPECT_EQ(buffers.at("out.expected"), expected.values) << problem_text(problem);
    if (!expected.magnitude.empty()) {
      EXPECT_EQ(values_of<double>(buffers.at("out.magnitude")), expected.magnitude) << problem_text(problem);
    }
  }
}

TEST(ScanPattern, OneLaunchIsRightInWhateverOrderBlocksStart) {
  for (const char* name : {"domino", "decoupled_lookback", "stream"})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Problem problem = array(6001, {}, ElementType::f64);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = seed});
      const auto [execution, buffers] =
          run(name, small_tiles().at(name), problem, inputs[0], seed, static_cast<int>(seed % 4));
      ASSERT_TRUE(execution.clean()) << name << ": " << describe(execution.findings[0]);
      ASSERT_EQ(buffers.at("out"), pattern().oracle(problem, inputs)[0].values) << name << ", seed " << seed;
    }
}

TEST(ScanPattern, SinglePassesRunAgainWithoutAReset) {
  const Bytes input = bytes_of(std::vector<double>(5000, 1.0));
  for (const char* name : {"domino", "decoupled_lookback", "stream"}) {
    const Kernel& kernel = catalogue().kernel(std::string("scan/") + name);
    simulator::SimulationOptions options;
    options.device = device_with(90);
    Plan plan = kernel.plan(params(kernel, small_tiles().at(name)), array(5000, {}, ElementType::f64), options.device);
    const auto steps = plan.steps;
    plan.steps.insert(plan.steps.end(), steps.begin(), steps.end());
    const auto [execution, buffers] = simulator::run_plan(plan, kernel.source, {input}, options);
    ASSERT_TRUE(execution.clean()) << name << ": " << describe(execution.findings[0]);
    EXPECT_EQ(values_of<double>(buffers.at("out")).back(), 5000) << name;
  }
}

TEST(ScanPattern, DescriptorsAreZeroedByATimedStepOrByTheLastBlock) {
  for (const char* name : {"decoupled_lookback", "stream"}) {
    const Kernel& kernel = catalogue().kernel(std::string("scan/") + name);
    const Plan by_step = kernel.plan(params(kernel, "{.restore = memset}"), array(100'000), device_with(90));
    ASSERT_EQ(by_step.steps.size(), 2U);
    EXPECT_EQ(std::get<Memset>(by_step.steps[0].what).buffer, "descriptors");
    EXPECT_TRUE(by_step.steps[0].timed);
    EXPECT_FALSE(by_step.buffer("descriptors").self_restoring);
    const Plan by_block = kernel.plan(params(kernel, "{.restore = last_block}"), array(100'000), device_with(90));
    EXPECT_EQ(by_block.steps.size(), 1U);
    EXPECT_TRUE(by_block.buffer("descriptors").self_restoring);
  }
}

TEST(ScanPattern, LawsFindTheirFaults) {
  const Problem problem = array(8, {{"kind", "exclusive"}}, ElementType::i32);
  const std::vector<Bytes> inputs{bytes_of(std::vector{3, 1, 7, 0, 4, 1, 6, 3})};
  const auto broken_laws = [&](std::size_t place) {
    std::vector<std::string> broken;
    for (const Law& law : pattern().laws) {
      const Runner wrong = [&](const Problem& asked, const std::vector<Bytes>& given) {
        auto results = values_of<int>(pattern().oracle(asked, given)[0].values);
        if (asked.option("kind") == "inclusive" && place < results.size()) ++results[place];
        return std::vector<Bytes>{bytes_of(results)};
      };
      if (!law.broken(problem, inputs, wrong).empty()) broken.push_back(law.name);
    }
    return broken;
  };
  EXPECT_THAT(broken_laws(99), ElementsAre());
  EXPECT_THAT(broken_laws(7), ElementsAre("last is the reduction", "difference is the input"));
  EXPECT_THAT(broken_laws(3), ElementsAre("difference is the input", "exclusive is inclusive shifted"));
}

}  // namespace
}  // namespace warpwright::scan

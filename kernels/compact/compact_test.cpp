// The pattern compact: size of its space, plans at the edges, data, oracle, observation, reference, known results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/host/kernel_fixture.hpp"
#include "kernels/runtime/host/plan_fixture.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright {
namespace {

using host::bytes_of;
using host::values_of;
using testing::ElementsAre;

const Pattern& pattern() {
  return catalogue().pattern("compact");
}

const Kernel& single_pass() {
  return catalogue().kernel("compact/single_pass");
}

Problem array(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, settings, {count});
}

/// An H100's limits.
Device hopper() {
  return {.model = "sm_90",
          .compute_capability = 90,
          .sm_count = 132,
          .max_threads_per_sm = 2048,
          .max_blocks_per_sm = 32,
          .shared_per_sm = 233472,
          .shared_per_block_optin = 232448,
          .shared_reserved_per_block = 1024};
}

std::vector<Point> points_on(const Device& device, ElementType type = ElementType::f32) {
  return single_pass().space.points({.types = {type}, .device = device});
}

Point params(const std::string& text) {
  return single_pass().space.parse(text, single_pass().default_point);
}

Plan plan_of(const std::string& text, const Problem& problem) {
  return single_pass().plan(params(text), problem, Device{});
}

template <class T>
T first_of(const Bytes& bytes) {
  return values_of<T>(bytes).at(0);
}

/// What the observation shows of outputs: head, kept and tail.
host::PlanRun observed(const Problem& problem, const Bytes& out, std::int64_t count, std::uint8_t poison) {
  const Observation observation = pattern().observations.at(0).of(problem, Device{});
  return host::run_plan(observation.plan, observation.source,
                        {out, bytes_of(std::vector{count}), bytes_of(std::vector{poison})});
}

/// Runs a plan over a poisoned output and gives what the observation shows of it.
std::vector<Bytes> run_plan(const Plan& plan, const Problem& problem, const Bytes& input, std::uint64_t seed = 0) {
  constexpr std::uint8_t kPoison = 0xC5;
  host::ExecuteOptions options;
  options.schedule.seed = seed;
  const auto [execution, buffers] =
      host::run_plan(plan, single_pass().source,
                     {input, Bytes(input.size(), std::byte{kPoison}), Bytes(8, std::byte{kPoison})}, options);
  EXPECT_TRUE(execution.clean()) << describe(execution.findings[0]);
  const auto shown = observed(problem, buffers.at("out"), first_of<std::int64_t>(buffers.at("count")), kPoison);
  EXPECT_TRUE(shown.execution.clean()) << describe(shown.execution.findings[0]);
  return {shown.buffers.at("head"), shown.buffers.at("kept"), shown.buffers.at("tail")};
}

std::vector<Bytes> expected(const Problem& problem, const Bytes& input) {
  std::vector<Bytes> values;
  for (const ExpectedOutput& output : pattern().oracle(problem, {input})) values.push_back(output.values);
  return values;
}

TEST(Compact, TheSpaceHasItsKnownNumberOfValidPoints) {
  EXPECT_EQ(points_on(Device{}).size(), 456U);
  EXPECT_EQ(points_on(hopper()).size(), 576U);
}

TEST(ComposedOfThreeLaunches, PackHasItsKnownNumberOfValidPointsAndAValidDefault) {
  const Kernel& pack = catalogue().kernel("compact/pack");
  EXPECT_EQ(pack.space.points({.types = {ElementType::f32}, .device = Device{}}).size(), 216U);
  for (const auto& types : pattern().types)
    EXPECT_EQ(pack.space.rejected_by(pack.default_point, {.types = types, .device = Device{}}), "");
}

TEST(ComposedOfThreeLaunches, PackCountsScansAndWritesTilesOfAnyNumber) {
  const Kernel& pack = catalogue().kernel("compact/pack");
  const std::int64_t count = (std::int64_t{1} << 33) + 7;
  for (const Point& point : pack.space.points({.types = {ElementType::f32}, .device = Device{}})) {
    EXPECT_TRUE(launches_of(pack.plan(point, array(0), Device{})).empty());
    const auto launches = launches_of(pack.plan(point, array(count), Device{}));
    ASSERT_EQ(launches.size(), 3U);
    EXPECT_EQ(launches[0].launch.grid.x, divide_up(count, pack.tile(point)[0]));
    EXPECT_EQ(launches[1].launch.grid.x, 1U);
    EXPECT_EQ(launches[2].launch.grid, launches[0].launch.grid);
  }
}

TEST(Compact, TheDefaultIsValidForEveryType) {
  for (const auto& types : pattern().types)
    EXPECT_EQ(single_pass().space.rejected_by(single_pass().default_point, {.types = types, .device = Device{}}), "");
}

TEST(Compact, ARejectedPointNamesItsConstraint) {
  const auto why = [](const std::string& text, ElementType type, const Device& device) {
    return single_pass().space.rejected_by(params(text), {.types = {type}, .device = device});
  };
  EXPECT_EQ(why("{.coarsening = 32}", ElementType::f64, hopper()), "at most 128 bytes held a thread");
  EXPECT_EQ(why("{.block_size = 256, .min_blocks = 2}", ElementType::f32, hopper()),
            "launch bounds ask for 1024 threads an SM, or for nothing");
  const std::string large = "{.block_size = 1024, .coarsening = 32, .store = staged}";
  EXPECT_EQ(why(large, ElementType::f32, Device{}), "shared memory holds what is staged");
  EXPECT_EQ(why(large, ElementType::f32, hopper()), "");
}

TEST(Compact, AnEmptyArraySetsTheCountAndLaunchesNothing) {
  for (const Point& point : points_on(Device{})) {
    const Plan plan = single_pass().plan(point, array(0), Device{});
    ASSERT_TRUE(launches_of(plan).empty());
    ASSERT_EQ(plan.steps.size(), 1U);
    EXPECT_EQ(std::get<Memset>(plan.steps[0].what).buffer, "count");
  }
  EXPECT_EQ(run_plan(plan_of("{}", array(0)), array(0), {}), expected(array(0), {}));
}

TEST(Compact, PlansReachAboveTwoToTheThirtyOneElements) {
  const std::int64_t count = (std::int64_t{1} << 33) + 7;
  for (const Point& point : points_on(hopper())) {
    const auto launches = launches_of(single_pass().plan(point, array(count), hopper()));
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_EQ(launches[0].launch.grid.x, divide_up(count, single_pass().tile(point)[0]));
  }
}

TEST(Compact, DescriptorsAreZeroedByATimedStepOrByTheLastBlock) {
  const Plan by_step = plan_of("{.restore = memset}", array(100'000));
  ASSERT_EQ(by_step.steps.size(), 2U);
  EXPECT_EQ(std::get<Memset>(by_step.steps[0].what).buffer, "descriptors");
  EXPECT_TRUE(by_step.steps[0].timed);
  EXPECT_FALSE(by_step.buffer("descriptors").self_restoring);
  const Plan by_block = plan_of("{.restore = last_block}", array(100'000));
  EXPECT_EQ(by_block.steps.size(), 1U);
  EXPECT_TRUE(by_block.buffer("descriptors").self_restoring);
}

TEST(Compact, TheOracleKeepsNanAndDropsZerosOfEitherSignAsThePredicatesSay) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Bytes input = bytes_of(std::vector{nan, -0.0F, 2.0F, 0.0F, -3.0F, 0x1p-149F});
  const auto positive = expected(array(6), input);
  EXPECT_EQ(first_of<std::int64_t>(positive[1]), 2);
  EXPECT_THAT(values_of<float>(positive[0]), ElementsAre(2.0F, 0x1p-149F, 0, 0, 0, 0));
  const auto non_zero = expected(array(6, {{"predicate", "non_zero"}}), input);
  EXPECT_EQ(first_of<std::int64_t>(non_zero[1]), 4);
  EXPECT_TRUE(std::isnan(first_of<float>(non_zero[0])));
  EXPECT_EQ(values_of<float>(non_zero[0])[2], -3.0F);
}

TEST(Compact, DataSetsKeepTheirPartOfEveryTypeUnderBothPredicates) {
  constexpr std::int64_t kCount = 40'000;
  for (const auto& types : pattern().types)
    for (const auto& [data, part] : std::map<std::string, double>{
             {"kept:0", 0}, {"kept:0.1", 0.1}, {"kept:0.5", 0.5}, {"kept:0.9", 0.9}, {"kept:1", 1}})
      for (const char* predicate : {"positive", "non_zero"}) {
        const Problem problem = array(kCount, {{"data", data}, {"predicate", predicate}}, types[0]);
        const auto inputs = generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = 3});
        const auto kept = static_cast<double>(first_of<std::int64_t>(expected(problem, inputs[0])[1]));
        EXPECT_NEAR(kept / kCount, part, part * (1 - part) * 0.05) << problem_text(problem);
      }
}

TEST(Compact, ClusteredDataComeInRuns) {
  const auto changes = [](const std::string& data) {
    const Problem problem = array(40'000, {{"data", data}});
    const auto elements =
        values_of<float>(generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = 3})[0]);
    int count = 0;
    for (std::size_t i = 1; i < elements.size(); ++i) count += (elements[i] > 0) != (elements[i - 1] > 0) ? 1 : 0;
    return count;
  };
  EXPECT_GT(changes("kept:0.5"), 19'000);
  EXPECT_GT(changes("clustered:0.5"), 0);
  EXPECT_LT(changes("clustered:0.5"), 10);
}

TEST(Compact, WorkCountsTheExpectedOutput) {
  const Work tenth = pattern().work(array(1000, {{"data", "kept:0.1"}}, ElementType::f64));
  EXPECT_EQ(tenth.bytes_read, 8000);
  EXPECT_DOUBLE_EQ(tenth.bytes_written, 808);
  EXPECT_EQ(pattern().work(array(1000, {{"data", "clustered:0.5"}})).bytes_written, 2008);
}

TEST(Compact, TheObservationShowsTheHeadAndWhatWasWrittenBehindIt) {
  const Problem problem = array(5);
  const float poison = values_of<float>(Bytes(4, std::byte{0xAA}))[0];
  const auto right = observed(problem, bytes_of(std::vector{1.0F, 2.0F, poison, poison, poison}), 2, 0xAA);
  EXPECT_THAT(values_of<float>(right.buffers.at("head")), ElementsAre(1, 2, 0, 0, 0));
  EXPECT_EQ(first_of<std::int64_t>(right.buffers.at("kept")), 2);
  EXPECT_EQ(first_of<std::uint64_t>(right.buffers.at("tail")), 0U);
  const auto past_the_end = observed(problem, bytes_of(std::vector{1.0F, 2.0F, poison, 4.0F, poison}), 2, 0xAA);
  EXPECT_EQ(first_of<std::uint64_t>(past_the_end.buffers.at("tail")), 4U);
}

TEST(Compact, TheObservationOfACountThatCannotBeIsNoFault) {
  const Bytes out = bytes_of(std::vector{1.0F, 2.0F, 3.0F});
  for (const auto& [count, head] : {std::pair{std::int64_t{1} << 40, out}, {std::int64_t{-1}, Bytes(12)}}) {
    const auto shown = observed(array(3), out, count, 0);
    EXPECT_TRUE(shown.execution.clean()) << describe(shown.execution.findings[0]);
    EXPECT_EQ(first_of<std::int64_t>(shown.buffers.at("kept")), count);
    EXPECT_EQ(shown.buffers.at("head"), head);
  }
}

TEST(Compact, TheReferenceIsTheOracle) {
  Device small;
  small.sm_count = 1;
  for (const auto& types : pattern().types)
    for (const std::int64_t count : {0, 1, 5000}) {
      const Problem problem = array(count, {{"predicate", "non_zero"}}, types[0]);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "special", .seed = 5});
      const Reference reference = pattern().reference(problem, small);
      const auto [execution, buffers] = host::run_plan(reference.plan, reference.source, {inputs[0]});
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      for (const ExpectedOutput& output : pattern().oracle(problem, inputs))
        EXPECT_EQ(buffers.at(output.buffer + ".expected"), output.values) << output.buffer;
    }
}

TEST(Compact, KnownRandomNumbersGiveTheirKnownPack) {
  std::srand(2019);
  std::vector<float> numbers(16);
  for (float& number : numbers)
    number = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5F;  // NOLINT: the published numbers
  EXPECT_NEAR(numbers[0], -0.4508, 1e-4);
  const Problem problem = array(16);
  const auto shown = run_plan(plan_of("{}", problem), problem, bytes_of(numbers));
  const auto head = values_of<float>(shown[0]);
  const std::vector<double> known{0.2750, 0.3169, 0.1248, 0.4241};
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_NEAR(head[i], known[i], 1e-4) << i;
  EXPECT_EQ(shown, expected(problem, bytes_of(numbers)));
}

TEST(Compact, WaysOfStoringAndLookingBackGiveTheSame) {
  for (const char* text : {"{.block_size = 128, .coarsening = 8, .vector_width = 1, .store = direct, .window = 1}",
                           "{.block_size = 128, .coarsening = 8, .vector_width = 2, .store = staged, .window = 1}",
                           "{.block_size = 128, .coarsening = 24, .store = direct, .restore = memset}",
                           "{.block_size = 128, .coarsening = 8, .store = staged, .restore = memset}"})
    for (const std::int64_t count : {1023, 1024, 1025, 40'001})
      for (const char* data : {"kept:0.5", "kept:1", "kept:0", "clustered:0.5"}) {
        const Problem problem = array(count, {{"data", data}});
        const auto inputs = generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = 9});
        ASSERT_EQ(run_plan(plan_of(text, problem), problem, inputs[0], static_cast<std::uint64_t>(count)),
                  expected(problem, inputs[0]))
            << text << ' ' << problem_text(problem);
      }
}

TEST(Compact, AKernelThatWritesPastTheEndIsSeen) {
  const Problem problem = array(5000);
  const auto inputs = generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = 2});
  Plan plan = plan_of("{}", problem);
  plan.steps.insert(plan.steps.begin(), {.what = Memset{.buffer = "out", .count = 5000, .value = value(0.0F)}});
  const auto shown = run_plan(plan, problem, inputs[0]);
  EXPECT_EQ(shown[0], expected(problem, inputs[0])[0]);
  EXPECT_EQ(first_of<std::uint64_t>(shown[2]),
            4U * static_cast<std::uint64_t>(5000 - first_of<std::int64_t>(shown[1])));
}

TEST(Compact, StaleDescriptorsAreFoundWhereNobodyZeroesThem) {
  const Problem problem = array(10'000);
  const auto inputs = generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = 2});
  Plan plan = plan_of("{.restore = memset}", problem);
  plan.steps.erase(plan.steps.begin());
  const auto execution = host::run_plan(plan, single_pass().source, {inputs[0]}).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::uninitialised_read);
}

TEST(Compact, DescriptorsThatNobodyRestoresAreFound) {
  const Problem problem = array(10'000);
  const auto inputs = generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = 2});
  Plan plan = plan_of("{.restore = memset}", problem);
  for (Buffer& buffer : plan.buffers) buffer.self_restoring = buffer.role == Role::scratch;
  const auto execution = host::run_plan(plan, single_pass().source, {inputs[0]}).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::scratch_not_restored);
}

}  // namespace
}  // namespace warpwright

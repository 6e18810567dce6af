// Tests of sort/quicksort without child launches, on the simulator: badly split data, stability, bit ranges; and its
// plan.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

const Kernel& quicksort() {
  return catalogue().kernel("sort/quicksort");
}

Problem problem_of(std::int64_t count, const Settings& settings, ElementType type = ElementType::u32) {
  return make_problem(catalogue().pattern("sort"), {type}, settings, {count});
}

Plan plan_of(const std::string& params, const Problem& problem) {
  return quicksort().plan(quicksort().space.parse(params, quicksort().default_point), problem, Device{});
}

/// Whether keys and values are those of the oracle.
testing::AssertionResult is_sorted(const std::string& params, const Problem& problem, const std::string& kind) {
  const Pattern& pattern = catalogue().pattern("sort");
  std::vector<Bytes> inputs = generate_inputs(pattern, problem, {.kind = kind, .seed = 5});
  const Expectation expected = pattern.oracle(problem, inputs);
  for (const Buffer& buffer : pattern.buffers(problem))
    if (buffer.role == Role::out) inputs.emplace_back(buffer.bytes(), std::byte{0xA5});
  const auto [execution, buffers] = simulator::run_plan(plan_of(params, problem), quicksort().source, inputs);
  if (!execution.clean()) return testing::AssertionFailure() << describe(execution.findings[0]);
  for (const ExpectedOutput& output : expected)
    if (buffers.at(output.buffer) != output.values)
      return testing::AssertionFailure() << output.buffer << " of " << problem_text(problem) << " with " << kind;
  return testing::AssertionSuccess();
}

TEST(Quicksort, SpaceHasItsKnownNumberOfValidPoints) {
  EXPECT_EQ(quicksort().space.points({.types = {ElementType::u32}, .device = Device{}}).size(), 1040U);
  EXPECT_EQ(quicksort().space.rejected_by(quicksort().space.parse("{.depth = 0}", quicksort().default_point),
                                          {.types = {ElementType::u32}, .device = Device{}}),
            "without children there is no choice of their stream");
}

TEST(Quicksort, OneBlockSortsDataThatSplitsBadly) {
  for (const char* kind : {"sorted", "reversed", "all_equal", "few_values", "position"})
    for (const std::int64_t count : {33, 700, 1999})
      EXPECT_TRUE(is_sorted("{.block_size = 64, .coarsening = 2, .leaf = 32, .depth = 0, .stream = own}",
                            problem_of(count, {{"items", "pairs"}}), kind));
}

TEST(Quicksort, OneBlockIsStableInBothDirectionsAndForPartOfTheBits) {
  for (const char* order : {"ascending", "descending"})
    for (const auto& [begin, end] : {std::pair{"0", "64"}, std::pair{"3", "9"}, std::pair{"60", "61"}})
      for (const ElementType type : {ElementType::u32, ElementType::f64})
        EXPECT_TRUE(is_sorted(
            "{.block_size = 32, .coarsening = 8, .leaf = 64, .depth = 0, .stream = own}",
            problem_of(1500, {{"items", "pairs"}, {"order", order}, {"begin_bit", begin}, {"end_bit", end}}, type),
            "special"));
}

TEST(Quicksort, ALeafNeedsNoChild) {
  EXPECT_TRUE(is_sorted("{.leaf = 512, .depth = 24, .stream = tail}", problem_of(512, {}), "exact"));
}

TEST(Quicksort, LaunchesFromTheDeviceAreNotModelled) {
  const Problem problem = problem_of(3000, {});
  const Pattern& pattern = catalogue().pattern("sort");
  std::vector<Bytes> buffers = generate_inputs(pattern, problem, {.kind = "exact", .seed = 5});
  for (const Buffer& buffer : pattern.buffers(problem))
    if (buffer.role == Role::out) buffers.emplace_back(buffer.bytes());
  const auto run = simulator::run_plan(plan_of("{.leaf = 32}", problem), quicksort().source, buffers);
  ASSERT_FALSE(run.execution.clean());
  EXPECT_NE(describe(run.execution.findings[0]).find("a launch from the device"), std::string::npos)
      << describe(run.execution.findings[0]);
}

TEST(Quicksort, OnlyItsProgramIsKnownToLaunchGrids) {
  const Problem problem = problem_of(3000, {});
  EXPECT_TRUE(launches_from_device(catalogue().sources(), program_of(plan_of("{}", problem), quicksort().source)));
  const Kernel& merge = catalogue().kernel("sort/merge");
  EXPECT_FALSE(launches_from_device(catalogue().sources(),
                                    program_of(merge.plan(merge.default_point, problem, Device{}), merge.source)));
}

}  // namespace
}  // namespace warpwright

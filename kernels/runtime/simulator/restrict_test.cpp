// Tests of __restrict__ parameters whose arguments are the same memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// y = x + 1 for 32 elements, over one buffer, from those offsets in bytes on.
struct Sums {
  std::string parameters;
  std::int64_t from_x = 0, from_y = 0;
  std::string statement = "y[i] = x[i] + 1;";
  std::vector<std::vector<std::byte>> contents = {};

  Execution run(std::uint64_t seed) {
    Experiment experiment{
        .text = "__global__ void kernel(" + parameters + ") {\n  const int i = threadIdx.x;\n  " + statement + "\n}\n",
        .entry = "kernel",
        .block = {32}};
    experiment.with("data", Role::inout, ElementType::f32, std::vector<float>(64, 1.0f));
    Plan plan = experiment.plan();
    std::get<Launch>(plan.steps[0].what).arguments = {pointer_to("data", from_x), pointer_to("data", from_y)};
    SimulationOptions options;
    options.schedule.seed = seed;
    contents = experiment.contents;
    return simulate(plan, module_of(experiment.text, {experiment.entry}), contents, options);
  }
};

TEST(Restrict, memory_that_is_stored_through_one_and_loaded_through_another_argument_is_a_finding) {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const Execution execution = Sums{"const float* __restrict__ x, float* y", 0, 0}.run(seed);
    ASSERT_EQ(summary_of(execution), "race at 3");
    EXPECT_THAT(execution.findings[0].message,
                AllOf(HasSubstr("x of kernel is __restrict__, and y is the same memory"), HasSubstr("loaded through")));
  }
  // The offsets differ, and the last elements of x are the first of y.
  EXPECT_EQ(summary_of(Sums{"const float* x, float* __restrict__ y", 0, 64}.run(1)), "race at 3");
  EXPECT_EQ(summary_of(Sums{"float* __restrict__ x, float* __restrict__ y", 0, 0, "x[i] = 1; y[i] = 2;"}.run(1)),
            "race at 3");
}

TEST(Restrict, memory_that_is_not_shared_or_not_stored_is_none) {
  const auto expect_clean = [](const Sums& sums, const std::vector<float>& expected) {
    for (const std::uint64_t seed : {0, 1, 2, 3}) {
      Sums one = sums;
      EXPECT_EQ(summary_of(one.run(seed)), "");
      EXPECT_EQ(values_of<float>(one.contents[0]), expected);
    }
  };
  std::vector<float> second(64, 1.0f), first(64, 1.0f);
  std::fill_n(second.begin() + 32, 32, 2.0f);
  std::fill_n(first.begin(), 32, 2.0f);
  // Halves of one buffer, each of which may be loaded and stored.
  expect_clean(Sums{"const float* __restrict__ x, float* __restrict__ y", 0, 128}, second);
  expect_clean(Sums{"const float* __restrict__ x, float* __restrict__ y", 0, 128, "y[i] += x[i];"}, second);
  expect_clean(Sums{"float* __restrict__ x, float* __restrict__ y", 0, 128, "x[i] += y[i];"}, first);
  // No promise, or nothing stored that another argument reads.
  expect_clean(Sums{"const float* x, float* y", 0, 0}, first);
  expect_clean(Sums{"const float* __restrict__ x, float* __restrict__ y", 0, 0, "y[i] += 1 + 0 * x[i + 32];"}, first);
  expect_clean(Sums{"const float* __restrict__ x, const float* __restrict__ y", 0, 0, "if (x[i] != y[i]) __trap();"},
               std::vector<float>(64, 1.0f));
}

}  // namespace
}  // namespace warpwright::simulator

// Tests of exploring all schedules of small launches: which outcomes are found, and how few executions that takes.
#include "kernels/runtime/simulator/simulate_all.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using Results = std::vector<int>;

struct Explored {
  Execution execution;
  std::set<Results> outcomes;  ///< the first results of all executions
};

Explored explored(Experiment experiment, std::size_t results, std::uint64_t most = 2000) {
  SimulationOptions options;
  options.explored = most;
  const Module& module = module_of(experiment.text, {experiment.entry});
  Explored all{.execution = simulate_all(experiment.plan(), module, experiment.contents, options), .outcomes = {}};
  const auto add = [&](const std::vector<std::vector<std::byte>>& buffers) {
    Results values = values_of<int>(buffers[1]);
    values.resize(results);
    all.outcomes.insert(values);
  };
  add(experiment.contents);
  for (const auto& others : all.execution.other_buffers) add(others);
  return all;
}

/// One thread in each of these blocks runs each piece of code, over volatile x and y.
Experiment in_blocks(const std::vector<std::string>& threads) {
  std::string text = "volatile unsigned *const x = flags, *const y = flags + 64;\nif (threadIdx.x != 0) return;\n";
  for (std::size_t i = 0; i < threads.size(); ++i)
    text += fmt::format("if (blockIdx.x == {}) {{ {} }}\n", i, threads[i]);
  return over_buffers(text, {static_cast<std::uint32_t>(threads.size())}, {2}, 256);
}

TEST(AllSchedules, HaveEveryOutcomeOfStoreBuffering) {
  const auto all = explored(in_blocks({"*x = 1; b[0] = *y;", "*y = 1; b[1] = *x;"}), 2);
  EXPECT_EQ(summary_of(all.execution), "");
  EXPECT_TRUE(all.execution.is_exhausted);
  EXPECT_THAT(all.outcomes, UnorderedElementsAre(Results{0, 0}, Results{0, 1}, Results{1, 0}, Results{1, 1}));
  EXPECT_LT(all.execution.explored, 16U);
}

TEST(AllSchedules, HaveNoOutcomeThatFencesForbid) {
  const auto all =
      explored(in_blocks({"*x = 1; __threadfence(); b[0] = *y;", "*y = 1; __threadfence(); b[1] = *x;"}), 2);
  EXPECT_TRUE(all.execution.is_exhausted);
  EXPECT_THAT(all.outcomes, UnorderedElementsAre(Results{0, 1}, Results{1, 0}, Results{1, 1}));
}

TEST(AllSchedules, OfStepsThatDoNotDependOnEachOtherAreOne) {
  const auto own = explored(
      over_buffers("atomicAdd(flags + threadIdx.x, 1u); atomicAdd(flags + threadIdx.x, 1u);", {1}, {64}, 256), 1);
  EXPECT_TRUE(own.execution.is_exhausted);
  EXPECT_EQ(own.execution.explored, 1U);
  // Without any visible step there is one, too.
  const auto none = explored(
      over_buffers("a[threadIdx.x] += 1; __syncthreads(); b[threadIdx.x] = a[threadIdx.x ^ 1];", {1}, {64}, 256), 1);
  EXPECT_TRUE(none.execution.is_exhausted);
  EXPECT_EQ(none.execution.explored, 1U);
}

TEST(AllSchedules, OfDependentStepsAreAllOrders) {
  for (const std::uint64_t threads : {1U, 2U, 3U, 4U}) {
    const auto all = explored(
        over_buffers("b[threadIdx.x] = atomicAdd(flags, 1u);", {1}, {static_cast<std::uint32_t>(threads)}, 256),
        threads);
    EXPECT_TRUE(all.execution.is_exhausted);
    std::uint64_t orders = 1;
    for (std::uint64_t i = 2; i <= threads; ++i) orders *= i;
    EXPECT_EQ(all.execution.explored, orders) << threads;
    EXPECT_EQ(all.outcomes.size(), std::min<std::uint64_t>(orders, 8));
  }
}

TEST(AllSchedules, EndIfThereAreTooMany) {
  const auto all = explored(over_buffers("b[threadIdx.x] = atomicAdd(flags, 1u);", {1}, {32}, 256), 1, 50);
  EXPECT_FALSE(all.execution.is_exhausted);
  EXPECT_EQ(all.execution.explored, 100U) << "50 in order, and 50 random ones";
  const auto large = explored(over_buffers("atomicAdd(flags, 1u);", {3}, {32}, 256), 1, 50);
  EXPECT_FALSE(large.execution.is_exhausted);
  EXPECT_EQ(large.execution.explored, 1U);
}

TEST(AllSchedules, OfLocksAndFlagsEnd) {
  const std::string locked =
      "if (threadIdx.x == 0) {\n  while (atomicCAS(flags, 0u, 1u) != 0u) {}\n  __threadfence();\n  b[0] += 1;\n"
      "  __threadfence();\n  atomicExch(flags, 0u);\n}";
  Experiment lock = over_buffers(locked, {3}, {2}, 256);
  lock.buffers[1].role = Role::inout;
  const auto all = explored(lock, 1);
  EXPECT_EQ(summary_of(all.execution), "");
  EXPECT_TRUE(all.execution.is_exhausted) << all.execution.explored;
  EXPECT_THAT(all.outcomes, ElementsAre(Results{3}));
  const auto passed = explored(
      in_blocks({"b[0] = 7; __threadfence(); *x = 1;", "while (*x == 0) {} __threadfence(); b[1] = b[0];"}), 2);
  EXPECT_EQ(summary_of(passed.execution), "");
  EXPECT_TRUE(passed.execution.is_exhausted) << passed.execution.explored;
  EXPECT_THAT(passed.outcomes, ElementsAre(Results{7, 7}));
}

TEST(AllSchedules, FindARareMistake) {
  // Wrong only if the second block's first access comes between the two of the first one, and its second one behind.
  const std::vector<std::string> wrong{"atomicAdd(flags, 1u); atomicAdd(flags, 1u); b[0] = 0;",
                                       "const unsigned seen = atomicAdd(flags, 16u); b[1] = 0;\n"
                                       "if (seen == 1 && atomicAdd(flags, 0u) == 18) b[4096] = 1;"};
  const auto all = explored(in_blocks(wrong), 1);
  EXPECT_THAT(summary_of(all.execution), HasSubstr("out of bounds"));
  const auto right = explored(in_blocks({wrong[0],
                                         "const unsigned seen = atomicAdd(flags, 16u); b[1] = 0;\n"
                                         "if (seen == 1 && atomicAdd(flags, 0u) == 19) b[4096] = 1;"}),
                              1);
  EXPECT_EQ(summary_of(right.execution), "");
  EXPECT_TRUE(right.execution.is_exhausted);
}

TEST(AllSchedules, FindAHang) {
  const std::vector<std::string> threads{"if (atomicAdd(flags, 1u) == 0) { while (*y == 0) {} }",
                                         "if (atomicAdd(flags, 1u) == 0) *y = 1;"};
  EXPECT_THAT(summary_of(explored(in_blocks(threads), 1).execution), HasSubstr("hang"));
  const auto right = explored(
      in_blocks({"if (atomicAdd(flags, 1u) == 0) { while (*y == 0) {} }", "atomicAdd(flags, 1u); *y = 1;"}), 1);
  EXPECT_EQ(summary_of(right.execution), "");
  EXPECT_TRUE(right.execution.is_exhausted);
}

/// A thread stores two values between two sequence numbers, twice; another reads them, and again if a number says so.
Experiment sequence_lock(const std::string& first_fence, const std::string& last_fence, int tries) {
  return in_blocks(
      {"for (unsigned i = 1; i <= 2; ++i) {\n  *x = 2 * i - 1;\n  __threadfence();\n  y[0] = i;\n  y[64] = i;\n"
       "  __threadfence();\n  *x = 2 * i;\n}",
       fmt::format("for (int i = 0; i < {}; ++i) {{\n  const unsigned before = *x;\n  {}\n  const unsigned one = y[0], "
                   "other = y[64];\n  {}\n  if (before % 2 == 0 && before == *x) {{ b[0] = one != other; break; }}\n}}",
                   tries, first_fence, last_fence)});
}

TEST(AllSchedules, FindASequenceLockWithoutAFence) {
  const std::string fence = "__threadfence();";
  for (const int tries : {1, 1000}) {
    const auto outcomes = [&](const std::string& first, const std::string& last) {
      const auto all = explored(sequence_lock(first, last, tries), 1, 1000);
      EXPECT_EQ(summary_of(all.execution), "");
      return all.outcomes;
    };
    EXPECT_THAT(outcomes(fence, fence), ElementsAre(Results{0}));
    EXPECT_THAT(outcomes(fence, ""), ElementsAre(Results{0}, Results{1})) << "the second load of the number came first";
    EXPECT_THAT(outcomes("", fence), ElementsAre(Results{0}, Results{1}));
  }
}

TEST(AllSchedules, AreNotSaidToBeAllWhereALoopDoesNotWait) {
  // The loop reads three times, and goes on whatever it has read.
  const auto all =
      explored(in_blocks({"unsigned sum = 0; for (int i = 0; i < 3; ++i) sum += *x; b[0] = sum;", "*x = 1;"}), 1);
  EXPECT_EQ(summary_of(all.execution), "");
  EXPECT_FALSE(all.execution.is_exhausted);
}

TEST(AllSchedules, AreGivenUpAtABarrierWithANumber) {
  const auto all = explored(over_buffers("asm volatile(\"bar.sync 1;\" ::: \"memory\");\natomicAdd(flags, 1u);\n"
                                         "asm volatile(\"bar.sync 1;\" ::: \"memory\");\nb[threadIdx.x] = "
                                         "*(volatile unsigned*)flags;",
                                         {1}, {64}, 256),
                            2);
  EXPECT_EQ(summary_of(all.execution), "");
  EXPECT_FALSE(all.execution.is_exhausted);
  EXPECT_THAT(all.outcomes, ElementsAre(Results{64, 64}));
}

TEST(AllSchedules, OfSeveralLaunchesFollowEachOther) {
  Experiment experiment = over_buffers("b[blockIdx.x] = atomicAdd(flags, 1u);", {2}, {1}, 256);
  Plan plan = experiment.plan();
  plan.steps.push_back(plan.steps.front());
  SimulationOptions options;
  options.explored = 100;
  const Execution all =
      simulate_all(plan, module_of(experiment.text, {experiment.entry}), experiment.contents, options);
  EXPECT_EQ(summary_of(all), "");
  EXPECT_TRUE(all.is_exhausted);
  EXPECT_EQ(all.explored, 4U);
}

}  // namespace
}  // namespace warpwright::simulator

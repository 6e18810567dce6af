// Tests of the steps of a timed part: which they are, how they are called, and medians over runs.
#include "kernels/runtime/messages/step_times.hpp"

#include <gmock/gmock.h>

namespace warpwright::gpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Step launch(const std::string& entry, int stream = 0) {
  return {.what = Launch{.entry = entry, .grid = {1}, .block = {32}, .arguments = {}}, .stream = stream};
}

Step untimed(Step step) {
  step.timed = false;
  return step;
}

std::vector<std::string> texts(const std::vector<StepTime>& steps) {
  std::vector<std::string> texts;
  for (const StepTime& step : steps)
    texts.push_back(std::to_string(step.times) + " x " + step.kind + " " + step.name + " in " +
                    std::to_string(step.stream));
  return texts;
}

TEST(TimedSteps, AreNamedAfterTheirOperations) {
  const Plan plan{.buffers = {{.name = "in", .where = Where::pinned},
                              {.name = "out", .role = Role::out, .where = Where::pageable},
                              {.name = "a", .role = Role::scratch},
                              {.name = "b", .role = Role::scratch}},
                  .steps = {{.what = Copy{.from = "in", .to = "a", .bytes = 4}, .stream = 1},
                            {.what = Memset{.buffer = "b", .count = 1, .value = value(0)}},
                            launch("k<1>", 1),
                            {.what = Copy{.from = "a", .to = "b", .bytes = 4}},
                            {.what = Copy{.from = "b", .to = "out", .bytes = 4}},
                            {.what = Synchronise{}},
                            {.what = HostWork{.source = "w.cuh", .function = "add", .arguments = {}, .accesses = {}}}}};
  EXPECT_THAT(
      texts(timed_steps(plan)),
      ElementsAre("1 x copy to GPU in to a in 1", "1 x memset b in 0", "1 x launch k<1> in 1", "1 x copy a to b in 0",
                  "1 x copy to CPU b to out in 0", "1 x wait  in 0", "1 x host add in 0"));
}

TEST(TimedSteps, BeginAndEndWithTimedOnes) {
  const Plan plan{.buffers = {},
                  .steps = {untimed(launch("restore")), launch("first"), untimed(launch("between")), launch("last"),
                            untimed(launch("clean"))}};
  EXPECT_THAT(texts(timed_steps(plan)),
              ElementsAre("1 x launch first in 0", "1 x launch between in 0", "1 x launch last in 0"));
  EXPECT_THAT(texts(untimed_steps(plan)), ElementsAre("1 x launch restore in 0", "1 x launch clean in 0"));
  EXPECT_THAT(timed_steps({.buffers = {}, .steps = {untimed(launch("restore"))}}), IsEmpty());
}

TEST(TimedSteps, OfRepeatsCountTheirExecutions) {
  const Plan plan{
      .buffers = {},
      .steps = {{.what = Repeat{.times = 3,
                                .steps = {launch("outer"), {.what = Repeat{.times = 4, .steps = {launch("inner")}}}}}},
                launch("after")}};
  EXPECT_THAT(texts(timed_steps(plan)),
              ElementsAre("3 x launch outer in 0", "12 x launch inner in 0", "1 x launch after in 0"));
  EXPECT_EQ(executions_of(timed_steps(plan)), 16);
}

TEST(TimedSteps, HaveTheMediansOfTheirRuns) {
  const auto run = [](double us) {
    return std::vector<StepTime>{{.kind = "launch", .name = "k", .start_us = us / 2, .end_us = 2 * us, .us = us}};
  };
  const std::vector<StepTime> medians = median_of({run(4), run(100), run(2)});
  ASSERT_EQ(medians.size(), 1U);
  EXPECT_EQ(medians[0].name, "k");
  EXPECT_EQ(medians[0].us, 4);
  EXPECT_EQ(medians[0].start_us, 2);
  EXPECT_EQ(medians[0].end_us, 8);
  EXPECT_THAT(median_of({}), IsEmpty());
}

}  // namespace
}  // namespace warpwright::gpu

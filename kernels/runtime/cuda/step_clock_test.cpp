// Tests of the times of a plan's steps on a GPU. Skipped without one.
#include "kernels/runtime/cuda/step_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"

namespace warpwright::gpu {
namespace {

constexpr std::int64_t kCount = 1 << 26;  ///< elements of 4 bytes: each step takes about 50 us or more

class StepClockOnAGpu : public OnAGpu {
 protected:
  /// The steps of a run, after one that loads everything, and the time of a run on the host's clock.
  std::pair<std::vector<StepTime>, double> times_of(const Plan& plan) {
    std::map<std::string, PlacedMemory> memory;
    Addresses addresses;
    for (const Buffer& buffer : plan.buffers)
      addresses[buffer.name] =
          memory.emplace(buffer.name, PlacedMemory(*gpu_, buffer.where, buffer.bytes())).first->second.address();
    ModuleCache modules;
    PlanRunner runner(*gpu_, modules, plan, {.ok = true}, addresses);
    runner.run();
    gpu_->synchronize();
    const auto begin = std::chrono::steady_clock::now();
    runner.run();
    gpu_->synchronize();
    const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    StepClock clock(*gpu_);
    clock.start(!plan.is_plain());
    runner.run_timed(clock);
    gpu_->synchronize();
    return {clock.times(timed_steps(plan)), us};
  }
};

Buffer buffer(const std::string& name, Where where = Where::device) {
  return {.name = name, .role = Role::out, .type = ElementType::i32, .count = kCount, .where = where};
}

TEST_F(StepClockOnAGpu, StepsOfOneStreamFollowEachOtherAndAddUpToTheTimeOfThePlan) {
  const Step set{.what = Memset{.buffer = "a", .count = kCount, .value = value(7)}};
  const Step copy{.what = Copy{.from = "a", .to = "b", .bytes = 4 * kCount}};
  const auto [steps, us] = times_of(
      {.buffers = {buffer("a"), buffer("b")}, .steps = {set, {.what = Repeat{.times = 3, .steps = {copy}}}, set}});
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[1].times, 3);
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    sum += steps[i].us;
    EXPECT_GT(steps[i].us, 0);
    EXPECT_GE(steps[i].start_us, i == 0 ? 0 : steps[i - 1].end_us - 1);
  }
  EXPECT_GT(sum, 0.7 * us) << "the time of the plan also holds its launching";
  EXPECT_LT(sum, 1.1 * us);
  EXPECT_LE(steps[2].end_us, 1.1 * us);
}

TEST_F(StepClockOnAGpu, CopiesInTwoDirectionsInTwoStreamsOverlap) {
  const auto [steps, us] =
      times_of({.buffers = {buffer("a"), buffer("b"), buffer("from", Where::pinned), buffer("to", Where::pinned)},
                .steps = {{.what = Copy{.from = "from", .to = "a", .bytes = 4 * kCount}, .stream = 1, .label = "in"},
                          {.what = Copy{.from = "b", .to = "to", .bytes = 4 * kCount}, .stream = 2, .label = "out"},
                          {.what = Synchronise{}, .waits = {"in", "out"}}}});
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].kind, "copy to GPU");
  EXPECT_EQ(steps[1].kind, "copy to CPU");
  EXPECT_LT(steps[1].start_us, steps[0].end_us) << "both begin at once";
  EXPECT_LT(steps[0].start_us, steps[1].end_us);
  EXPECT_GE(steps[2].end_us, 0.9 * std::max(steps[0].end_us, steps[1].end_us)) << "the host waits for both";
  EXPECT_LT(std::max(steps[0].end_us, steps[1].end_us), 1.2 * us);
}

}  // namespace
}  // namespace warpwright::gpu

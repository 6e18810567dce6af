// Tests of the rough time of a plan.
#include "tuner/cost_model/plan_estimate.hpp"

#include <gtest/gtest.h>

namespace warpwright::tuner {
namespace {

Device device() {
  Device device;
  device.sm_count = 10;
  device.max_threads_per_sm = 1000;
  device.memory_bandwidth_gbs = 100;
  return device;
}

/// Reads and writes 1,000,000 bytes each: 20 us a pass.
Plan plan(const std::vector<std::uint32_t>& grids) {
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = ElementType::f32, .count = 250000},
                        {.name = "out", .role = Role::out, .type = ElementType::f32, .count = 250000},
                        {.name = "other", .role = Role::scratch, .type = ElementType::f32, .count = 250000}},
            .steps = {}};
  for (const std::uint32_t grid : grids)
    plan.steps.push_back({.what = Launch{.entry = "e", .grid = {.x = grid}, .block = {.x = 100}, .arguments = {}}});
  return plan;
}

TEST(PlanEstimate, CountsLaunchesAndPasses) {
  EXPECT_DOUBLE_EQ(estimated_us(plan({}), device()), 0);
  EXPECT_DOUBLE_EQ(estimated_us(plan({100}), device()), 23);
  EXPECT_DOUBLE_EQ(estimated_us(plan({100, 1}), device()), 26) << "the second one is small";
  EXPECT_DOUBLE_EQ(estimated_us(plan({100, 50}), device()), 46);
  EXPECT_DOUBLE_EQ(estimated_us(plan({1000}), device()), 23) << "full is full";
}

TEST(PlanEstimate, OneBlockThatDoesAllOfItTakesLong) {
  EXPECT_DOUBLE_EQ(estimated_us(plan({1}), device()), 2003);
  Plan inout = plan({100});
  inout.buffers[1].role = Role::inout;
  EXPECT_DOUBLE_EQ(estimated_us(inout, device()), 33);
}

}  // namespace
}  // namespace warpwright::tuner

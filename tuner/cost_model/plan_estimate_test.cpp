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

/// In two halves: copies 1,000,000 bytes to the device and back, 40 us each way from pinned memory.
Plan copying(Where where, std::vector<int> streams) {
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .count = 250000, .where = where},
                        {.name = "out", .role = Role::out, .count = 250000, .where = where},
                        {.name = "mine", .role = Role::scratch, .count = 250000}},
            .steps = {}};
  for (const int stream : streams) {
    plan.steps.push_back({.what = Copy{.from = "in", .to = "mine", .bytes = 500000}, .stream = stream});
    plan.steps.push_back(
        {.what = Launch{.entry = "e", .grid = {.x = 100}, .block = {.x = 100}, .arguments = {}}, .stream = stream});
    plan.steps.push_back({.what = Copy{.from = "mine", .to = "out", .bytes = 500000}, .stream = stream});
  }
  return plan;
}

TEST(PlanEstimate, CopiesOverTheBusOverlapInSeveralStreams) {
  EXPECT_DOUBLE_EQ(estimated_us(copying(Where::pinned, {0, 0}), device()), 80 + 6 + 20);
  EXPECT_DOUBLE_EQ(estimated_us(copying(Where::pinned, {0, 1}), device()), 40 + 6 + 20);
  EXPECT_DOUBLE_EQ(estimated_us(copying(Where::pageable, {0, 0}), device()), 4 * 80 + 6 + 20);
}

TEST(PlanEstimate, StepsOnTheCpuTakeTheTimeOfTheirBytes) {
  Plan plan = copying(Where::pinned, {0, 1});
  plan.steps.push_back({.what = HostWork{.source = "s",
                                         .function = "f",
                                         .arguments = {},
                                         .accesses = {{.buffer = "in", .bytes = 10000},
                                                      {.buffer = "out", .bytes = 10000, .writes = true}}}});
  EXPECT_DOUBLE_EQ(estimated_us(plan, device()), 40 + 6 + 20 + 10);
}

TEST(PlanEstimate, MemoryThatKernelsReachOverTheBusIsSlowerIfPagesMove) {
  Plan direct = plan({100});
  direct.buffers[0].where = direct.buffers[1].where = Where::pinned;
  EXPECT_DOUBLE_EQ(estimated_us(direct, device()), 80 + 3 + 20);
  direct.buffers[0].where = direct.buffers[1].where = Where::managed;
  EXPECT_DOUBLE_EQ(estimated_us(direct, device()), 8 * 80 + 3 + 20);
  for (const bool to_host : {false, true})
    direct.steps.push_back({.what = Prefetch{.buffer = to_host ? "out" : "in", .bytes = 1000000, .to_host = to_host}});
  EXPECT_DOUBLE_EQ(estimated_us(direct, device()), 80 + 3 + 20);
}

}  // namespace
}  // namespace warpwright::tuner

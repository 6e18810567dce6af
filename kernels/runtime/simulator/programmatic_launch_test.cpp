// Tests of programmatic dependent launches: what their threads may use before they have waited for the launch before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

constexpr int block_threads = 64;

/// Three launches: of `first`, of `second`, which is programmatic unless told, and of `third`, which is. All have 4
/// blocks. Buffers: in (ones), a and b (scratch), out.
struct Chain {
  std::string body;  ///< of second: void second(const int* in, int* a, int* b, int* out), with int i
  bool programmatic = true;
  std::string third = "cudaGridDependencySynchronize(); out[i] += 1;";

  std::string text() const {
    return "#include \"kernels/runtime/programmatic.cuh\"\nusing namespace warpwright;\n"
           "__global__ void first(const int* in, int* a, int* b, int* out) {\n"
           "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  a[i] = in[i] + 1;  // FIRST\n"
           "  b[i] = b[i] + in[i];\n"
           "  let_next_launch_begin();\n"
           "}\n"
           "__global__ void second(const int* in, int* a, int* b, int* out) {\n"
           "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
           body +
           "\n}\n"
           "__global__ void third(const int* in, int* a, int* b, int* out) {\n"
           "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
           third + "\n}\n";
  }
  Plan plan() const {
    constexpr std::int64_t count = std::int64_t{4} * block_threads;
    Plan plan{.buffers = {{.name = "in", .type = ElementType::i32, .count = count},
                          {.name = "a", .role = Role::inout, .type = ElementType::i32, .count = count},
                          {.name = "b", .role = Role::inout, .type = ElementType::i32, .count = count},
                          {.name = "out", .role = Role::out, .type = ElementType::i32, .count = count}},
              .steps = {}};
    for (const char* entry : {"first", "second", "third"})
      plan.steps.push_back(
          {.what = Launch{.entry = entry,
                          .grid = {.x = 4},
                          .block = {.x = block_threads},
                          .arguments = {pointer_to("in"), pointer_to("a"), pointer_to("b"), pointer_to("out")},
                          .programmatic = programmatic && plan.steps.size() > 0}});
    return plan;
  }
  /// The findings under some schedules, as text.
  std::string findings() const {
    std::string all;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      SimulationOptions options;
      options.schedule.seed = seed;
      options.device.compute_capability = 90;
      std::vector<std::vector<std::byte>> contents(4, bytes_of(std::vector<int>(std::size_t{4} * block_threads, 1)));
      const Execution execution = simulate(plan(), module_of(text(), {"first", "second", "third"}), contents, options);
      for (const Finding& finding : execution.findings) all += describe(finding) + "\n";
      if (execution.findings.empty() && contents[3] != bytes_of(std::vector<int>(std::size_t{4} * block_threads, 3)))
        all += "wrong values\n";
    }
    return all;
  }
};

TEST(ProgrammaticLaunch, may_use_everything_after_the_wait) {
  EXPECT_EQ(Chain{"  wait_for_previous_launch(); out[i] = a[i];"}.findings(), "");
  EXPECT_EQ(Chain{"  cudaGridDependencySynchronize(); out[i] = a[i]; a[i] = 0;"}.findings(), "");
}

TEST(ProgrammaticLaunch, may_use_before_the_wait_what_the_launch_before_does_not_write) {
  EXPECT_EQ(Chain{"  const int own = in[i]; wait_for_previous_launch(); out[i] = a[i] + own - 1;"}.findings(), "");
}

TEST(ProgrammaticLaunch, reads_too_early_without_a_wait) {
  const Chain chain{"  out[i] = a[i];  // HERE"};
  const std::string found = chain.findings();
  EXPECT_THAT(found, HasSubstr("race: load of 4 bytes"));
  EXPECT_THAT(found, HasSubstr("before wait_for_previous_launch (cudaGridDependencySynchronize): an earlier launch, "
                               "which may still run, writes it"));
  EXPECT_THAT(found, HasSubstr("kernel.cuh:" + std::to_string(line_of(chain.text(), "HERE"))));
  EXPECT_THAT(found, HasSubstr("kernel.cuh:" + std::to_string(line_of(chain.text(), "FIRST"))));
}

TEST(ProgrammaticLaunch, stores_too_early_to_what_the_launch_before_uses) {
  EXPECT_THAT(Chain{"  b[i] = 7; wait_for_previous_launch(); out[i] = a[i];"}.findings(),
              HasSubstr("store of 4 bytes"));
  EXPECT_THAT(Chain{"  atomicAdd(a + i, 1); wait_for_previous_launch(); out[i] = a[i];"}.findings(),
              HasSubstr("store of 4 bytes"));
}

TEST(ProgrammaticLaunch, waits_for_all_threads_of_a_block_if_a_barrier_follows) {
  EXPECT_EQ(Chain{"  if (threadIdx.x == 0) wait_for_previous_launch(); __syncthreads(); out[i] = a[i];"}.findings(),
            "");
  EXPECT_THAT(Chain{"  if (threadIdx.x == 0) wait_for_previous_launch(); out[i] = a[i];"}.findings(),
              HasSubstr("load of 4 bytes"));
  EXPECT_THAT(Chain{"  __syncthreads(); if (threadIdx.x == 0) wait_for_previous_launch(); out[i] = a[i];"}.findings(),
              HasSubstr("load of 4 bytes"));
}

TEST(ProgrammaticLaunch, waits_for_launches_before_the_one_before_only_if_that_one_does) {
  const std::string reads_first = "cudaGridDependencySynchronize(); out[i] = a[i] + 1;";
  EXPECT_EQ((Chain{.body = "  wait_for_previous_launch();", .third = reads_first}.findings()), "");
  EXPECT_EQ((Chain{.body = "", .third = "const int own = in[i]; cudaGridDependencySynchronize(); out[i] = own + 2;"}
                 .findings()),
            "");
  EXPECT_THAT((Chain{.body = "", .third = reads_first}.findings()), HasSubstr("may still run, writes it"));
}

TEST(ProgrammaticLaunch, is_one_only_if_the_plan_says_so) {
  EXPECT_EQ((Chain{.body = "  out[i] = a[i];", .programmatic = false}.findings()), "");
}

TEST(ProgrammaticLaunch, needs_sm_90_and_a_launch_before_it) {
  Chain chain{"  wait_for_previous_launch(); out[i] = a[i];"};
  std::vector<std::vector<std::byte>> contents(4, bytes_of(std::vector<int>(std::size_t{4} * block_threads, 1)));
  SimulationOptions options;
  options.device.compute_capability = 80;
  const Execution execution =
      simulate(chain.plan(), module_of(chain.text(), {"first", "second", "third"}), contents, options);
  ASSERT_FALSE(execution.findings.empty());
  EXPECT_THAT(execution.findings[0].message, HasSubstr("no programmatic dependent launches"));
  Plan plan = chain.plan();
  plan.steps.erase(plan.steps.begin());
  EXPECT_THAT(plan_fault(plan), HasSubstr("second is a programmatic launch, and no launch is directly before it"));
  EXPECT_EQ(plan_fault(chain.plan()), "");
}

}  // namespace
}  // namespace warpwright::simulator

// Launches that a device refuses, and kernels that are not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/host/kernel_fixture.hpp"

namespace warpwright::host {
namespace {

using testing::HasSubstr;

struct IllegalLaunch {
  Dim3 grid, block;
  std::uint32_t shared_bytes;
  const char* words;
};

TEST(Launches, illegal_launches_are_findings) {
  const std::string text = "__global__ void kernel(float* first, float* second) {}\n";
  for (const auto& [grid, block, shared_bytes, words] :
       {IllegalLaunch{{1, 1, 1}, {1025, 1, 1}, 0, "block of 1025"},
        IllegalLaunch{{1, 1, 1}, {32, 33, 1}, 0, "block of 32 x 33"},
        IllegalLaunch{{1, 1, 1}, {1, 1, 65}, 0, "65 threads"}, IllegalLaunch{{1, 65536, 1}, {1, 1, 1}, 0, "65536"},
        IllegalLaunch{{1, 1, 65536}, {1, 1, 1}, 0, "65536"}, IllegalLaunch{{0, 1, 1}, {1, 1, 1}, 0, "empty"},
        IllegalLaunch{{1, 1, 1}, {0, 1, 1}, 0, "empty"}, IllegalLaunch{{1, 1, 1}, {1, 1, 1}, 65537, "65537 bytes"}}) {
    Experiment experiment = two_buffers(text, 1, 4);
    experiment.grid = grid;
    experiment.block = block;
    experiment.shared_bytes = shared_bytes;
    const Execution execution = experiment.run();
    ASSERT_EQ(execution.findings.size(), 1u) << words;
    EXPECT_EQ(execution.findings[0].kind, FindingKind::illegal_launch);
    EXPECT_THAT(execution.findings[0].message, HasSubstr(words));
    EXPECT_EQ(execution.findings[0].entry, "kernel");
  }
}

TEST(Launches, shared_arrays_are_limited_more_than_dynamic_shared_memory) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ warpwright::shared_array<double, 6145> tile;
  tile[threadIdx.x] = second[threadIdx.x];
}
)",
                                      32, 32);
  EXPECT_THAT(experiment.run().findings.at(0).message, HasSubstr("more than 49152 bytes"));
}

TEST(Launches, too_much_static_shared_memory_is_an_illegal_launch) {
  const Execution execution = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ warpwright::shared_array<double, 10000> tile;
  tile[threadIdx.x] = second[threadIdx.x];
}
)",
                                          32, 32)
                                  .run();
  EXPECT_EQ(execution.findings.at(0).kind, FindingKind::illegal_launch);
}

TEST(Launches, arguments_that_are_not_the_kernels_are_an_illegal_launch) {
  Experiment experiment = two_buffers("__global__ void kernel(float* first, float* second, int n) {}\n", 1, 4);
  EXPECT_THAT(experiment.run().findings.at(0).message, HasSubstr("2 arguments for a kernel that takes 3"));
  experiment.values = {value(1.0)};
  EXPECT_THAT(experiment.run().findings.at(0).message,
              HasSubstr("argument 2 has 8 bytes, the kernel's parameter has 4"));
}

TEST(Launches, a_kernel_that_the_module_lacks_is_a_finding) {
  Experiment experiment = two_buffers("__global__ void kernel(float* first, float* second) {}\n", 1, 4);
  Plan plan = experiment.plan();
  std::get<Launch>(plan.steps[0].what).entry = "other";
  const Execution execution =
      execute(plan, module_of(experiment.text, {"kernel"}), experiment.contents, ExecuteOptions{});
  EXPECT_EQ(execution.findings.at(0).kind, FindingKind::unknown_entry);
}

TEST(Launches, after_a_fault_the_next_execution_is_clean) {
  const std::string text = R"(
__global__ void kernel(float* first, float* second) {
  __shared__ warpwright::shared_array<float, 256> tile;
  tile[threadIdx.x] = first[threadIdx.x + blockIdx.x];
  __syncthreads();
  second[threadIdx.x] = tile[255 - threadIdx.x];
}
)";
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Experiment bad = two_buffers(text, 256, 256);
    bad.grid = {2};
    EXPECT_EQ(words_of(bad.run(seed)), "out of bounds at 4");
    EXPECT_EQ(words_of(two_buffers(text, 256, 256).run(seed)), "");
  }
}

}  // namespace
}  // namespace warpwright::host

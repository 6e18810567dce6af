// Tests of launches that a device refuses, and of missing kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
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
  __shared__ double tile[6145];
  tile[threadIdx.x] = second[threadIdx.x];
}
)",
                                      32, 32);
  EXPECT_THAT(experiment.run().findings.at(0).message, HasSubstr("more than 49152 bytes"));
}

TEST(Launches, too_much_static_shared_memory_is_an_illegal_launch) {
  const Execution execution = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ double tile[10000];
  tile[threadIdx.x] = second[threadIdx.x];
}
)",
                                          32, 32)
                                  .run();
  EXPECT_EQ(execution.findings.at(0).kind, FindingKind::illegal_launch);
}

TEST(Launches, arguments_that_do_not_fit_the_kernel_are_refused_before_anything_runs) {
  Experiment experiment =
      two_buffers("__global__ void kernel(float* first, float* second, int n) { *first = 7; }\n", 1, 4);
  const auto before = experiment.contents;
  const auto refused = [&](std::vector<ValueArgument> values) {
    experiment.values = std::move(values);
    const Execution execution = experiment.run();
    EXPECT_EQ(summary_of(execution), "wrong arguments at 0");
    EXPECT_EQ(experiment.contents, before);
    return execution.findings.at(0).message;
  };
  EXPECT_EQ(refused({}), "kernel takes 3 arguments, the plan passes 2");
  EXPECT_EQ(refused({value(1), value(1)}), "kernel takes 3 arguments, the plan passes 4");
  EXPECT_EQ(refused({value(std::int64_t{1})}), "argument 3 of kernel is int, the plan passes long long");
  EXPECT_EQ(refused({value(1U)}), "argument 3 of kernel is int, the plan passes unsigned int");
  experiment.buffers[1].role = Role::in;
  EXPECT_EQ(refused({value(1)}), "argument 2 of kernel is float*, the plan passes const float*, the buffer second");
  experiment.buffers[1] = {.name = "second", .role = Role::out, .type = ElementType::i32, .count = 4};
  EXPECT_EQ(refused({value(1)}), "argument 2 of kernel is float*, the plan passes int*, the buffer second");
}

const std::string struct_text = R"(
namespace shop {
template <class T, int N>
struct window {
  T low, high;
  short step[N];
};
struct alignas(32) wide {
  unsigned char first;
};
template <class T>
__global__ void fill(T* out, unsigned char a, window<T, 3> w, wide b, bool c) {
  out[0] = a + w.low;
  out[1] = w.high + w.step[2];
  out[2] = b.first;
  out[3] = c;
  if (reinterpret_cast<unsigned long long>(&b) % 32 != 0) out[0] = -1;
}
struct everything {
  double values[511];
};
__global__ void most(double* out, everything all) { *out = all.values[510]; }
}
)";

template <class T>
struct Window {
  T low, high;
  short step[3];
};
struct alignas(32) Wide {
  unsigned char first;
};

Experiment struct_experiment() {
  Experiment experiment{.text = struct_text, .entry = "shop::fill<float>", .block = {1}};
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(4));
  experiment.values = {value_of("unsigned char", static_cast<unsigned char>(1)),
                       value_of("shop::window<float, 3>", Window<float>{2, 4, {0, 0, 8}}),
                       value_of("::shop::wide", Wide{16}), value_of("bool", true)};
  return experiment;
}

TEST(Launches, structs_are_passed_by_value_with_their_alignment) {
  Experiment experiment = struct_experiment();
  EXPECT_EQ(summary_of(experiment.run()), "");
  EXPECT_EQ(values_of<float>(experiment.contents[0]), (std::vector<float>{3, 12, 16, 1}));
}

TEST(Launches, a_struct_with_another_size_or_other_template_arguments_is_refused) {
  Experiment experiment = struct_experiment();
  experiment.values[1] = value_of("shop::window<float, 3>", Window<double>{});
  EXPECT_THAT(experiment.run().findings.at(0).message, HasSubstr("argument 3 of shop::fill<float> has 16 bytes"));
  experiment.values[1] = value_of("shop::window<float, 4>", Window<float>{});
  EXPECT_THAT(experiment.run().findings.at(0).message,
              HasSubstr("is shop::window<float, 3>, the plan passes shop::window<float, 4>"));
}

TEST(Launches, four_kilobytes_of_arguments_are_the_most) {
  std::vector<double> numbers(511);
  numbers[510] = 7;
  Experiment experiment{.text = struct_text, .entry = "shop::most", .block = {1}};
  experiment.with("out", Role::out, ElementType::f64, std::vector<double>(1));
  experiment.values = {{.type = "shop::everything", .bytes = bytes_of(numbers)}};
  EXPECT_EQ(summary_of(experiment.run()), "");
  EXPECT_EQ(values_of<double>(experiment.contents[0])[0], 7);
  experiment.values[0].bytes.resize(4089);
  EXPECT_THAT(experiment.run().findings.at(0).message, HasSubstr("take 4097 bytes"));
}

const std::string cluster_text = R"(
__global__ void kernel(float* first, float* second) {
  const int rank = blockIdx.x % 4;
  if (threadIdx.x == 0) atomicAdd(first + blockIdx.x / 4, 1.0f);
  while (atomicAdd(first + blockIdx.x / 4, 0.0f) < 5.0f) {}
  second[blockIdx.x] = rank;
}
)";

TEST(Launches, blocks_of_a_cluster_run_together_under_any_schedule) {
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment experiment = two_buffers(cluster_text, 1, 24);
    experiment.grid = {24};
    experiment.cluster = {4};
    SimulationOptions options;
    options.device.compute_capability = 90;
    options.schedule.seed = seed;
    const Execution execution = experiment.run(options);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
    for (std::size_t i = 0; i < 6; ++i) ASSERT_EQ(values_of<float>(experiment.contents[0])[i], 5);
    for (std::size_t i = 0; i < 24; ++i) ASSERT_EQ(values_of<float>(experiment.contents[1])[i], i % 4);
  }
}

TEST(Launches, clusters_that_a_device_refuses_are_illegal) {
  struct Refused {
    int compute_capability;
    Dim3 grid, cluster;
    const char* words;
  };
  for (const auto& [capability, grid, cluster, words] :
       {Refused{75, {4}, {2}, "sm_75 has no clusters"}, Refused{90, {16}, {16}, "over the limit of 8"},
        Refused{90, {6}, {4}, "no multiple of clusters"}, Refused{90, {4, 3}, {2, 2}, "no multiple of clusters"},
        Refused{90, {4}, {0}, "over the limit of 8"}}) {
    Experiment experiment = two_buffers("__global__ void kernel(float* first, float* second) {}\n", 1, 4);
    experiment.grid = grid;
    experiment.cluster = cluster;
    SimulationOptions options;
    options.device.compute_capability = capability;
    const Execution execution = experiment.run(options);
    ASSERT_EQ(summary_of(execution), "illegal launch at 0");
    EXPECT_THAT(execution.findings[0].message, HasSubstr(words));
  }
}

TEST(Launches, a_kernel_that_the_module_lacks_is_a_finding) {
  Experiment experiment = two_buffers("__global__ void kernel(float* first, float* second) {}\n", 1, 4);
  Plan plan = experiment.plan();
  std::get<Launch>(plan.steps[0].what).entry = "other";
  const Execution execution =
      simulate(plan, module_of(experiment.text, {"kernel"}), experiment.contents, SimulationOptions{});
  EXPECT_EQ(execution.findings.at(0).kind, FindingKind::unknown_entry);
}

TEST(Launches, after_a_fault_the_next_execution_is_clean) {
  const std::string text = R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float tile[256];
  tile[threadIdx.x] = first[threadIdx.x + blockIdx.x];
  __syncthreads();
  second[threadIdx.x] = tile[255 - threadIdx.x];
}
)";
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Experiment bad = two_buffers(text, 256, 256);
    bad.grid = {2};
    EXPECT_EQ(summary_of(bad.run(seed)), "out of bounds at 4");
    EXPECT_EQ(summary_of(two_buffers(text, 256, 256).run(seed)), "");
  }
}

}  // namespace
}  // namespace warpwright::simulator

// Faulty kernels: each kind of finding, with its line, block, thread and buffer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/host/kernel_fixture.hpp"

namespace warpwright::host {
namespace {

using testing::HasSubstr;

/// A kernel over two float buffers "first" and "second" of `count` elements.
Experiment two_buffers(const std::string& text, std::uint32_t block, std::size_t count) {
  Experiment experiment{.text = text, .entry = "kernel", .block = {block}};
  experiment.with("first", Role::inout, ElementType::f32, std::vector<float>(count, 1.0f));
  experiment.with("second", Role::inout, ElementType::f32, std::vector<float>(count, 2.0f));
  return experiment;
}

/// The only finding, or the first, after checking kind and line in many schedules.
Finding expect_finding(const Experiment& experiment, FindingKind kind, const std::string& marker = "HERE",
                       const ExecuteOptions& base = {}) {
  Finding finding;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Experiment copy = experiment;
    ExecuteOptions options = base;
    options.schedule.seed = seed;
    const Execution execution = copy.run(options);
    if (execution.findings.empty()) {
      ADD_FAILURE() << "nothing found under seed " << seed;
      continue;
    }
    finding = execution.findings[0];
    EXPECT_EQ(word_of(finding.kind), word_of(kind)) << describe(finding);
    EXPECT_EQ(finding.place.file, "kernel.cuh");
    EXPECT_EQ(finding.place.line, line_of(experiment.text, marker)) << describe(finding);
    EXPECT_EQ(finding.entry, experiment.entry);
  }
  return finding;
}

TEST(Faults, a_store_just_past_a_buffer_is_out_of_bounds_and_does_not_happen) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const int i = threadIdx.x;
  if (i <= 100) first[i] = 3.0f;  // HERE
}
)",
                                      128, 100);
  const Finding finding = expect_finding(experiment, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "first");
  EXPECT_EQ(finding.offset, 400);
  EXPECT_EQ(finding.place.thread, (Dim3{100, 0, 0}));
  EXPECT_THAT(finding.message, HasSubstr("store of 4 bytes 0 bytes past the end of buffer 'first' of 400 bytes"));
  experiment.run(1);
  EXPECT_EQ(values_of<float>(experiment.contents[1]), std::vector<float>(100, 2.0f));
}

TEST(Faults, a_load_before_a_buffer_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = second[static_cast<int>(threadIdx.x) - 1];  // HERE
}
)",
                                                     32, 64),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "second");
  EXPECT_EQ(finding.offset, -4);
}

TEST(Faults, a_wild_pointer_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = *reinterpret_cast<float*>(0x10);  // HERE
}
)",
                                                     1, 4),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "");
}

TEST(Faults, a_vector_load_that_hangs_over_the_end_is_out_of_bounds) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const auto four = warpwright::load_vector<4>(second + 4 * threadIdx.x);  // HERE
  first[threadIdx.x] = four[3];
}
)",
                             4, 15),
                 FindingKind::out_of_bounds);
}

TEST(Faults, an_atomic_past_the_end_is_out_of_bounds) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  atomicAdd(first + threadIdx.x, 1.0f);  // HERE
}
)",
                             5, 4),
                 FindingKind::out_of_bounds);
}

TEST(Faults, a_vector_load_from_an_odd_place_is_misaligned) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const float4 four = *reinterpret_cast<const float4*>(second + 1);  // HERE
  first[threadIdx.x] = four.x;
}
)",
                                                     1, 64),
                                         FindingKind::misaligned);
  EXPECT_EQ(finding.offset, 4);
}

TEST(Faults, a_store_to_an_input_is_found) {
  Experiment experiment{.text = R"(
__global__ void kernel(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
  const_cast<float*>(in)[threadIdx.x] = 0.0f;  // HERE
}
)",
                        .entry = "kernel"};
  experiment.with("in", Role::in, ElementType::f32, std::vector<float>(32, 1.0f));
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(32, 1.0f));
  EXPECT_EQ(expect_finding(experiment, FindingKind::input_written).buffer, "in");
}

TEST(Faults, an_index_past_a_row_of_a_shared_array_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ warpwright::shared_array<float, 4, 8> tile;
  tile[0][threadIdx.x] = second[threadIdx.x];  // HERE
}
)",
                                                     9, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "tile");
  EXPECT_THAT(finding.message, HasSubstr("index 8 in a dimension of 8"));
}

TEST(Faults, a_row_past_a_shared_array_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ warpwright::shared_array<float, 4, 8> tile;
  tile[static_cast<int>(threadIdx.x) - 1][2] = second[threadIdx.x];  // HERE
}
)",
                                                     3, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "tile");
  EXPECT_THAT(finding.message, HasSubstr("index -1 in a dimension of 4"));
}

TEST(Faults, a_pointer_from_one_shared_array_into_the_next_is_out_of_bounds) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ warpwright::shared_array<float, 32> left;
  __shared__ warpwright::shared_array<float, 32> right;
  left[threadIdx.x] = right[threadIdx.x] = 0;
  __syncthreads();
  float* const p = left.data();
  p[threadIdx.x + 1] = 1;  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::out_of_bounds);
  EXPECT_EQ(finding.buffer, "left");
  EXPECT_EQ(finding.offset, 128);
}

TEST(Faults, an_index_past_the_launched_shared_memory_is_out_of_bounds) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  float* const tile = warpwright::dynamic_shared<float>();
  tile[threadIdx.x] = second[threadIdx.x];  // HERE
}
)",
                                      32, 32);
  experiment.shared_bytes = 31 * 4;
  EXPECT_EQ(expect_finding(experiment, FindingKind::out_of_bounds).buffer, "dynamic shared memory");
}

TEST(Faults, plain_shared_variables_are_refused) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  __shared__ float tile[32];
  tile[threadIdx.x] = second[threadIdx.x];  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::plain_shared_variable);
  EXPECT_EQ(finding.buffer, "tile");
}

TEST(Faults, a_barrier_in_a_branch_diverges) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x < 16) {
    first[threadIdx.x] = 1;
    __syncthreads();  // HERE
  }
}
)",
                             32, 32),
                 FindingKind::barrier_divergence);
}

TEST(Faults, two_barriers_for_two_halves_of_a_block_diverge) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  first[threadIdx.x] = 1;
}
)",
                                      32, 32);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(execution.findings.size(), 1u);
    EXPECT_EQ(execution.findings[0].kind, FindingKind::barrier_divergence);
    EXPECT_EQ(execution.findings[0].place.line + execution.findings[0].other.line, 4 + 6);
  }
}

TEST(Faults, threads_that_left_may_pass_barriers_when_that_is_accepted) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x >= 20) return;
  first[threadIdx.x] = 1;
  __syncthreads();
  second[threadIdx.x] = first[19 - threadIdx.x];
}
)",
                                      32, 32);
  ExecuteOptions options;
  options.exited_threads_pass_barriers = true;
  EXPECT_EQ(words_of(experiment.run(options)), "");
}

TEST(Faults, a_mask_that_omits_its_caller_is_bad) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = __shfl_sync(0x0000ffffu, second[threadIdx.x], 0);  // HERE
}
)",
                             32, 32),
                 FindingKind::bad_warp_mask);
}

TEST(Faults, a_mask_that_names_lanes_beyond_the_block_is_bad) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = __shfl_down_sync(0xffffffffu, second[threadIdx.x], 1);  // HERE
}
)",
                             20, 32),
                 FindingKind::bad_warp_mask);
}

TEST(Faults, a_mask_that_names_lanes_that_left_is_bad) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x >= 20) return;
  first[threadIdx.x] = __any_sync(0xffffffffu, threadIdx.x == 3);  // HERE
}
)",
                             32, 32),
                 FindingKind::bad_warp_mask);
}

TEST(Faults, masks_of_one_warp_that_disagree_are_bad) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const unsigned mask = threadIdx.x < 16 ? 0xffffffffu : 0xffff0000u;
  first[threadIdx.x] = __ballot_sync(mask, 1);  // HERE
}
)",
                                      32, 32);
  expect_finding(experiment, FindingKind::bad_warp_mask);
}

TEST(Faults, a_shuffle_from_a_lane_that_takes_no_part_is_bad) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x < 16) first[threadIdx.x] = __shfl_down_sync(0x0000ffffu, second[threadIdx.x], 1);  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::bad_warp_mask);
  EXPECT_THAT(finding.message, HasSubstr("reads lane 16"));
}

TEST(Faults, a_warp_operation_that_half_of_the_warp_never_reaches_hangs) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x < 16) __syncwarp();  // HERE
  __syncthreads();
}
)",
                                                     32, 32),
                                         FindingKind::hang);
  EXPECT_THAT(finding.message, HasSubstr("16 wait in the warp operation at kernel.cuh:3"));
  EXPECT_THAT(finding.message, HasSubstr("16 wait in the barrier at kernel.cuh:4"));
}

TEST(Faults, polling_for_what_nobody_does_hangs) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  while (*reinterpret_cast<volatile float*>(first) == 1.0f) {}  // HERE
}
)",
                             1, 1),
                 FindingKind::hang);
}

TEST(Faults, blocks_that_wait_for_a_later_block_hang) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  volatile float* const flags = first;
  if (blockIdx.x + 1 < gridDim.x) {
    while (flags[blockIdx.x + 1] != 5.0f) {}  // HERE
  }
  flags[blockIdx.x] = 5.0f;
}
)",
                                      1, 64);
  experiment.grid = {64};
  EXPECT_EQ(words_of(experiment.run(0, 2)), "hang at 5");
  EXPECT_EQ(words_of(experiment.run(0, 64)), "");
}

TEST(Faults, an_endless_loop_reaches_the_step_limit) {
  ExecuteOptions options;
  options.limits.steps = 100'000;
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  for (int i = 0; i >= 0; i = (i + 1) % 2) first[i] += second[i];  // HERE
}
)",
                                                     1, 2),
                                         FindingKind::hang, "HERE", options);
  EXPECT_THAT(finding.message, HasSubstr("100000 steps"));
}

TEST(Faults, a_trap_is_found) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x == 7) __trap();  // HERE
}
)",
                             32, 32),
                 FindingKind::trap);
}

TEST(Faults, the_line_is_that_of_the_device_function_at_fault) {
  expect_finding(two_buffers(R"(
__device__ float pick(const float* from, int i) {
  return from[i];  // HERE
}
__global__ void kernel(float* first, float* second) { first[0] = pick(second, 32); }
)",
                             1, 32),
                 FindingKind::out_of_bounds);
}

struct IllegalLaunch {
  Dim3 grid, block;
  std::uint32_t shared_bytes;
  const char* words;
};

TEST(Faults, illegal_launches_are_findings) {
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

TEST(Faults, too_much_static_shared_memory_is_an_illegal_launch) {
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

TEST(Faults, arguments_that_are_not_the_kernels_are_an_illegal_launch) {
  Experiment experiment = two_buffers("__global__ void kernel(float* first, float* second, int n) {}\n", 1, 4);
  EXPECT_THAT(experiment.run().findings.at(0).message, HasSubstr("2 arguments for a kernel that takes 3"));
  experiment.values = {value(1.0)};
  EXPECT_THAT(experiment.run().findings.at(0).message,
              HasSubstr("argument 2 has 8 bytes, the kernel's parameter has 4"));
}

TEST(Faults, a_kernel_that_the_module_lacks_is_a_finding) {
  Experiment experiment = two_buffers("__global__ void kernel(float* first, float* second) {}\n", 1, 4);
  Plan plan = experiment.plan();
  std::get<Launch>(plan.steps[0].what).entry = "other";
  const Execution execution =
      execute(plan, module_of(experiment.text, {"kernel"}), experiment.contents, ExecuteOptions{});
  EXPECT_EQ(execution.findings.at(0).kind, FindingKind::unknown_entry);
}

TEST(Faults, after_a_fault_the_next_execution_is_clean) {
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

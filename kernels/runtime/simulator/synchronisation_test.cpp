// Tests of wrong barriers, warp operations and waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

TEST(Synchronisation, a_barrier_in_a_branch_diverges) {
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

TEST(Synchronisation, two_barriers_for_two_halves_of_a_block_diverge) {
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
    EXPECT_EQ(execution.findings[0].location.line + execution.findings[0].other.line, 4 + 6);
  }
}

TEST(Synchronisation, barriers_may_skip_exited_threads_if_that_is_accepted) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x >= 20) return;
  first[threadIdx.x] = 1;
  __syncthreads();
  second[threadIdx.x] = first[19 - threadIdx.x];
}
)",
                                      32, 32);
  SimulationOptions options;
  options.accept_exited_threads = true;
  EXPECT_EQ(summary_of(experiment.run(options)), "");
}

TEST(Synchronisation, warp_operations_may_name_exited_lanes_if_that_is_accepted) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x % 32 == 5) return;
  __syncwarp();
  first[threadIdx.x] = __ballot_sync(0xffffffffu, 1) == (threadIdx.x < 32 ? 0xffffffdfu : 0xffdfu);
  second[threadIdx.x] = __all_sync(0xffffffffu, 1);
}
)",
                                      48, 48);
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    SimulationOptions options;
    options.accept_exited_threads = true;
    options.schedule.seed = seed;
    EXPECT_EQ(summary_of(experiment.run(options)), "");
    std::vector<float> ones(48, 1.0f), expected = ones;
    expected[5] = expected[37] = 2.0f;
    EXPECT_EQ(values_of<float>(experiment.contents[0]), ones);
    EXPECT_EQ(values_of<float>(experiment.contents[1]), expected);
  }
}

TEST(Synchronisation, a_mask_that_omits_its_caller_is_bad) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = __shfl_sync(0x0000ffffu, second[threadIdx.x], 0);  // HERE
}
)",
                             32, 32),
                 FindingKind::bad_warp_mask);
}

TEST(Synchronisation, a_mask_that_names_lanes_beyond_the_block_is_bad) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  first[threadIdx.x] = __shfl_down_sync(0xffffffffu, second[threadIdx.x], 1);  // HERE
}
)",
                             20, 32),
                 FindingKind::bad_warp_mask);
}

TEST(Synchronisation, a_mask_that_names_exited_lanes_is_bad) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x >= 20) return;
  first[threadIdx.x] = __any_sync(0xffffffffu, threadIdx.x == 3);  // HERE
}
)",
                             32, 32),
                 FindingKind::bad_warp_mask);
}

TEST(Synchronisation, masks_of_one_warp_that_disagree_are_bad) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const unsigned mask = threadIdx.x < 16 ? 0xffffffffu : 0xffff0000u;
  first[threadIdx.x] = __ballot_sync(mask, 1);  // HERE
}
)",
                                      32, 32);
  expect_finding(experiment, FindingKind::bad_warp_mask);
}

TEST(Synchronisation, lanes_may_wait_for_others_that_are_still_in_an_operation_of_their_own) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  float x = second[threadIdx.x];
  if (threadIdx.x < 16) x += __shfl_xor_sync(0x0000ffffu, x, 1);
  __syncwarp();
  if (threadIdx.x % 4 == 0) x += __ballot_sync(0x11111111u, 1) == 0x11111111u;
  first[threadIdx.x] = __shfl_sync(0xffffffffu, x, 31 - threadIdx.x);
}
)",
                                      32, 32);
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    SimulationOptions options;
    options.schedule.seed = seed;
    EXPECT_EQ(summary_of(experiment.run(options)), "");
  }
}

TEST(Synchronisation, lanes_that_wait_for_each_other_in_different_operations_are_bad) {
  for (const std::string other : {"__ballot_sync(0xffffffffu, 1)", "__shfl_sync(0x0001ffffu, 1, 0)"})
    expect_finding(
        two_buffers(
            "__global__ void kernel(float* first, float* second) {\n  first[threadIdx.x] = threadIdx.x < 16 ? " +
                other + " : __any_sync(0xffffffffu, 1);  // HERE\n}\n",
            32, 32),
        FindingKind::bad_warp_mask);
}

TEST(Synchronisation, a_warp_operation_that_half_of_the_warp_never_reaches_hangs) {
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

TEST(Synchronisation, polling_for_a_store_that_never_comes_hangs) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  while (*reinterpret_cast<volatile float*>(first) == 1.0f) {}  // HERE
}
)",
                             1, 1),
                 FindingKind::hang);
}

TEST(Synchronisation, a_lock_that_is_never_released_hangs) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  while (atomicCAS(reinterpret_cast<unsigned*>(first), 0u, 1u) != 0u) {}  // HERE
}
)",
                             2, 1),
                 FindingKind::hang);
}

TEST(Synchronisation, many_atomics_on_one_location_are_no_hang) {
  Experiment experiment = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  for (int i = 0; i < 30000; ++i) atomicAdd(reinterpret_cast<unsigned*>(first), 1u);
}
)",
                                      64, 1);
  EXPECT_EQ(summary_of(experiment.run()), "");
}

TEST(Synchronisation, blocks_that_wait_for_a_later_block_hang) {
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
  EXPECT_EQ(summary_of(experiment.run(0, 2)), "hang at 5");
  EXPECT_EQ(summary_of(experiment.run(0, 64)), "");
}

TEST(Synchronisation, an_endless_loop_that_changes_memory_reaches_the_limit_which_proves_nothing) {
  SimulationOptions options;
  options.limits.steps = 100'000;
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  for (int i = 0; i >= 0; i = (i + 1) % 2) first[i] += second[i];  // HERE
}
)",
                                                     1, 2),
                                         FindingKind::too_much_work, "HERE", options);
  EXPECT_EQ(finding.message, "stopped after 100000 memory accesses and waits");
}

TEST(Synchronisation, an_endless_loop_without_accesses_is_found) {
  const std::string text = R"(
__global__ void kernel(float* first, float* second) {
  unsigned n = threadIdx.x + 2;
  while (n != 1) n = n % 2 == 0 ? n + 2 : n + 4;  // HERE
  first[threadIdx.x] = n;
}
)";
  for (const bool count : {false, true}) {
    SimulationOptions options;
    options.limits.blocks = 1'000'000;
    options.count_accesses = count;
    const Finding finding = expect_finding(two_buffers(text, 4, 4), FindingKind::too_much_work, "HERE", options);
    EXPECT_EQ(finding.message, "stopped after 1000000 basic blocks of one launch");
  }
}

TEST(Synchronisation, a_barrier_names_an_exited_thread) {
  const Execution execution = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x == 9) return;
  __syncthreads();
}
)",
                                          32, 32)
                                  .run();
  ASSERT_EQ(summary_of(execution), "barrier divergence at 4");
  EXPECT_THAT(execution.findings[0].message, HasSubstr("thread (9, 0, 0)"));
}

/// A chain of blocks, each waiting for the one before it; `number` is a block's index in the chain.
std::string chain(const std::string& number) {
  return "__shared__ unsigned place[1];\nif (threadIdx.x == 0) {\n  place[0] = " + number +
         ";\n  if (place[0] > 0) while (*(volatile unsigned*)(flags + place[0]) == 0) {}  // WAIT\n"
         "  __threadfence();\n  atomicExch(flags + place[0] + 1, 1u);\n}";
}

TEST(Synchronisation, blocks_that_wait_by_their_index_hang_under_orders_that_hardware_may_choose) {
  const Experiment by_index = over_buffers(chain("blockIdx.x"), {80}, {32});
  int hangs = 0, alone = 0;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment drawn = by_index, one_resident = by_index;
    hangs += summary_of(drawn.run(seed)) == "hang at 5" ? 1 : 0;
    alone += summary_of(one_resident.run(seed, 1)) == "hang at 5" ? 1 : 0;
  }
  EXPECT_GT(hangs, static_cast<int>(test_seeds) / 4);
  EXPECT_GT(alone, static_cast<int>(test_seeds) / 4);
}

TEST(Synchronisation, blocks_that_wait_by_a_ticket_never_hang) {
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    for (const int resident : {0, 1}) {
      Experiment by_ticket = over_buffers(chain("atomicAdd(flags + 100, 1u)"), {80}, {32});
      EXPECT_EQ(summary_of(by_ticket.run(seed, resident)), "");
    }
  }
}

TEST(Synchronisation, a_trap_is_found) {
  expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x == 7) __trap();  // HERE
}
)",
                             32, 32),
                 FindingKind::trap);
}

TEST(Synchronisation, a_barrier_in_a_helper_that_both_branches_call_is_divergent) {
  for (const char* const condition : {"threadIdx.x < 32", "threadIdx.x % 2 == 0"}) {
    const Finding finding = expect_finding(two_buffers(std::string(R"(
__device__ void helper() { __syncthreads(); }  // HERE
__device__ void outer(float* value) {
  *value += 1;
  helper();
}
__global__ void kernel(float* first, float* second) {
  if ()") + condition + R"()
    outer(first + threadIdx.x);
  else
    outer(second + threadIdx.x);
}
)",
                                                       64, 64),
                                           FindingKind::barrier_divergence);
    EXPECT_THAT(finding.message, HasSubstr("called at kernel.cuh:"));
  }
}

TEST(Synchronisation, a_barrier_in_a_helper_that_all_threads_call_is_right) {
  expect_silent(two_buffers(R"(
__device__ void helper() { __syncthreads(); }
__device__ float sum(float* tile, int from) {
  helper();
  const float value = tile[from];
  helper();
  return value;
}
__global__ void kernel(float* first, float* second) {
  __shared__ float tile[64];
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = first[threadIdx.x] + round;
    second[threadIdx.x] += round == 1 ? sum(tile, 63 - threadIdx.x) : sum(tile, threadIdx.x);
  }
}
)",
                            64, 64));
}

TEST(Synchronisation, an_integer_divided_by_zero_is_found_with_its_line) {
  for (const char* const expression : {"7 / zero", "7 % zero", "7LL / zero", "(-2147483647 - 1) / (zero - 1)"}) {
    Experiment experiment = two_buffers(std::string(R"(
__global__ void kernel(float* first, float* second) {
  const int zero = static_cast<int>(first[threadIdx.x]) - 1;
  second[threadIdx.x] = static_cast<float>()") +
                                            expression +
                                            R"();  // HERE
}
)",
                                        32, 32);
    EXPECT_THAT(expect_finding(experiment, FindingKind::trap).message, HasSubstr("divided by zero")) << expression;
    EXPECT_FALSE(experiment.run(2).clean()) << "once more on the same stacks";
  }
}

}  // namespace
}  // namespace warpwright::simulator

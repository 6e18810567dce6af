// Tests of variables of device code: __device__, __managed__, __constant__ and static ones are checked like buffers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// A kernel with that body over the buffers of over_buffers, with declarations before it, which are on line 1.
Experiment with_variables(const std::string& declarations, const std::string& body, Dim3 grid = {4},
                          Dim3 block = {64}) {
  Experiment experiment = over_buffers(body, grid, block, 256);
  experiment.text = declarations + "\n" + experiment.text;
  return experiment;
}

Execution run_keeping(Experiment& experiment) {
  SimulationOptions options;
  options.keeps_state = true;
  return experiment.run(options);
}

TEST(ModuleMemory, UnorderedStoresToAVariableRace) {
  const Finding finding =
      expect_finding(with_variables("__device__ int total;", "  total += a[threadIdx.x];  // HERE"), FindingKind::race);
  EXPECT_EQ(finding.buffer, "total");
  EXPECT_THAT(finding.message, HasSubstr("at byte 0 of variable 'total' of 4 bytes races with a"));
}

TEST(ModuleMemory, AtomicUpdatesOfAVariableDoNotRace) {
  expect_silent(with_variables("__device__ int total[2];",
                               "  if (threadIdx.x == 0) b[blockIdx.x] = 0;\n"
                               "  atomicAdd(&total[1], 1);\n"
                               "  atomicSub(&total[1], 1);"));
}

TEST(ModuleMemory, StaticLocalsManagedAndHiddenVariablesRaceToo) {
  expect_finding(with_variables("", "  static int last;\n  last = threadIdx.x;  // HERE\n  b[threadIdx.x] = 1;"),
                 FindingKind::race);
  expect_finding(with_variables("__managed__ int last[8];", "  last[threadIdx.x % 8] = threadIdx.x;  // HERE"),
                 FindingKind::race);
  expect_finding(with_variables("namespace { __device__ int last[2] = {1, 2}; }",
                                "  last[1] += threadIdx.x;  // HERE\n  if (last[0] == 7) b[0] = last[1];"),
                 FindingKind::race);
  expect_finding(with_variables("template <class T> __device__ T last;",
                                "  last<int> = threadIdx.x;  // HERE\n  if (a[0] == 7) b[0] = last<int>;"),
                 FindingKind::race);
}

/// A sum under a lock, all of it in variables.
Experiment locked_sum(const std::string& before, const std::string& after) {
  return with_variables("__device__ int lock; __device__ int sum;",
                        "  if (threadIdx.x == 0) {\n"
                        "    while (atomicCAS(&lock, 0, 1) != 0) {}\n    " +
                            before +
                            "\n"
                            "    sum = sum + 1;  // HERE\n"
                            "    if (sum == 4) { b[0] = sum; sum = 0; }\n    " +
                            after +
                            "\n"
                            "    atomicExch(&lock, 0);\n  }");
}

TEST(ModuleMemory, ALockWithFencesOrdersVariables) {
  Experiment experiment = locked_sum("__threadfence();", "__threadfence();");
  expect_silent(experiment);
  EXPECT_EQ(summary_of(experiment.run(3)), "");
  EXPECT_EQ(values_of<int>(experiment.contents[1])[0], 4);
}

TEST(ModuleMemory, ALockWithoutFenceOrdersNothing) {
  EXPECT_FALSE(races_of(locked_sum("__threadfence();", "")).empty());
  EXPECT_FALSE(races_of(locked_sum("", "__threadfence();")).empty());
}

TEST(ModuleMemory, ThreadsMaySpinOnAVariable) {
  const std::string declarations = "__device__ volatile int ready; __device__ int sent;";
  const std::string body =
      "  if (threadIdx.x != 0) return;\n"
      "  if (blockIdx.x == 1) {\n    sent = 7;\n    __threadfence();\n    ready = 1;\n"
      "    while (ready != 2) {}\n    ready = 0;\n  } else {\n"
      "    while (ready != 1) {}\n    __threadfence();\n    b[0] = sent;\n    ready = 2;\n  }";
  for (const std::uint64_t seed : {0, 1, 2, 3, 4, 5}) {
    Experiment experiment = with_variables(declarations, body, {2}, {32});
    EXPECT_EQ(summary_of(run_keeping(experiment)), "") << seed;
    EXPECT_EQ(values_of<int>(experiment.contents[1])[0], 7);
  }
}

TEST(ModuleMemory, ASpinThatNeverEndsHangs) {
  const Finding finding = expect_finding(
      with_variables("__device__ volatile int ready;", "  while (ready == 0) {}  // HERE\n  b[0] = 1;", {1}, {1}),
      FindingKind::hang);
  EXPECT_THAT(finding.message, HasSubstr("variable 'ready'"));
}

/// The block that is last adds up what all blocks stored.
Experiment last_block(const std::string& fence, const std::string& count) {
  return with_variables("__device__ unsigned done; __device__ int parts[4];",
                        "  __shared__ bool is_last;\n"
                        "  if (threadIdx.x == 0) {\n"
                        "    parts[blockIdx.x] = a[blockIdx.x];\n    " +
                            fence + "\n    is_last = " + count +
                            " == gridDim.x - 1;  // COUNT\n"
                            "  }\n"
                            "  __syncthreads();\n"
                            "  if (is_last && threadIdx.x == 0) {\n    " +
                            fence +
                            "\n"
                            "    int sum = 0;\n"
                            "    for (int i = 0; i < gridDim.x; ++i) sum += parts[i];\n"
                            "    b[0] = sum;\n"
                            "  }");
}

TEST(ModuleMemory, TheLastBlockReadsTheOthersVariables) {
  Experiment experiment = last_block("__threadfence();", "atomicInc(&done, gridDim.x - 1)");
  expect_silent(experiment);
  EXPECT_EQ(summary_of(experiment.run(5)), "");
  EXPECT_EQ(values_of<int>(experiment.contents[1])[0], 4);
}

TEST(ModuleMemory, TheLastBlockNeedsFences) {
  EXPECT_FALSE(races_of(last_block("", "atomicInc(&done, gridDim.x - 1)")).empty());
}

TEST(ModuleMemory, ACounterThatIsNotResetCountsOnInALaterRun) {
  Experiment experiment = last_block("__threadfence();", "atomicAdd(&done, 1u)");
  const Finding finding = expect_finding(experiment, FindingKind::kept_state, "COUNT");
  EXPECT_EQ(finding.buffer, "done");
  EXPECT_THAT(finding.message, HasSubstr("variable 'done' of 4 bytes reads what an earlier run of the kernel left there"
                                         ": byte 0 is 0x4, and was 0x0 before that run"));
}

TEST(ModuleMemory, AKernelMayStateThatItKeepsState) {
  Experiment experiment = last_block("__threadfence();", "atomicAdd(&done, 1u)");
  const Execution execution = run_keeping(experiment);
  EXPECT_EQ(summary_of(execution), "");
  EXPECT_EQ(values_of<int>(experiment.contents[1])[0], 4);
  ASSERT_EQ(execution.second_buffers.size(), 4u);
  EXPECT_EQ(values_of<int>(execution.second_buffers[1])[0], 0) << "no block is the last one of a second run";
}

TEST(ModuleMemory, EveryRunStartsWithInitialValues) {
  Experiment experiment =
      with_variables("__device__ int first = 5, zero; __device__ int* kept;",
                     "  if (kept == nullptr) b[0] = first + zero;\n  first = 9;\n  zero = 4;\n  kept = a;", {1}, {1});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(summary_of(run_keeping(experiment)), "");
    EXPECT_EQ(values_of<int>(experiment.contents[1])[0], 5);
  }
}

TEST(ModuleMemory, AVariableThatEachRunWritesFirstIsScratchMemory) {
  const std::string body =
      "  parts[threadIdx.x] = a[threadIdx.x] + blockIdx.x;\n  __syncthreads();\n"
      "  b[threadIdx.x] = parts[threadIdx.x ^ 1];";
  Experiment experiment = with_variables("__device__ int parts[64];", body, {1});
  expect_silent(experiment);
  const Execution execution = experiment.run();
  ASSERT_EQ(execution.second_buffers.size(), 4u) << "other values were left, so the plan ran again";
  EXPECT_EQ(execution.second_buffers[1], experiment.contents[1]);
}

TEST(ModuleMemory, VariablesHaveBounds) {
  const Finding finding =
      expect_finding(with_variables("__device__ int values[16];",
                                    "  int* const p = values;\n  p[threadIdx.x + a[0] - 1] = 3;  // HERE", {1}, {17}),
                     FindingKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("0 bytes past the end of variable 'values' of 64 bytes"));
  expect_finding(with_variables("__device__ int values[16], others[16];",
                                "  int* const p = others;\n  b[0] = p[a[0] - 4] + values[0];  // HERE", {1}, {1}),
                 FindingKind::out_of_bounds);
}

TEST(ModuleMemory, AConstantIsNotWritten) {
  const Finding finding = expect_finding(with_variables("static __constant__ int weights[4] = {1, 2, 3, 4};",
                                                        "  b[0] = weights[1];\n  weights[0] = 5;  // HERE", {1}, {1}),
                                         FindingKind::input_written);
  EXPECT_EQ(
      finding.message,
      "store of 4 bytes at byte 0 of __constant__ variable 'weights' of 16 bytes, which device code cannot write");
}

TEST(ModuleMemory, AShortNameIsNoType) {
  const Finding finding =
      expect_finding(with_variables("__device__ char x;", "  x = threadIdx.x;  // HERE"), FindingKind::race);
  EXPECT_THAT(finding.message, HasSubstr("variable 'x' of 1 bytes"));
}

TEST(ModuleMemory, OnlyTouchedPartsOfALargeVariableCostMemory) {
  Experiment experiment =
      with_variables("__device__ int values[1 << 26];",
                     "  values[threadIdx.x << 20] = 1;\n  b[threadIdx.x] = values[threadIdx.x << 20];", {1}, {64});
  EXPECT_EQ(summary_of(run_keeping(experiment)), "");
}

}  // namespace
}  // namespace warpwright::simulator

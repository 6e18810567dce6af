// Tests of reads of unwritten memory, and of the results of incomplete shuffles.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

TEST(Uninitialised, global_memory_that_nobody_wrote_is_found) {
  const std::string expected = "uninitialised read at 2";
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    EXPECT_EQ(summary_of(over_buffers("a[threadIdx.x] = s[threadIdx.x];", {1}, {32}).run(seed)), expected);
    EXPECT_EQ(summary_of(over_buffers("a[threadIdx.x] = b[threadIdx.x];", {1}, {32}).run(seed)), expected);
    EXPECT_EQ(summary_of(over_buffers("atomicAdd(s + threadIdx.x, 1);", {1}, {32}).run(seed)), expected);
  }
  expect_silent(over_buffers("s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x];", {1}, {32}));
}

TEST(Uninitialised, shared_memory_is_new_in_every_block) {
  const std::string text =
      "__shared__ int x[32];\n"
      "if (blockIdx.x == 0) x[threadIdx.x] = 1;\nb[blockIdx.x * 32 + threadIdx.x] = x[threadIdx.x];";
  Experiment experiment = over_buffers(text, {2}, {32});
  const Execution execution = experiment.run(0, 1);
  EXPECT_EQ(summary_of(execution), "uninitialised read at 4");
  EXPECT_EQ(execution.findings[0].buffer, "x");
  EXPECT_EQ(execution.findings[0].location.block, (Dim3{1, 0, 0}));
}

TEST(Uninitialised, bytes_are_distinguished) {
  EXPECT_EQ(summary_of(over_buffers("reinterpret_cast<char*>(s)[0] = 1; a[0] = s[0];", {1}, {1}).run()),
            "uninitialised read at 2");
  EXPECT_EQ(summary_of(over_buffers("for (int i = 0; i < 3; ++i) s[i] = i;\n"
                                    "warpwright::store_vector(a, warpwright::load_vector<4>(s));",
                                    {1}, {1})
                           .run()),
            "uninitialised read at 3");
  expect_silent(
      over_buffers("for (int i = 0; i < 16; ++i) reinterpret_cast<char*>(s)[i] = i;\n"
                   "warpwright::store_vector(a, warpwright::load_vector<4>(s));",
                   {1}, {1}));
}

TEST(Uninitialised, a_missing_barrier_names_the_store_that_comes_later) {
  const std::string body =
      "__shared__ int tile[64];\ntile[threadIdx.x] = threadIdx.x;  // STORE\n"
      "b[threadIdx.x] = tile[threadIdx.x ^ 32];  // LOAD";
  Experiment experiment = over_buffers(body, {1}, {64});
  const Execution execution = experiment.run();
  ASSERT_EQ(execution.findings.front().kind, FindingKind::uninitialised_read) << summary_of(execution);
  const Finding& finding = execution.findings.front();
  const int store = line_of(experiment.text, "STORE");
  EXPECT_EQ(finding.other.line, store);
  EXPECT_EQ(finding.message, fmt::format("load of 4 bytes at byte 128 of shared array 'tile' of 256 bytes that is not "
                                         "written yet: line {} writes it, and no barrier or fence orders the two",
                                         store));
}

TEST(Uninitialised, memory_that_is_never_written_names_no_store) {
  Experiment experiment = over_buffers(
      "__shared__ int tile[65];\ntile[threadIdx.x] = threadIdx.x;\n__syncthreads();\n"
      "b[threadIdx.x] = tile[threadIdx.x + 1];",
      {1}, {64});
  const Execution execution = experiment.run();
  ASSERT_EQ(summary_of(execution), "uninitialised read at 5");
  EXPECT_THAT(execution.findings.front().message, HasSubstr("of 260 bytes that nobody wrote"));
  EXPECT_EQ(execution.findings.front().other.line, 0);
}

TEST(Uninitialised, steps_of_the_plan_write_too) {
  Experiment experiment = over_buffers("a[threadIdx.x] = s[threadIdx.x];", {1}, {32}, 32);
  Plan plan = experiment.plan();
  std::vector<Step> steps(2);
  steps[0].what = Memset{.buffer = "s", .count = 32, .value = value(0)};
  steps[1] = plan.steps[0];
  plan.steps = steps;
  EXPECT_EQ(summary_of(simulate(plan, module_of(experiment.text, {"kernel"}), experiment.contents)), "");
  plan.steps[0].what = Copy{.from = "a", .to = "s", .bytes = 128};
  EXPECT_EQ(summary_of(simulate(plan, module_of(experiment.text, {"kernel"}), experiment.contents)), "");
  plan.steps[0].what = Copy{.from = "b", .to = "s", .bytes = 128};
  EXPECT_EQ(summary_of(simulate(plan, module_of(experiment.text, {"kernel"}), experiment.contents)),
            "uninitialised read at 2");
  plan.steps[0].what = Memset{.buffer = "s", .count = 31, .value = value(0)};
  EXPECT_EQ(summary_of(simulate(plan, module_of(experiment.text, {"kernel"}), experiment.contents)),
            "uninitialised read at 2");
}

TEST(Uninitialised, scratch_that_is_zeroed_is_written) {
  Experiment experiment = over_buffers("a[threadIdx.x] = s[threadIdx.x];", {1}, {32});
  experiment.buffers[3].self_restoring = true;
  experiment.contents[3].clear();
  expect_silent(experiment);
}

TEST(Uninitialised, a_float_local_in_an_output_is_found_where_it_is_stored) {
  const Finding finding = expect_finding(two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  float sum;
  for (int i = 0; i < 8; ++i) sum += second[i];
  if (threadIdx.x == 5) first[7] = sum;  // HERE
}
)",
                                                     32, 32),
                                         FindingKind::uninitialised_local);
  EXPECT_EQ(finding.buffer, "first");
  EXPECT_EQ(finding.offset, 28);
  EXPECT_EQ(finding.location.thread, (Dim3{5, 0, 0}));
}

TEST(Uninitialised, an_input_with_the_same_bits_is_no_local) {
  Experiment experiment = two_buffers(
      "__global__ void kernel(float* first, float* second) { first[threadIdx.x] = second[threadIdx.x]; }\n", 32, 32);
  experiment.contents[1].assign(128, std::byte{uninitialised_byte});
  expect_silent(experiment);
}

TEST(Uninitialised, a_local_as_index_or_pointer_is_out_of_bounds_with_a_hint) {
  for (const std::string body : {"int i;\n  first[0] = second[i + 3];  // HERE",
                                 "unsigned i;\n  first[i] = 1;  // HERE", "float* p;\n  p[1] = 1;  // HERE",
                                 "__shared__ float tile[64];\n  int i;\n"
                                 "  tile[i] = 1;  // HERE"}) {
    const Finding finding =
        expect_finding(two_buffers("__global__ void kernel(float* first, float* second) {\n  " + body + "\n}\n", 1, 64),
                       FindingKind::out_of_bounds);
    EXPECT_THAT(finding.message, HasSubstr("as with an index or pointer that nobody initialised"));
  }
  const Finding other = expect_finding(
      two_buffers("__global__ void kernel(float* first, float* second) {\n  first[64] = 1;  // HERE\n}\n", 1, 64),
      FindingKind::out_of_bounds);
  EXPECT_THAT(other.message, testing::Not(HasSubstr("nobody initialised")));
}

/// The first half of a warp adds up its values by shuffles; `last` is the code that uses the sums.
std::string half_a_warp(const std::string& type, const std::string& last) {
  return "__global__ void kernel(float* first, float* second) {\n  if (threadIdx.x >= 16) return;\n  " + type +
         " sum = second[threadIdx.x];\n  for (int d = 8; d > 0; d /= 2) sum += __shfl_down_sync(0x0000ffffu, sum, d);  "
         "// SHUFFLE\n  " +
         last + "\n}\n";
}

SimulationOptions with_exits() {
  SimulationOptions options;
  options.accept_exited_threads = true;
  return options;
}

TEST(Uninitialised, a_shuffle_from_an_inactive_lane_is_right_if_its_result_is_unused) {
  for (const std::string type : {"float", "int", "double"})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Experiment experiment = two_buffers(half_a_warp(type, "if (threadIdx.x == 0) first[0] = sum;"), 32, 32);
      SimulationOptions options = with_exits();
      options.schedule.seed = seed;
      EXPECT_EQ(summary_of(experiment.run(options)), "");
      EXPECT_EQ(values_of<float>(experiment.contents[0])[0], 32);
    }
}

TEST(Uninitialised, the_poison_of_a_shuffle_in_an_output_is_found_with_its_origin) {
  const std::string text = R"(
__global__ void kernel(float* first, float* second) {
  if (threadIdx.x >= 16) return;
  const float next = __shfl_down_sync(0x0000ffffu, second[threadIdx.x], 1);
  first[threadIdx.x] = next;  // HERE
}
)";
  const Finding finding =
      expect_finding(two_buffers(text, 32, 32), FindingKind::uninitialised_local, "HERE", with_exits());
  EXPECT_EQ(finding.offset, 15 * 4);
  const Execution execution = two_buffers(text, 32, 32).run(with_exits());
  EXPECT_THAT(execution.hints_text(), HasSubstr("__shfl_down_sync with mask 0x0000ffff at kernel.cuh:4"));
  EXPECT_THAT(execution.hints_text(), HasSubstr("reads lane 16, which takes no part"));
}

TEST(Uninitialised, the_poison_of_a_shuffle_as_an_index_is_out_of_bounds_and_as_an_integer_a_wrong_value) {
  const std::string index = "__shfl_down_sync(0x0000ffffu, static_cast<int>(threadIdx.x), 8)";
  const Finding finding =
      expect_finding(two_buffers("__global__ void kernel(float* first, float* second) {\n  if (threadIdx.x < 16)\n    "
                                 "first[threadIdx.x] = second[" +
                                     index + "];  // HERE\n}\n",
                                 32, 32),
                     FindingKind::out_of_bounds);
  Experiment wrong = two_buffers(
      "__global__ void kernel(float* first, float* second) {\n  if (threadIdx.x < 16)\n    "
      "reinterpret_cast<int*>(first)[threadIdx.x] = 1 + " +
          index + ";\n}\n",
      32, 32);
  const Execution execution = wrong.run();
  EXPECT_EQ(summary_of(execution), "");
  EXPECT_THAT(execution.hints_text(), HasSubstr("reads lane 16, which takes no part"));
  EXPECT_NE(values_of<int>(wrong.contents[0])[8], 1 + 16);
}

TEST(Uninitialised, shared_memory_of_a_block_is_unwritten_for_the_next_block) {
  const std::string text =
      "__shared__ int x[32];\n"
      "if (blockIdx.x == 0) { x[threadIdx.x] = 1; *reinterpret_cast<int**>(s) = x; }\n"
      "else b[threadIdx.x] = (*reinterpret_cast<int**>(s))[threadIdx.x];";
  Experiment experiment = over_buffers(text, {2}, {1});
  const Execution execution = experiment.run(0, 1);
  EXPECT_THAT(summary_of(execution), HasSubstr("uninitialised read at 4"));
}

}  // namespace
}  // namespace warpwright::simulator

// Tests of data races: found under every schedule, and never reported if there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

using Lines = std::set<std::pair<int, int>>;

TEST(Races, a_missing_barrier_is_a_race_in_shared_memory) {
  const std::string with_barrier = R"(__shared__ int tile[64];
tile[threadIdx.x] = a[threadIdx.x];
__syncthreads();
b[threadIdx.x] = tile[63 - threadIdx.x];)";
  expect_silent(over_buffers(with_barrier, {1}, {64}));
  std::string without = with_barrier;
  without.replace(without.find("__syncthreads()"), 15, "");
  EXPECT_EQ(races_of(over_buffers(without, {1}, {64})), (Lines{{3, 5}}));
}

TEST(Races, a_read_before_an_overwrite_needs_a_barrier_too) {
  const std::string right = R"(__shared__ int tile[64];
tile[threadIdx.x] = a[threadIdx.x];
__syncthreads();
for (int d = 1; d < 64; d *= 2) {
  const int other = threadIdx.x >= d ? tile[threadIdx.x - d] : 0;
  __syncthreads();  // BEFORE
  tile[threadIdx.x] += other;
  __syncthreads();  // AFTER
}
b[threadIdx.x] = tile[threadIdx.x];)";
  expect_silent(over_buffers(right, {1}, {64}));
  for (const std::string marker : {"__syncthreads();  // BEFORE", "__syncthreads();  // AFTER"}) {
    std::string wrong = right;
    wrong.replace(wrong.find(marker), marker.size(), "");
    races_of(over_buffers(wrong, {1}, {64}));
  }
}

TEST(Races, every_thread_of_a_broadcast_is_remembered) {
  for (const int writer : {0, 5, 31, 32, 63}) {
    races_of(
        over_buffers("__shared__ int x[1];\n"
                     "if (threadIdx.x == 0) x[0] = 1;\n__syncthreads();\n"
                     "b[threadIdx.x] = x[0];\n"
                     "if (threadIdx.x == " +
                         std::to_string(writer) + ") x[0] = 2;",
                     {1}, {64}));
  }
}

/// In the block that comes first, the first warp reads a location, and one of its lanes signals this after a fence. A
/// thread elsewhere sees the signal and stores to the location.
Experiment read_by_a_warp(int lane, const std::string& before_the_fence, Dim3 grid, const std::string& writer,
                          const std::string& second_warp = "", int told = 0) {
  const std::string text =
      "__shared__ unsigned turn;\nvolatile unsigned* flag = flags;\n"
      "if (threadIdx.x == 0) turn = atomicAdd(flags + 8, 1);\n__syncthreads();\n"
      "if (turn == 0 && threadIdx.x < 32) {\n  b[threadIdx.x] = a[0];\n" +
      before_the_fence + "\n  if (threadIdx.x == " + std::to_string(lane) + ") { __threadfence(); flag[0] = 1; }\n}\n" +
      second_warp + "\nif (" + writer + ") { while (flag[" + std::to_string(told) +
      "] == 0) {} __threadfence(); a[0] = 2; }  // HERE\n";
  return over_buffers(text, grid, {96});
}

TEST(Races, the_signalling_lanes_fence_must_come_after_the_reads_of_all_lanes) {
  const std::pair<Dim3, std::string> writers[] = {{{1}, "threadIdx.x == 64"}, {{2}, "turn == 1 && threadIdx.x == 0"}};
  for (const auto& [grid, writer] : writers)
    for (const int lane : {0, 17, 31}) {
      expect_finding(read_by_a_warp(lane, "", grid, writer), FindingKind::race, "HERE", {});
      expect_silent(read_by_a_warp(lane, "__syncwarp();", grid, writer));
    }
}

TEST(Races, the_same_holds_for_every_lane_of_the_last_but_one_warp) {
  const std::string later = R"(if (threadIdx.x / 32 == 1) {
  while (flag[0] == 0) {}
  __threadfence();
  b[threadIdx.x] = a[0];
  __syncwarp();
  if (threadIdx.x == 32) { __threadfence(); flag[1] = 1; }
})";
  const std::string writer = "threadIdx.x == 64";
  expect_finding(read_by_a_warp(31, "", {1}, writer, later, 1), FindingKind::race, "HERE", {});
  expect_silent(read_by_a_warp(31, "__syncwarp();", {1}, writer, later, 1));
}

TEST(Races, a_warp_tail_needs_syncwarp) {
  const std::string right = R"(__shared__ int tile[64];
tile[threadIdx.x] = a[threadIdx.x];
__syncthreads();
if (threadIdx.x < 32) {
  for (int d = 32; d > 0; d /= 2) {
    const int other = tile[threadIdx.x + d];
    __syncwarp();
    tile[threadIdx.x] += other;
    __syncwarp();
  }
}
if (threadIdx.x == 0) b[blockIdx.x] = tile[0];)";
  expect_silent(over_buffers(right, {2}, {64}));
  std::string wrong = right;
  for (auto at = wrong.find("__syncwarp()"); at != std::string::npos; at = wrong.find("__syncwarp()"))
    wrong.erase(at, 12);
  races_of(over_buffers(wrong, {2}, {64}));
}

TEST(Races, shuffles_order_nothing) {
  races_of(over_buffers(R"(__shared__ int tile[32];
tile[threadIdx.x] = a[threadIdx.x];
const int x = __shfl_xor_sync(0xffffffffu, 1, 1);
b[threadIdx.x] = tile[threadIdx.x ^ x];)",
                        {1}, {32}));
}

TEST(Races, half_a_warp_synchronises_only_itself) {
  const std::string text = R"(__shared__ int tile[32];
tile[threadIdx.x] = a[threadIdx.x];
__syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
b[threadIdx.x] = tile[threadIdx.x ^ DISTANCE];)";
  const auto with = [&](const std::string& distance) {
    std::string filled = text;
    return filled.replace(filled.find("DISTANCE"), 8, distance);
  };
  expect_silent(over_buffers(with("15"), {1}, {32}));
  races_of(over_buffers(with("16"), {1}, {32}));
}

TEST(Races, two_threads_that_store_to_one_location_race) {
  EXPECT_EQ(races_of(over_buffers("b[threadIdx.x / 2] = 1;", {1}, {64})), (Lines{{2, 2}}));
  EXPECT_EQ(races_of(over_buffers("if (threadIdx.x == 0) b[0] = 1;", {5}, {32})), (Lines{{2, 2}}));
}

TEST(Races, blocks_that_exchange_data_without_order_race) {
  races_of(
      over_buffers("s[blockIdx.x * 32 + threadIdx.x] = 1;\n__syncthreads();\n__threadfence();\n"
                   "b[blockIdx.x * 32 + threadIdx.x] = s[(blockIdx.x * 32 + threadIdx.x + 32) % 128];",
                   {4}, {32}));
}

TEST(Races, appending_without_atomics_is_a_race) {
  races_of(over_buffers("const unsigned at = flags[0];\nb[at + threadIdx.x] = 1;\nflags[0] = at + 1;", {1}, {32}));
}

TEST(Races, atomics_do_not_race_with_each_other_but_with_plain_accesses) {
  expect_silent(over_buffers("atomicAdd(a, 1); atomicMax(a + 1, 7); atomicCAS(flags, 0u, 1u);", {4}, {64}));
  races_of(over_buffers("if (threadIdx.x < 63) atomicAdd(a, 1); else a[0] = 5;", {1}, {64}));
  races_of(over_buffers("if (threadIdx.x < 63) atomicAdd(a, 1); else b[0] = a[0];", {1}, {64}));
}

TEST(Races, a_histogram_in_shared_memory_needs_its_barriers) {
  const std::string right = R"(__shared__ int bins[8];
if (threadIdx.x < 8) bins[threadIdx.x] = 0;
__syncthreads();  // FIRST
atomicAdd(&bins[threadIdx.x % 8], 1);
__syncthreads();  // SECOND
if (threadIdx.x < 8) b[blockIdx.x * 8 + threadIdx.x] = bins[threadIdx.x];)";
  expect_silent(over_buffers(right, {3}, {64}));
  for (const std::string marker : {"__syncthreads();  // FIRST", "__syncthreads();  // SECOND"}) {
    std::string wrong = right;
    wrong.replace(wrong.find(marker), marker.size(), "");
    races_of(over_buffers(wrong, {3}, {64}));
  }
}

/// A message from block to block through a flag; `before` and `after` are the fences of the sender and the receiver.
std::string message(const std::string& before, const std::string& store, const std::string& load,
                    const std::string& after) {
  return "if (blockIdx.x == 0) {\n  s[threadIdx.x] = 7;\n  __syncthreads();\n  if (threadIdx.x == 0) {\n" + before +
         "\n" + store + "\n  }\n} else {\n  if (threadIdx.x == 0) {\n    while (" + load + " == 0) {}\n" + after +
         "\n  }\n  __syncthreads();\n  b[threadIdx.x] = s[63 - threadIdx.x];\n}";
}

Experiment messages(const std::string& text) {
  Experiment experiment = over_buffers(text, {2}, {64});
  return experiment;
}

/// Both blocks must be resident, since one waits for the other.
std::string findings_with_two_blocks(const Experiment& experiment, std::uint64_t seed) {
  Experiment copy = experiment;
  return summary_of(copy.run(seed, 2));
}

TEST(Races, a_message_through_a_flag_needs_a_fence_on_both_sides) {
  const std::string store = "*(volatile unsigned*)flags = 1;", load = "*(volatile unsigned*)flags";
  const std::string fence = "__threadfence();";
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    EXPECT_EQ(findings_with_two_blocks(messages(message(fence, store, load, fence)), seed), "");
    EXPECT_EQ(findings_with_two_blocks(
                  messages(message(fence, "atomicExch(flags, 1u);", "atomicAdd(flags, 0u)", fence)), seed),
              "");
    EXPECT_EQ(findings_with_two_blocks(
                  messages(message("", "warpwright::store_release(flags, 1u);", "warpwright::load_acquire(flags)", "")),
                  seed),
              "");
    EXPECT_EQ(findings_with_two_blocks(messages(message(fence, "warpwright::store_relaxed(flags, 1u);",
                                                        "warpwright::load_relaxed(flags)", fence)),
                                       seed),
              "");
    EXPECT_THAT(findings_with_two_blocks(messages(message("", store, load, fence)), seed), HasSubstr("race"));
    EXPECT_THAT(findings_with_two_blocks(messages(message(fence, store, load, "")), seed), HasSubstr("race"));
    EXPECT_THAT(findings_with_two_blocks(messages(message("__threadfence_block();", store, load, fence)), seed),
                HasSubstr("race"));
    EXPECT_THAT(findings_with_two_blocks(messages(message(fence, "*flags = 1;", load, fence)), seed),
                HasSubstr("race"));
    EXPECT_THAT(findings_with_two_blocks(messages(message("", "warpwright::store_relaxed(flags, 1u);",
                                                          "warpwright::load_acquire(flags)", "")),
                                         seed),
                HasSubstr("race"));
  }
}

TEST(Races, fences_of_all_threads_before_a_barrier_count_for_the_flag_after_it) {
  expect_silent(over_buffers(R"(__shared__ int last[1];
s[blockIdx.x * 64 + threadIdx.x] = 3;
__threadfence();
__syncthreads();
if (threadIdx.x == 0) last[0] = atomicAdd(flags, 1u) == gridDim.x - 1;
__syncthreads();
if (!last[0]) return;
__threadfence();
for (int i = threadIdx.x; i < gridDim.x * 64; i += 64) b[i] = s[i];)",
                             {6}, {64}));
}

TEST(Races, a_last_block_that_does_not_fence_races) {
  const std::string right = R"(__shared__ int last[1];
if (threadIdx.x == 0) {
  s[blockIdx.x] = 3;
  __threadfence();
  last[0] = atomicAdd(flags, 1u) == gridDim.x - 1;
  __threadfence();
}
__syncthreads();
if (last[0] && threadIdx.x < gridDim.x) b[threadIdx.x] = s[threadIdx.x];)";
  expect_silent(over_buffers(right, {6}, {64}));
  std::string wrong = right;
  wrong.replace(wrong.find("__threadfence();"), 16, "");
  EXPECT_EQ(races_of(over_buffers(wrong, {6}, {64})), (Lines{{4, 10}}));
}

TEST(Races, a_lock_with_fences_protects_its_data) {
  const std::string right = R"(if (threadIdx.x == 0) {
  while (atomicCAS(flags, 0u, 1u) != 0u) {}
  __threadfence();
  a[0] += 1;
  __threadfence();
  atomicExch(flags, 0u);
})";
  expect_silent(over_buffers(right, {8}, {32}));
  std::string wrong = right;
  wrong.replace(wrong.rfind("__threadfence();"), 16, "");
  races_of(over_buffers(wrong, {8}, {32}));
}

TEST(Races, a_grid_wide_reduction_in_place_races) {
  races_of(over_buffers(R"(const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
for (int s = n / 2; s > 0; s /= 2) {
  if (i < s) a[i] += a[i + s];
  __syncthreads();
})",
                        {4}, {32}));
}

TEST(Races, one_launch_completes_before_the_next) {
  Experiment experiment = over_buffers("const int i = blockIdx.x * 32 + threadIdx.x;\na[i ^ 33] += 1;", {4}, {32}, 128);
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Plan plan = experiment.plan();
    Repeat repeat{.times = 5, .steps = plan.steps};
    plan.steps[0].what = repeat;
    SimulationOptions options;
    options.schedule.seed = seed;
    EXPECT_EQ(summary_of(simulate(plan, module_of(experiment.text, {"kernel"}), experiment.contents, options)), "");
  }
  EXPECT_EQ(values_of<int>(experiment.contents[0]), std::vector<int>(128, 1 + 5 * static_cast<int>(test_seeds)));
}

TEST(Races, neighbouring_bytes_are_different_locations) {
  expect_silent(over_buffers("reinterpret_cast<unsigned char*>(b)[threadIdx.x] = 1;", {1}, {64}));
  expect_silent(
      over_buffers("__shared__ unsigned char bytes[64];\n"
                   "bytes[threadIdx.x] = a[threadIdx.x];\n__syncthreads();\n"
                   "b[threadIdx.x] = bytes[63 - threadIdx.x];",
                   {1}, {64}));
  races_of(over_buffers("reinterpret_cast<unsigned char*>(b)[threadIdx.x / 2] = 1;", {1}, {64}));
  races_of(over_buffers("if (threadIdx.x == 0) b[0] = 1; else reinterpret_cast<unsigned char*>(b)[3] = 1;", {1}, {2}));
}

TEST(Races, a_read_only_load_of_memory_that_the_kernel_writes_is_found) {
  Experiment experiment = over_buffers("a[threadIdx.x] = 2;\nb[threadIdx.x] = __ldg(a + threadIdx.x);", {1}, {32});
  EXPECT_EQ(summary_of(experiment.run(1)), "race at 3");
}

TEST(Races, a_finding_names_both_threads_and_lines_and_the_location) {
  Experiment experiment = over_buffers("if (threadIdx.x == 3) b[9] = 1;\nif (threadIdx.x == 40) b[9] = 2;", {1}, {64});
  const Execution execution = experiment.run();
  ASSERT_EQ(execution.findings.size(), 1u);
  const Finding& finding = execution.findings[0];
  EXPECT_EQ(finding.location.line, 3);
  EXPECT_EQ(finding.other.line, 2);
  EXPECT_EQ(finding.location.thread, (Dim3{40, 0, 0}));
  EXPECT_EQ(finding.other.thread, (Dim3{3, 0, 0}));
  EXPECT_EQ(finding.buffer, "b");
  EXPECT_EQ(finding.offset, 36);
  EXPECT_EQ(finding.entry, "kernel");
  EXPECT_THAT(describe(finding), HasSubstr("races with a store"));
}

TEST(Races, can_be_left_unchecked) {
  Experiment experiment = over_buffers("b[0] = 1;", {1}, {64});
  SimulationOptions options;
  options.check_races = false;
  EXPECT_EQ(summary_of(experiment.run(options)), "");
}

SimulationOptions lenient_about(std::vector<StrictRule> rules) {
  SimulationOptions options;
  options.lenient = std::move(rules);
  return options;
}

/// Thread 1 reads and signals this without a fence. Thread 0 also reads, and raises a flag after a fence. Thread 32
/// sees the flag and stores.
const std::string kOneOfTwoReadersFences = R"(volatile unsigned* flag = flags;
if (threadIdx.x == 1) { s[1] = a[0]; flag[1] = 1; }
if (threadIdx.x == 0) { while (flag[1] == 0) {} s[0] = a[0]; __threadfence(); flag[0] = 1; }
if (threadIdx.x == 2) { while (flag[0] == 0) {} a[0] = 2; }  // HERE
)";

TEST(ToleratedRaces, hide_no_race_with_another_lane) {
  const Experiment experiment = over_buffers(kOneOfTwoReadersFences, {1}, {32});
  expect_finding(experiment, FindingKind::race, "HERE", lenient_about({StrictRule::one_sided_fence}));
}

TEST(ToleratedRaces, hide_no_store_of_another_value) {
  const auto stored_last = [](const std::string& value) {
    return over_buffers(
        "volatile unsigned* flag = flags;\n"
        "if (threadIdx.x == 64) { a[0] = 5; flag[1] = 1; }\n"
        "if (threadIdx.x == 0) { while (flag[1] == 0) {} a[0] = 5; __threadfence(); flag[0] = 1; }\n"
        "if (threadIdx.x == 32) { while (flag[0] == 0) {} a[0] = " +
            value + "; }  // HERE\n",
        {1}, {96});
  };
  const SimulationOptions lenient = lenient_about({StrictRule::one_sided_fence, StrictRule::same_value_stores});
  expect_finding(stored_last("6"), FindingKind::race, "HERE", lenient);
  const Execution same = stored_last("5").run(lenient);
  EXPECT_EQ(summary_of(same), "");
  EXPECT_FALSE(same.tolerated.empty());
}

TEST(ToleratedRaces, are_those_of_the_tolerated_rules) {
  Experiment fenced = over_buffers(
      "volatile unsigned* flag = flags;\n"
      "if (threadIdx.x == 0) { a[0] = 5; __threadfence(); flag[0] = 1; }\n"
      "if (threadIdx.x == 32) { while (flag[0] == 0) {} a[0] = 6; }  // HERE\n",
      {1}, {64});
  expect_finding(fenced, FindingKind::race, "HERE", lenient_about({StrictRule::same_value_stores}));
  EXPECT_EQ(summary_of(fenced.run(lenient_about({StrictRule::one_sided_fence}))), "");
}

}  // namespace
}  // namespace warpwright::simulator

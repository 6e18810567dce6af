// Tests of branches of warps and divergent ones: the counts are the same under every schedule.
#include "kernels/runtime/simulator/trace/branch_trace.hpp"

#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

/// Branches and divergent ones of the line with the marker, the same in every schedule.
std::pair<std::uint64_t, std::uint64_t> branches_at(const std::string& body, const std::string& marker,
                                                    std::uint32_t threads, std::uint32_t blocks = 1) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Experiment experiment = over_buffers(body, {blocks}, {threads});
    SimulationOptions options;
    options.count_accesses = true;
    options.schedule.seed = seed;
    const Execution execution = experiment.run(options);
    EXPECT_EQ(summary_of(execution), "");
    std::pair<std::uint64_t, std::uint64_t> counts;
    for (const LineAccess& line : execution.lines) {
      if (line.file != "kernel.cuh" || line.line != line_of(experiment.text, marker)) continue;
      counts.first += line.counts.branches;
      counts.second += line.counts.divergent_branches;
    }
    seen.insert(counts);
  }
  EXPECT_EQ(seen.size(), 1u) << "the counts depend on the schedule";
  return *seen.begin();
}

using Counts = std::pair<std::uint64_t, std::uint64_t>;

TEST(Branches, of_whole_warps_do_not_diverge) {
  EXPECT_EQ(branches_at("if (threadIdx.x < 64)  // HERE\n  a[threadIdx.x] = 2;", "HERE", 128), (Counts{4, 0}));
  EXPECT_EQ(branches_at("if (blockIdx.x == 1)  // HERE\n  a[threadIdx.x] = 2;", "HERE", 32, 3), (Counts{3, 0}));
}

TEST(Branches, that_part_a_warp_are_divergent) {
  EXPECT_EQ(branches_at("if (threadIdx.x % 2 == 0)  // HERE\n  a[threadIdx.x] = 2;", "HERE", 128), (Counts{4, 4}));
  EXPECT_EQ(branches_at("if (threadIdx.x < 40)  // HERE\n  a[threadIdx.x] = 2;", "HERE", 128), (Counts{4, 1}));
  EXPECT_EQ(branches_at("if (threadIdx.x == 99)  // HERE\n  return;\na[threadIdx.x] = 2;", "HERE", 100),
            (Counts{4, 1}));
}

TEST(Branches, lanes_are_together_again_after_a_branch) {
  const std::string body =
      "if (threadIdx.x % 2 == 0)\n  a[threadIdx.x] = 2;\nelse\n  b[threadIdx.x] = 3;\n"
      "if (a[threadIdx.x] < 9)  // HERE\n  s[threadIdx.x] = 1;";
  EXPECT_EQ(branches_at(body, "HERE", 64), (Counts{2, 0}));
}

TEST(Branches, of_diverged_lanes_count_for_each_part) {
  const std::string body =
      "if (threadIdx.x < 16) {\n"
      "  if (threadIdx.x < 8)  // HERE\n    a[threadIdx.x] = 2;\n} else {\n"
      "  if (threadIdx.x < 32)  // THERE\n    a[threadIdx.x] = 3;\n}";
  EXPECT_EQ(branches_at(body, "HERE", 32), (Counts{1, 1}));
  EXPECT_EQ(branches_at(body, "THERE", 32), (Counts{1, 0}));
}

TEST(Branches, a_loop_that_lanes_leave_at_different_times_diverges_whenever_some_leave) {
  EXPECT_EQ(branches_at("for (int i = 0; i < 10; ++i)  // HERE\n  a[threadIdx.x] += i;", "HERE", 32), (Counts{11, 0}));
  // Lane i iterates i % 4 times: lanes leave at the first, second, third and fourth test.
  EXPECT_EQ(branches_at("for (int i = 0; i < threadIdx.x % 4; ++i)  // HERE\n  a[threadIdx.x] += i;", "HERE", 32),
            (Counts{4, 3}));
}

TEST(Branches, within_a_loop_are_compared_in_the_same_iteration) {
  const std::string body =
      "for (int i = 0; i < 4; ++i)\n  if (threadIdx.x >= i)\n"
      "    if (i % 2 == 0)  // HERE\n      a[threadIdx.x] += i;";
  EXPECT_EQ(branches_at(body, "HERE", 32), (Counts{4, 0}));
}

TEST(Branches, barriers_and_shared_arrays_add_none) {
  const std::string body =
      "__shared__ int tile[64];\ntile[threadIdx.x] = a[threadIdx.x];\n__syncthreads();\n"
      "b[threadIdx.x] = tile[63 - threadIdx.x];";
  Experiment experiment = over_buffers(body, {1}, {64});
  SimulationOptions options;
  options.count_accesses = true;
  EXPECT_EQ(experiment.run(options).access.branches, 0u);
}

TEST(BranchTrace, runs_deeper_calls_before_the_code_after_them) {
  // Lanes 0 and 1 take a branch in a function that lane 2 does not call; then all three meet.
  BranchTrace trace;
  BranchTrace::Warp& warp = *trace.warps_of(0, 1);
  const auto add = [&](unsigned lane, const Branch& branch) {
    *warp[lane].next() = branch;
    warp[lane].noted_up_to(warp[lane].next() + 1);
  };
  for (unsigned lane = 0; lane < 3; ++lane) {
    if (lane < 2) add(lane, {branch_place(100, 7), lane});
    add(lane, {branch_place(200, 4), 5});
  }
  trace.meet(0);
  EXPECT_EQ(trace.sites().at(7).executed, 1u);
  EXPECT_EQ(trace.sites().at(7).divergent, 1u);
  EXPECT_EQ(trace.sites().at(4).executed, 1u);
  EXPECT_EQ(trace.sites().at(4).divergent, 0u);
}

}  // namespace
}  // namespace warpwright::simulator

// Tests of barriers by number (bar.sync, bar.arrive): what they order, and what is a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// A kernel over int buffers with that body, in which t is the number of the thread.
Experiment kernel_of(const std::string& body, unsigned threads = 64) {
  Experiment experiment =
      over_buffers("__shared__ int tile[256];\nconst int t = threadIdx.x;\n" + body, {1}, {threads});
  experiment.text = "#include \"kernels/runtime/named_barriers.cuh\"\nusing namespace warpwright;\n" + experiment.text;
  return experiment;
}

/// One warp hands numbers over to another one, four times, through one place for each lane.
const std::string ring = R"(for (int i = 0; i < 4; ++i) {
  if (t < 32) {
    if (i > 0) barrier_wait(2, 64);  // EMPTY
    tile[t] = 10 * i + t;
    barrier_arrive(1, 64);  // FULL
  } else {
    barrier_wait(1, 64);  // WAIT
    b[32 * i + t] = tile[t - 32];
    if (i < 3) barrier_arrive(2, 64);  // FREE
  }
})";

TEST(NamedBarriers, order_what_comes_before_them_and_after_them) {
  expect_silent(kernel_of(ring));
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Experiment experiment = kernel_of(ring);
    ASSERT_EQ(summary_of(experiment.run(seed)), "");
    const auto got = values_of<int>(experiment.contents[1]);
    for (int i = 0; i < 4; ++i)
      for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(got[static_cast<std::size_t>(32 * (i + 1) + lane)], 10 * i + lane);
  }
}

TEST(NamedBarriers, that_are_missing_are_races) {
  // If the reader is far ahead, it reads what nobody has written yet.
  int races = 0;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    const Execution execution =
        kernel_of(with(ring, "barrier_wait(1, 64);  // WAIT", "barrier_arrive(1, 64);")).run(seed);
    ASSERT_FALSE(execution.findings.empty()) << seed;
    const FindingKind kind = execution.findings[0].kind;
    EXPECT_TRUE(kind == FindingKind::race || kind == FindingKind::uninitialised_read) << seed;
    races += kind == FindingKind::race ? 1 : 0;
  }
  EXPECT_GT(races, static_cast<int>(test_seeds) / 2);
  // Or the writer comes to the first barrier twice.
  const std::string early = with(with(ring, "if (i > 0) barrier_wait(2, 64);  // EMPTY", ""),
                                 "if (i < 3) barrier_arrive(2, 64);  // FREE", "__syncwarp();");
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    const Execution execution = kernel_of(early).run(seed);
    ASSERT_FALSE(execution.findings.empty()) << seed;
    EXPECT_TRUE(execution.findings[0].kind == FindingKind::race ||
                execution.findings[0].kind == FindingKind::barrier_divergence)
        << describe(execution.findings[0]);
  }
}

TEST(NamedBarriers, order_only_those_who_come) {
  // The third warp does not take part.
  EXPECT_FALSE(
      races_of(kernel_of("if (t < 32) tile[t] = t;\nif (t < 64) barrier_wait(1, 64);\nb[t] = tile[t % 32];", 96))
          .empty());
  expect_silent(kernel_of("if (t < 32) tile[t] = t;\nbarrier_wait(1, 96);\nb[t] = tile[t % 32];", 96));
}

TEST(NamedBarriers, of_warps_that_have_lost_lanes_are_complete) {
  expect_silent(kernel_of("if (t >= 40) return;\ntile[t] = t;\nbarrier_wait(3, 64);\nb[t] = tile[39 - t];"));
}

TEST(NamedBarriers, of_the_whole_block_with_number_0_are_those_of_syncthreads) {
  expect_silent(kernel_of("tile[t] = t;\nbarrier_wait(0, 64);\nb[t] = tile[63 - t];"));
  // Threads of one block then wait at different barriers.
  const Execution mixed =
      kernel_of("if (t < 32) {\nbarrier_wait(0, 32);\n} else {\n__syncthreads();\n}\n__syncthreads();").run(2);
  for (const Finding& finding : mixed.findings) EXPECT_EQ(finding.kind, FindingKind::barrier_divergence);
}

Finding refused(const std::string& body, unsigned threads = 64) {
  return expect_finding(kernel_of(body, threads), FindingKind::barrier_divergence);
}

TEST(NamedBarriers, have_numbers_up_to_15_and_whole_warps) {
  EXPECT_THAT(refused("barrier_wait(16, 64);  // HERE").message, HasSubstr("barrier 16: a block has barriers 0 to 15"));
  EXPECT_THAT(refused("barrier_wait(1, 40);  // HERE").message,
              HasSubstr("barrier 1 for 40 threads, which is no multiple of 32"));
  EXPECT_THAT(refused("barrier_arrive(1, 0);  // HERE").message, HasSubstr("no multiple of 32"));
  EXPECT_THAT(refused("barrier_wait(1, 96);  // HERE").message,
              HasSubstr("barrier 1 for 96 threads, by a block of 64"));
}

TEST(NamedBarriers, need_the_same_number_from_all) {
  const Finding finding = refused("if (t < 64) barrier_wait(1, t < 32 ? 64 : 96);  // HERE", 96);
  EXPECT_THAT(finding.message, HasSubstr("threads, while others have arrived there for"));
}

TEST(NamedBarriers, that_too_few_come_to_are_hangs) {
  EXPECT_THAT(expect_finding(kernel_of("if (t < 64) barrier_wait(1, 96);  // HERE", 128), FindingKind::hang).message,
              HasSubstr("no thread can go on: 64 wait in the barrier at"));
  expect_finding(
      kernel_of(with(ring, "if (i < 3) barrier_arrive(2, 64);  // FREE", "if (i < 2) barrier_arrive(2, 64);")),
      FindingKind::hang, "// EMPTY");
}

TEST(NamedBarriers, are_one_for_all_lanes_of_a_warp) {
  EXPECT_THAT(kernel_of("if (t % 2 == 0) {\nbarrier_wait(1, 32);\n} else {\nbarrier_wait(2, 32);\n}", 32)
                  .run(0)
                  .findings.at(0)
                  .message,
              HasSubstr("lanes of one warp wait at different barriers"));
  EXPECT_THAT(kernel_of("if (t % 2 == 0) {\nbarrier_wait(1, 64);\n} else {\nbarrier_wait(1, 64);\n}")
                  .run(0)
                  .findings.at(0)
                  .message,
              HasSubstr("lanes of one warp wait at different barriers"));
}

TEST(NamedBarriers, count_a_warp_once_in_a_phase) {
  EXPECT_THAT(refused("if (t < 32) {\nbarrier_arrive(1, 64);\nbarrier_arrive(1, 64);  // HERE\n} else {\n"
                      "barrier_wait(2, 64);\n}")
                  .message,
              HasSubstr("a warp arrives at barrier 1 again, of which the phase is not complete"));
}

}  // namespace
}  // namespace warpwright::simulator

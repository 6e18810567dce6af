// Tests of the order in which threads run: what the seeds draw.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

constexpr int rounds = 32;

/// The number of seeds in which `shows` holds for the tickets that all threads drew from one counter, one after the
/// other: thread by thread, in the order in which a thread drew its own.
template <class Shows>
int seeds_that_show(Dim3 grid, Dim3 block, Shows shows) {
  const auto threads = static_cast<std::size_t>(grid.count() * block.count());
  Experiment experiment =
      over_buffers(fmt::format("const int me = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "for (int i = 0; i < {0}; ++i) b[me * {0} + i] = atomicAdd(flags, 1u);",
                               rounds),
                   grid, block, threads * rounds);
  int count = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Experiment copy = experiment;
    EXPECT_EQ(summary_of(copy.run(seed, static_cast<int>(grid.count()))), "");
    count += shows(values_of<int>(copy.contents[1])) ? 1 : 0;
  }
  return count;
}

TEST(Schedules, LetThreadsTakeTurnsAtEachAtomicAccess) {
  constexpr int threads = 8;
  const auto in_turns = [](const std::vector<int>& tickets) {
    for (int i = 0; i < threads * rounds; ++i)
      if (tickets[i] / threads != i % rounds) return false;
    return true;
  };
  EXPECT_GT(seeds_that_show({1}, {threads}, in_turns), 5);
}

/// Whether two thirds of the tickets of some part, of so many parts that follow one another, come before nearly all
/// others.
bool runs_ahead(std::vector<int> tickets, int parts) {
  const auto size = static_cast<std::ptrdiff_t>(tickets.size()) / parts;
  for (auto part = tickets.begin(); part != tickets.end(); part += size) {
    std::nth_element(part, part + size * 2 / 3, part + size);
    if (part[size * 2 / 3] < size) return true;
  }
  return false;
}

TEST(Schedules, LetAWarpRunFarAheadOfTheOthers) {
  EXPECT_GT(seeds_that_show({1}, {128}, [](const auto& tickets) { return runs_ahead(tickets, 4); }), 10);
}

TEST(Schedules, LetABlockRunFarAheadOfTheOthers) {
  EXPECT_GT(seeds_that_show({3}, {64}, [](const auto& tickets) { return runs_ahead(tickets, 3); }), 10);
}

TEST(Schedules, ThatLetSomeThreadsRunAheadLetThemWait) {
  // Each block waits for the next one, and looks at two flags in turn.
  Experiment experiment = over_buffers(
      "volatile unsigned* const f = flags;\nif (threadIdx.x != 0) return;\n"
      "if (blockIdx.x + 1 < gridDim.x) { while (f[64 * (blockIdx.x + 1)] == 0 && f[64 * gridDim.x] == 0) {} }\n"
      "f[64 * blockIdx.x] = 1;",
      {3}, {64}, 1024);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Experiment copy = experiment;
    EXPECT_EQ(summary_of(copy.run(seed, 3)), "") << seed;
  }
}

TEST(Schedules, LetALoopThatLooksAFewTimesLookInVain) {
  // The last warp stores once; the first one looks so many times, and then takes what is there.
  const auto with_looks = [](const std::string& condition) {
    return over_buffers(
        "volatile unsigned* const f = flags;\n"
        "if (threadIdx.x == 96) f[0] = 1;\n"
        "if (threadIdx.x == 0) { for (int i = 0; " +
            condition + "; ++i) {} b[0] = f[0]; }",
        {1}, {128}, 256);
  };
  const auto misses = [](const Experiment& experiment) {
    int count = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      Experiment copy = experiment;
      EXPECT_EQ(summary_of(copy.run(seed, 1)), "") << seed;
      count += values_of<int>(copy.contents[1])[0] == 0 ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(misses(with_looks("i < 100 && f[0] == 0")), 2);
  EXPECT_EQ(misses(with_looks("f[0] == 0")), 0);
}

}  // namespace
}  // namespace warpwright::simulator

// Tests of energies by a counter, with a scripted one; on a GPU, with its own one.
#include "kernels/runtime/cuda/repetition.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/nvml.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"

namespace warpwright::gpu {
namespace {

/// A board of 300 W whose counter shows the energy at the last of its ticks. A run takes `run_s`.
struct FakeBoard {
  double run_s = 1e-5, tick_s = 0.1;
  double now_s = 0.03;  ///< between two ticks
  int runs = 0;

  std::optional<double> joules(double seconds = 0.25) {
    return joules_of(
        {.joules = [this] { return 300 * tick_s * std::floor(now_s / tick_s); }, .seconds = [this] { return now_s; }},
        [this](int count) {
          runs += count;
          now_s += count * run_s;
        },
        seconds);
  }
};

TEST(Energy, IsTakenBetweenTwoChangesOfTheCounter) {
  FakeBoard board;
  const double begin = board.now_s;
  EXPECT_NEAR(board.joules().value(), 300 * 1e-5, 0.02 * 300 * 1e-5);
  EXPECT_GE(board.now_s - begin, 0.3);
  EXPECT_LE(board.now_s - begin, 0.5);
}

TEST(Energy, OfARunThatIsLongerThanATickNeedsFewRuns) {
  FakeBoard board{.run_s = 0.7};
  EXPECT_NEAR(board.joules().value(), 300 * 0.7, 0.15 * 300 * 0.7);
  EXPECT_LE(board.runs, 6);
}

TEST(Energy, IsUnknownWithoutACounterAndByOneThatStandsStill) {
  const auto run = [](int) { FAIL() << "nothing is to be run"; };
  EXPECT_FALSE(joules_of({.joules = [] { return std::optional<double>(); }, .seconds = [] { return 0.0; }}, run, 1));
  FakeBoard board{.tick_s = 1e6};
  EXPECT_FALSE(board.joules());
  EXPECT_LE(board.now_s, 2);
}

class EnergyOnAGpu : public OnAGpu {};

TEST_F(EnergyOnAGpu, OfRunsOneByOneAndInAGraphIsAPowerOfThisBoard) {
  if (!read_energy(gpu_->info().uuid)) GTEST_SKIP() << "this GPU has no energy counter";
  constexpr std::int64_t kBytes = 1 << 28;
  const Memory from(kBytes), to(kBytes);
  const Plan plan{.buffers = {{.name = "from", .role = Role::in, .type = ElementType::u8, .count = kBytes},
                              {.name = "to", .role = Role::out, .type = ElementType::u8, .count = kBytes}},
                  .steps = {{.what = Copy{.from = "from", .to = "to", .bytes = kBytes}}}};
  ModuleCache modules;
  PlanRunner runner(*gpu_, modules, plan, {.ok = true}, {{"from", from.address()}, {"to", to.address()}});
  ASSERT_TRUE(runner.follows_itself());
  const auto seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  runner.capture_runs(10);
  for (const bool in_graph : {false, true}) {
    double time = 0;
    std::int64_t runs = 0;
    const auto joules = joules_of(
        {.joules = [&] { return read_energy(gpu_->info().uuid); }, .seconds = seconds},
        [&](int count) {
          const double begin = seconds();
          for (int i = 0; i < count; ++i) in_graph ? runner.replay_runs() : runner.run_timed();
          gpu_->synchronize();
          time += seconds() - begin;
          runs += count;
        },
        0.25);
    ASSERT_TRUE(joules);
    const double watts = *joules * static_cast<double>(runs) / time;
    EXPECT_GT(watts, 20) << in_graph;
    EXPECT_LT(watts, 1500) << in_graph;
  }
}

}  // namespace
}  // namespace warpwright::gpu

// Tests of measuring energy with a counter: with a scripted one, and on a GPU with its own.
#include "kernels/runtime/cuda/repetition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/nvml.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"

namespace warpwright::gpu {
namespace {

/// A board of 300 W, and of 60 W if it does nothing, whose counter shows the energy at the last of its ticks.
struct FakeBoard {
  double run_s = 1e-5, tick_s = 0.1, read_s = 1e-3;
  double now_s = 0.03;  ///< between two ticks
  int runs = 0;
  std::vector<std::pair<double, double>> busy = {};  ///< from and to

  void wait_until(double moment) { now_s = std::max(now_s, moment); }
  double end() const { return busy.empty() ? 0 : busy.back().second; }

  void queue(int count) {
    runs += count;
    const double before = end(), begin = std::max(now_s, before), done = begin + count * run_s;
    if (begin > before || busy.empty())
      busy.emplace_back(begin, done);
    else
      busy.back().second = done;
    wait_until(before);
  }

  double counter() {
    now_s += read_s;
    const double tick = tick_s * std::floor(now_s / tick_s);
    double joules = 60 * tick;
    for (const auto& [from, to] : busy) joules += 240 * std::max(std::min(to, tick) - from, 0.0);
    return joules;
  }

  std::optional<double> joules(double seconds = 0.25) {
    return joules_of({.joules = [this] { return counter(); }, .seconds = [this] { return now_s; }},
                     {.queue = [this](int count) { queue(count); }, .wait = [this] { wait_until(end()); }}, seconds);
  }
};

TEST(Energy, IsTakenBetweenTwoChangesOfTheCounter) {
  FakeBoard board;
  const double begin = board.now_s;
  EXPECT_NEAR(board.joules().value(), 300 * 1e-5, 0.02 * 300 * 1e-5);
  EXPECT_GE(board.now_s - begin, 0.3);
  EXPECT_LE(board.now_s - begin, 0.5);
}

TEST(Energy, HasNoShareOfAnIdleBoardBecauseTheCounterIsReadDuringRuns) {
  FakeBoard board{.read_s = 1.5e-3};
  EXPECT_NEAR(board.joules().value(), 300 * 1e-5, 0.02 * 300 * 1e-5);
  EXPECT_GE(board.busy.back().second - board.busy.back().first, 0.3) << "without a pause";
}

TEST(Energy, OfARunThatIsLongerThanATickNeedsFewRuns) {
  FakeBoard board{.run_s = 0.7};
  EXPECT_NEAR(board.joules().value(), 300 * 0.7, 0.15 * 300 * 0.7);
  EXPECT_LE(board.runs, kMostEnergyRuns);
  FakeBoard slow{.run_s = 5};
  EXPECT_NEAR(slow.joules().value(), 300 * 5, 0.03 * 300 * 5);
  EXPECT_LE(slow.runs, kMostEnergyRuns);
}

TEST(Energy, IsUnknownWithoutACounterAndByOneThatStandsStill) {
  const MeteredWork none{.queue = [](int) { FAIL() << "nothing is to be run"; }, .wait = [] {}};
  EXPECT_FALSE(joules_of({.joules = [] { return std::optional<double>(); }, .seconds = [] { return 0.0; }}, none, 1));
  FakeBoard board{.tick_s = 1e6};
  EXPECT_FALSE(board.joules());
  EXPECT_LE(board.now_s, 2);
}

class EnergyOnAGpu : public OnAGpu {};

TEST_F(EnergyOnAGpu, OfSingleRunsAndOfAGraphFitsThePowerOfTheBoard) {
  const EnergyCounter counter(gpu_->info().uuid);
  if (!counter.joules()) GTEST_SKIP() << "this GPU has no energy counter";
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
    int queued = 0;
    const auto run = [&](int count) {
      for (int i = 0; i < count; ++i) in_graph ? runner.replay_runs() : runner.run_timed();
    };
    const auto joules = joules_of({.joules = [&] { return counter.joules(); }, .seconds = seconds},
                                  {.queue =
                                       [&](int count) {
                                         run(count);
                                         queued = count;
                                       },
                                   .wait = [&] { gpu_->synchronize(); }},
                                  0.25);
    ASSERT_TRUE(joules);
    const double begin = seconds();
    run(queued);
    gpu_->synchronize();
    const double watts = *joules * queued / (seconds() - begin);
    EXPECT_GT(watts, 20) << in_graph;
    EXPECT_LT(watts, 1500) << in_graph;
  }
}

}  // namespace
}  // namespace warpwright::gpu

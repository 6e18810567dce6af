// Runs a candidate many times, for its energy and for its time in a graph.
#include "kernels/runtime/cuda/repetition.hpp"

#include <algorithm>
#include <chrono>

#include "kernels/core/statistics.hpp"
#include "kernels/runtime/cuda/nvml.hpp"
#include "kernels/runtime/cuda/problem_on_gpu.hpp"

namespace warpwright::gpu {
namespace {

constexpr double kPoll = 0.002;          ///< seconds of work between two readings
constexpr double kLongestWait = 1;       ///< the longest wait for a change of the counter
constexpr double kEnergySeconds = 0.25;  ///< a counter changes every 20 to 100 ms
constexpr int kMostRuns = 1 << 20;       ///< at once
constexpr int kReplayed = 100;           ///< runs in a graph
constexpr int kReplays = 7;

}  // namespace

std::optional<double> joules_of(const EnergyMeter& meter, const std::function<void(int)>& run, double seconds) {
  const std::optional<double> start = meter.joules();
  if (!start) return {};
  const auto time_of = [&](int runs) {
    const double begin = meter.seconds();
    run(runs);
    return meter.seconds() - begin;
  };
  int runs = 1;
  double took = time_of(1);  // the first run may load something
  while ((took = time_of(runs)) < kPoll && runs < kMostRuns) runs *= 2;
  // Runs until the counter changes; returns how many.
  std::optional<double> now = meter.joules();
  const auto to_next_change = [&]() -> std::optional<double> {
    const double begin = meter.seconds();
    double count = 0;
    for (const std::optional<double> before = now; now == before; now = meter.joules()) {
      if (meter.seconds() - begin > kLongestWait) return {};
      run(runs);
      count += runs;
    }
    return now ? std::optional(count) : std::nullopt;
  };
  if (!to_next_change()) return {};
  const double first = *now;
  const int most = static_cast<int>(std::min(std::max(1.0, runs * seconds / took), double{kMostRuns}));
  run(most);
  now = meter.joules();
  const std::optional<double> rest = to_next_change();
  if (!rest) return {};
  return (*now - first) / (most + *rest);
}

Repeated ProblemOnGpu::repeat(const Candidate& candidate, bool has_energy, bool replays, GpuTimer& timer) {
  if (candidate.callable) return {};
  const std::size_t input = setup_.inputs.size() - 1;
  const std::vector<Buffer>& buffers = candidate.plan.buffers;
  const std::unique_ptr<PlanRunner> runner = plan_runner(input, candidate);
  const bool follows_itself = runner->follows_itself() &&
                              std::ranges::none_of(buffers, [](const Buffer& one) { return one.role == Role::inout; });
  Repeated reply;
  restore(input, buffers);
  runner->prepare();
  const bool in_graph = replays && follows_itself;
  if (in_graph) {
    runner->capture_runs(kReplayed);
    runner->replay_runs();  // the first launch also loads it
    std::vector<double> times;
    for (int i = 0; i < kReplays; ++i)
      times.push_back(timer.time([] {}, [&] { runner->replay_runs(); }).microseconds / kReplayed);
    reply.replay_us = median(times);
  }
  if (!has_energy) return reply;
  const EnergyMeter meter{
      .joules = [&] { return read_energy(gpu_.info().uuid); },
      .seconds =
          [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }};
  const auto energy_of = [&](const std::function<void()>& work) {
    const auto run = [&](int runs) {
      for (int i = 0; i < runs; ++i) work();
      gpu_.synchronize();
    };
    return joules_of(meter, run, kEnergySeconds);
  };
  if (in_graph) {
    if (const auto joules = energy_of([&] { runner->replay_runs(); })) reply.joules = *joules / kReplayed;
    return reply;
  }
  if (follows_itself) {
    reply.joules = energy_of([&] { runner->run_timed(); });
    return reply;
  }
  const auto whole = energy_of([&] {
    restore(input, buffers);
    runner->run();
  });
  const auto rest = energy_of([&] {
    restore(input, buffers);
    runner->prepare();
    runner->finish();
  });
  if (whole && rest && *whole > *rest) reply.joules = *whole - *rest;
  return reply;
}

}  // namespace warpwright::gpu

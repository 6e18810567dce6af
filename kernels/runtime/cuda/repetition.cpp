// Runs a candidate many times, for its energy and for its time in a graph.
#include "kernels/runtime/cuda/repetition.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "kernels/core/statistics.hpp"
#include "kernels/runtime/cuda/nvml.hpp"
#include "kernels/runtime/cuda/problem_on_gpu.hpp"

namespace warpwright::gpu {
namespace {

constexpr double kBatch = 0.002;         ///< seconds of runs that are queued at once, longer than a reading takes
constexpr double kLongestWait = 1;       ///< the longest wait for a change of the counter
constexpr double kEnergySeconds = 0.25;  ///< a counter changes every 20 to 100 ms
constexpr int kMostRuns = 1 << 20;       ///< at once
constexpr int kReplayed = 100;           ///< runs in a graph
constexpr int kReplays = 7;

/// The ends of the last two batches on a GPU's stream.
class Batches {
 public:
  explicit Batches(const Gpu& gpu) : gpu_(gpu) {
    for (CUevent& end : ends_) driver().check(driver().create_event(&end, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  }
  ~Batches() {
    for (const CUevent end : ends_) driver().destroy_event(end);
  }
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  void queue(int runs, const std::function<void()>& work) {
    for (int i = 0; i < runs; ++i) work();
    driver().check(driver().record_event(ends_[0], gpu_.stream()), "cuEventRecord");
    // An event that was never recorded counts as over.
    driver().check(driver().wait_for_event(ends_[1]), "cuEventSynchronize");
    std::swap(ends_[0], ends_[1]);
  }

 private:
  const Gpu& gpu_;
  std::array<CUevent, 2> ends_{};
};

}  // namespace

std::optional<double> joules_of(const EnergyMeter& meter, const MeteredWork& work, double seconds) {
  if (!meter.joules()) return {};
  work.queue(1);  // the first run may load something
  int runs = 1;
  for (;; runs *= 2) {
    work.wait();
    const double begin = meter.seconds();
    work.queue(runs);
    work.wait();
    if (meter.seconds() - begin >= kBatch || runs >= kMostRuns) break;
  }
  double count = 0;
  const auto queue = [&] {
    work.queue(runs);
    count += runs;
  };
  // What the counter says after its next change.
  const auto next_change = [&]() -> std::optional<double> {
    const std::optional<double> before = meter.joules();
    const double begin = meter.seconds();
    while (meter.seconds() - begin <= kLongestWait) {
      queue();
      if (const std::optional<double> now = meter.joules(); now != before) return now;
    }
    return {};
  };
  const std::optional<double> first = next_change();
  if (!first) return {};
  count = 0;
  for (const double begin = meter.seconds(); meter.seconds() - begin < seconds;) queue();
  const std::optional<double> last = next_change();
  work.wait();
  if (!last) return {};
  return (*last - *first) / count;
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
  const EnergyCounter counter(gpu_.info().uuid);
  const EnergyMeter meter{
      .joules = [&] { return counter.joules(); },
      .seconds =
          [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }};
  const auto energy_of = [&](const std::function<void()>& work) {
    Batches batches(gpu_);
    return joules_of(meter,
                     {.queue = [&](int runs) { batches.queue(runs, work); }, .wait = [&] { gpu_.synchronize(); }},
                     kEnergySeconds);
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

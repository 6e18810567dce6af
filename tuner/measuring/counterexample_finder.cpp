// Searches for a small case that fails too, and stores it.
#include "tuner/measuring/counterexample_finder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kCases = 60;
constexpr double kSearchSeconds = 20;
constexpr int kPartOfTime = 10;  ///< one part in so many of the remaining time

}  // namespace

bool CounterexampleFinder::may_keep(const Kernel* kernel) {
  const std::scoped_lock lock(mutex_);
  return ++kept_[kernel] <= kKeptCounterexamples;
}

std::string CounterexampleFinder::keep(MeasuringGpu& gpu, TrialWriter& writer,
                                       const CompiledConfiguration& configuration, const gpu::Outcome& outcome) {
  if (outcome.verdict != Verdict::failed || stop_ || !may_keep(configuration.kernel)) return {};
  const auto store = [&](const conformance::Case& wrong, const std::string& detail) {
    writer.with_store([&](Recorder& recorder) { conformance::store_counterexample(recorder.store(), wrong, detail); });
    return conformance::repro_hint(wrong);
  };
  const std::string target = gpu.device().arch();
  conformance::PropertyOptions small = device_cases(target, configuration, small_, kCases, request_.seed, stop_);
  const auto now = Budget::Clock::now();
  const auto most = Budget::to_duration(kSearchSeconds);
  small.deadline = now + (end_ ? std::clamp((*end_ - now) / kPartOfTime, {}, most) : most);
  const auto report = gpu.run_property(*configuration.kernel, small);
  if (!report.ok()) return store(*report.counterexample, report.failure.detail);
  if (outcome.input.empty()) return {};
  conformance::Case full;
  full.kernel = configuration.kernel;
  full.params = configuration.params;
  full.problem = problem_;
  full.input = parse_input(outcome.input);
  full.target = target;
  return store(full, outcome.detail);
}

}  // namespace warpwright::tuner

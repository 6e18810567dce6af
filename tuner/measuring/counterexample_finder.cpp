// Storing what was wrong, and trying it again.
#include "tuner/measuring/counterexample_finder.hpp"

#include <fmt/format.h>

#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kCases = 60;
constexpr std::chrono::seconds kLookingFor{20};

}  // namespace

std::string CounterexampleFinder::keep(MeasuringGpu& bench, Recorder& recorder, const CompiledConfiguration& prepared,
                                       const gpu::Outcome& outcome) {
  if (outcome.verdict != Verdict::failed || stop_ || ++kept_[prepared.kernel] > kKeptCounterexamples) return {};
  const std::string target = bench.device().arch();
  conformance::PropertyOptions small = device_cases(target, prepared, problem_, kCases, request_.seed, stop_);
  small.deadline = std::chrono::steady_clock::now() + kLookingFor;
  const auto report = bench.run_property(*prepared.kernel, small);
  if (!report.ok()) {
    conformance::store_counterexample(recorder.store(), *report.counterexample, report.failure.detail);
    return conformance::repro_hint(*report.counterexample);
  }
  if (outcome.input.empty()) return {};
  conformance::Case whole;
  whole.kernel = prepared.kernel;
  whole.params = prepared.params;
  whole.problem = problem_;
  whole.input = parse_input(outcome.input);
  whole.target = target;
  conformance::store_counterexample(recorder.store(), whole, outcome.detail);
  return conformance::repro_hint(whole);
}

}  // namespace warpwright::tuner

// Storing what was wrong, and trying it again.
#include "tuner/tune/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "db/say.hpp"
#include "tuner/tune/judge.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kCases = 60;
constexpr std::chrono::seconds kLookingFor{20};

}  // namespace

std::string Failures::keep(GpuBench& bench, Recorder& recorder, const Prepared& prepared, const gpu::Outcome& outcome) {
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

int replay_stored(const Workshop& shop, const std::vector<TuneItem>& items, db::Store& store, Turn* turn,
                  const std::optional<conformance::Checker::GpuTarget>& gpu) {
  std::set<std::string> kernels;
  for (const TuneItem& item : items)
    for (const Kernel* kernel : item.kernels) kernels.insert(kernel->full_name());
  std::vector<std::string> targets;
  if (cannot_judge(shop).empty()) targets.push_back(shop.host());
  if (gpu) targets.push_back(gpu->device.arch());
  worker::Process process;
  conformance::Checker checker(shop.catalogue, process, shop.compiler, conformance::Checker::Compile::when_needed, gpu);
  int failing = 0;
  for (const std::string& kernel : kernels)
    for (const std::string& target : targets) {
      const auto replays = conformance::replay_counterexamples(
          store, shop.catalogue, kernel, target,
          [&](const conformance::Case& test) {
            std::optional<Pause> pause;
            if (turn != nullptr) pause.emplace(*turn);
            return checker.check(test);
          },
          [](const std::string& line) { program::say("tune: " + line); }, shop.stop);
      for (const conformance::Replay& replay : replays)
        if (replay.failed()) program::say("tune: stored counterexample FAILS still: " + replay.stored.repro);
      failing += static_cast<int>(std::ranges::count_if(replays, &conformance::Replay::failed));
    }
  return failing;
}

}  // namespace warpwright::tuner

// Storing trials.
#include "tuner/measuring/trial_writer.hpp"

#include "conformance/suite/counterexamples.hpp"

namespace warpwright::tuner {

db::Id store_trial(Recorder& recorder, const CompiledConfiguration& configuration, const db::Trial& trial,
                   const std::vector<gpu::Sample>& samples) {
  std::vector<double> clocks;
  for (const gpu::Sample& sample : samples) clocks.push_back(sample.sm_clock_mhz);
  return recorder.store_trial(configuration, trial, times_of(samples), clocks);
}

db::Trial TrialWriter::new_trial(const CompiledConfiguration& configuration, const Problem& problem,
                                 std::optional<std::string> key) {
  return with_store(
      [&](Recorder& recorder) { return recorder.trial(configuration, problem, "measured", std::move(key)); });
}

db::Id TrialWriter::store(const CompiledConfiguration& configuration, const db::Trial& trial,
                          const std::vector<gpu::Sample>& samples) {
  return with_store([&](Recorder& recorder) { return store_trial(recorder, configuration, trial, samples); });
}

void TrialWriter::store_wrong(const CompiledConfiguration& configuration, const Problem& problem, Verdict verdict,
                              const std::string& detail) {
  db::Trial trial = new_trial(configuration, problem);
  trial.verdict = word_of(verdict);
  trial.detail = detail;
  store(configuration, trial, {});
}

void TrialWriter::store_wrong(const CompiledConfiguration& configuration, const Problem& problem,
                              const conformance::PropertyReport& report) {
  with_store([&](Recorder& recorder) {
    conformance::store_counterexample(recorder.store(), *report.counterexample, report.failure.detail);
  });
  store_wrong(configuration, problem, report.failure.verdict,
              report.failure.detail + conformance::repro_hint(*report.counterexample));
}

}  // namespace warpwright::tuner

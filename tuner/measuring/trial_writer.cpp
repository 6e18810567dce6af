// Storing trials.
#include "tuner/measuring/trial_writer.hpp"

#include "conformance/suite/counterexamples.hpp"

namespace warpwright::tuner {

db::Id store_trial(Recorder& recorder, const CompiledConfiguration& prepared, const db::Trial& trial,
                   const std::vector<gpu::Sample>& samples) {
  std::vector<double> clocks;
  for (const gpu::Sample& sample : samples) clocks.push_back(sample.sm_clock_mhz);
  return recorder.store_trial(prepared, trial, times_of(samples), clocks);
}

db::Trial TrialWriter::new_trial(const CompiledConfiguration& prepared, const Problem& problem,
                                 std::optional<std::string> key) {
  return with_store([&](Recorder& recorder) { return recorder.trial(prepared, problem, "measured", std::move(key)); });
}

db::Id TrialWriter::store(const CompiledConfiguration& prepared, const db::Trial& trial,
                          const std::vector<gpu::Sample>& samples) {
  return with_store([&](Recorder& recorder) { return store_trial(recorder, prepared, trial, samples); });
}

void TrialWriter::store_wrong(const CompiledConfiguration& prepared, const Problem& problem, Verdict verdict,
                              const std::string& detail) {
  db::Trial trial = new_trial(prepared, problem);
  trial.verdict = word_of(verdict);
  trial.detail = detail;
  store(prepared, trial, {});
}

void TrialWriter::store_wrong(const CompiledConfiguration& prepared, const Problem& problem,
                              const conformance::PropertyReport& report) {
  with_store([&](Recorder& recorder) {
    conformance::store_counterexample(recorder.store(), *report.counterexample, report.failure.detail);
  });
  store_wrong(prepared, problem, report.failure.verdict,
              report.failure.detail + conformance::repro_hint(*report.counterexample));
}

}  // namespace warpwright::tuner

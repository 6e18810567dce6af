// Verdicts and times of one configuration.
#include "tuner/predicting/evaluation.hpp"

#include <cmath>

#include "conformance/suite/counterexamples.hpp"
#include "tuner/predicting/traced_prediction.hpp"

namespace warpwright::tuner {

bool Evaluation::begin(const Device& device) {
  trial.simulated_cases = 0;
  trial.verdict = word_of(Verdict::unchecked);
  if (!prepared.built.ok) {
    trial.verdict = word_of(Verdict::not_compiled);
    trial.detail = prepared.built.log;
    return false;
  }
  trial.detail = refuses_launch(prepared, device);
  if (!trial.detail.empty()) trial.verdict = word_of(Verdict::not_launchable);
  return trial.detail.empty();
}

void Evaluation::blame(const conformance::CaseResult& result, const std::optional<conformance::Case>& test) {
  trial.verdict = word_of(result.verdict);
  trial.detail = result.detail;
  if (result.is_right() || !test) return;
  trial.detail += conformance::repro_hint(*test);
  counterexample = test;
}

void Evaluation::take_over(const Simulated& judged, const TuningContext& context, const Problem& problem) {
  access = judged.access;
  blame(judged.result, judged.counterexample);
  if (std::isfinite(judged.result.error_ratio)) trial.error_ratio = judged.result.error_ratio;
  const bool is_judged = judged.result.verdict != Verdict::not_modelled;
  if (is_judged) trial.simulated_cases = judged.cases;
  if (!prepared.plan.is_plain())
    trial.detail += "not predicted: the model knows neither the bus nor what overlaps on it";
  else if (access || !is_judged)
    trial.predicted_us = predict_from_trace(context, prepared, problem, access).us;
}

}  // namespace warpwright::tuner

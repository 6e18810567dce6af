// Sets verdict and predicted time of a configuration.
#include "tuner/predicting/evaluation.hpp"

#include <cmath>

#include "conformance/suite/counterexamples.hpp"
#include "db/query/model_error.hpp"
#include "tuner/predicting/traced_prediction.hpp"

namespace warpwright::tuner {

bool Evaluation::begin(const Device& device) {
  trial.simulated_cases = 0;
  trial.verdict = word_of(Verdict::unchecked);
  if (!configuration.built.ok) {
    trial.verdict = word_of(Verdict::not_compiled);
    trial.detail = configuration.built.log;
    return false;
  }
  trial.detail = refuses_launch(configuration, device);
  if (!trial.detail.empty()) trial.verdict = word_of(Verdict::not_launchable);
  return trial.detail.empty();
}

void Evaluation::set_verdict(const conformance::CaseResult& result, const std::optional<conformance::Case>& test) {
  trial.verdict = word_of(result.verdict);
  trial.detail = result.detail;
  if (result.is_right() || !test) return;
  trial.detail += conformance::repro_hint(*test);
  counterexample = test;
}

void Evaluation::take_over(const Simulated& simulated, const TuningContext& context, const Problem& problem,
                           const std::optional<Growth>& growth) {
  access = simulated.access;
  set_verdict(simulated.result, simulated.counterexample);
  warn(trial, simulated.note);
  if (std::isfinite(simulated.result.error_ratio)) trial.error_ratio = simulated.result.error_ratio;
  if (simulated.result.ok()) set_accuracy(trial, simulated.result.accuracy);
  const bool is_modelled = simulated.result.verdict != Verdict::not_modelled;
  // Where only accesses were counted, nothing was compared.
  const bool is_compared = simulated.result.verdict != Verdict::unchecked;
  if (is_modelled && is_compared) trial.simulated_cases = simulated.cases;
  if (!configuration.plan.is_plain()) {
    trial.detail += "not predicted: the model knows neither the bus nor what overlaps on it";
  } else if (access || !is_modelled) {
    Prediction prediction =
        predict_from_trace(context, configuration, problem, access, growth, simulated.counts_problem);
    trial.predicted_us = prediction.us;
    trial.limited_by = prediction.limited_by;
    if (std::isfinite(prediction.us)) {
      trial.low_us = db::least_measured * prediction.us;
      trial.high_us = db::most_measured * prediction.us;
    }
    launch_us = std::move(prediction.launch_us);
  }
}

}  // namespace warpwright::tuner

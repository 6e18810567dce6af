// Storing evaluations and ending their leases.
#include "tuner/predicting/work_share.hpp"

#include <algorithm>

#include "tuner/records/access_rows.hpp"
#include "tuner/tasks/stored_counterexamples.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::size_t kMostLeased = 48;  ///< evaluations for each worker
constexpr std::size_t kLeastLeased = 8;  ///< likewise, if other runs share the work

}  // namespace

std::size_t WorkShare::fair_part(std::size_t left, std::size_t workers, std::size_t limit) const {
  // An equal part of what is left for each run: guided self-scheduling (C. D. Polychronopoulos, D. J. Kuck, 1987).
  const std::size_t part = left / static_cast<std::size_t>(leases_.runs()) + 1;
  return std::min(limit, std::clamp(part, kLeastLeased * workers, kMostLeased * workers));
}

std::optional<db::Trial> WorkShare::stored(const Evaluation& evaluation) const {
  return recorder_.store().find_trial(evaluation.trial.config_key);
}

void WorkShare::finish(Evaluation& evaluation, const std::string& key) {
  recorder_.store().transaction([&] {
    if (evaluation.trial.id == 0) store(evaluation);
    leases_.finish(key);
  });
}

void WorkShare::store(Evaluation& evaluation) {
  db::Trial& trial = evaluation.trial;
  trial.id = recorder_.store_trial(evaluation.configuration, trial);
  if (evaluation.access)
    for (const db::Access& access :
         access_rows(*evaluation.access, trial.configuration_id, trial.problem_id, simulator_))
      recorder_.store().put_access(access);
  if (evaluation.counterexample && is_wrong(verdict_of(trial.verdict)) &&
      ++stored_counterexamples_[evaluation.configuration.kernel] <= kKeptCounterexamples)
    conformance::store_counterexample(recorder_.store(), *evaluation.counterexample, trial.detail);
}

}  // namespace warpwright::tuner

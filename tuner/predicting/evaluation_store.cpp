// Storing rows.
#include "tuner/predicting/evaluation_store.hpp"

#include "tuner/records/access_rows.hpp"
#include "tuner/tasks/stored_counterexamples.hpp"

namespace warpwright::tuner {

void EvaluationStore::keep(Evaluation& row) {
  row.trial.id = recorder_.store_trial(row.prepared, row.trial);
  if (row.access)
    for (const db::Access& access : access_rows(*row.access, row.trial.configuration_id, row.trial.problem_id, host_))
      recorder_.store().put_access(access);
  if (row.counterexample && is_wrong(verdict_of(row.trial.verdict)) &&
      ++kept_[row.prepared.kernel] <= kKeptCounterexamples)
    conformance::store_counterexample(recorder_.store(), *row.counterexample, row.trial.detail);
}

}  // namespace warpwright::tuner

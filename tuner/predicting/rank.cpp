// Merges the trials of several runs into one order.
#include "tuner/predicting/rank.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "db/query/predicted_ranking.hpp"
#include "db/query/query.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::tuner {
namespace {

/// Configurations of the task that other runs have ranked and this run has not evaluated.
std::vector<db::Trial> ranked_beside(Recorder& recorder, const TuningTask& task, const TuningRequest& request,
                                     const Device& device, const std::vector<db::Trial>& own) {
  std::set<db::Id> known;
  for (const db::Trial& trial : own) known.insert(trial.configuration_id);
  auto found = recorder.store().ranking(recorder.problem_id(task.problem), recorder.board_id(), "predicted");
  std::erase_if(found, [&](const db::Trial& trial) {
    return !recorder.is_from_beside(trial) || !may_be_best(trial) || known.contains(trial.configuration_id);
  });
  if (found.empty()) return found;
  std::set<std::pair<std::string, std::string>> asked;
  for (const Kernel* kernel : task.kernels)
    for (const Point& point : points_for(*kernel, task.problem, device, request.params))
      asked.emplace(kernel->name, kernel->space.text(point));
  std::erase_if(found, [&](const db::Trial& trial) {
    const auto view = db::find(recorder.store(), std::to_string(trial.id));
    return !view || !asked.contains({view->kernel, view->params});
  });
  return found;
}

}  // namespace

bool may_be_best(const db::Trial& trial) {
  const Verdict verdict = verdict_of(trial.verdict);
  return trial.predicted_us && (verdict == Verdict::passed || verdict == Verdict::unchecked);
}

void rank_predicted(Recorder& recorder, const TuningTask& task, const TuningRequest& request, const Device& device,
                    std::vector<db::Trial> trials) {
  recorder.store().transaction([&] {
    const auto beside = ranked_beside(recorder, task, request, device, trials);
    trials.insert(trials.end(), beside.begin(), beside.end());
    std::ranges::stable_sort(trials, {}, [](const db::Trial& trial) { return *trial.predicted_us; });
    if (!trials.empty())
      recorder.store().set_ranking(recorder.problem_id(task.problem), recorder.board_id(), "predicted",
                                   db::ranked_predictions(recorder.store(), trials));
  });
}

void store_launch_times(Recorder& recorder, const TuningTask& task, const std::vector<Evaluation>& evaluations) {
  std::set<db::Id> ranked;
  for (const db::Trial& trial :
       recorder.store().ranking(recorder.problem_id(task.problem), recorder.board_id(), "predicted"))
    ranked.insert(trial.id);
  recorder.store().transaction([&] {
    for (const Evaluation& one : evaluations) {
      if (one.launch_us.size() < 2 || !ranked.contains(one.trial.id)) continue;
      db::StepTime step{.trial_id = one.trial.id, .kind = "launch"};
      for (const auto& [launch, times] : launches_of(one.configuration.plan)) {
        step.us = one.launch_us.at(static_cast<std::size_t>(step.number));
        step.name = launch.entry;
        step.times = times;
        step.start_us = step.end_us;
        step.end_us += step.us;
        recorder.store().put_step(step);
        ++step.number;
      }
    }
  });
}

}  // namespace warpwright::tuner

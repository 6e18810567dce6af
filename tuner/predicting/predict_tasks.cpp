// Predicts problem after problem: first the defaults of all, then as much as there is time for.
#include "tuner/predicting/predict_tasks.hpp"

#include <algorithm>
#include <list>

#include "tuner/predicting/check_best.hpp"
#include "tuner/predicting/prediction_loop.hpp"
#include "tuner/predicting/rank.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kRankingShare = 0.2, kRankingSeconds = 3;  ///< of a problem's time, for checking its best

/// The prediction of one problem in progress.
struct TaskPrediction {
  const TuningTask& task;
  WorkShare share;
  PredictionLoop loop;

  TaskPrediction(const TuningContext& context, const TuningTask& asked, const TuningRequest& request,
                 Recorder& recorder, db::Leases& leases)
      : task(asked), share(recorder, leases, context.host()), loop(context, asked, request, share) {}
};

PredictedTask conclude(const TuningContext& context, const TuningRequest& request, TaskPrediction& prediction,
                       Budget::End end) {
  auto& [task, share, loop] = prediction;
  PredictedTask result{.outcome = {}, .searched = loop.searched()};
  auto& evaluations = loop.evaluations();
  auto best = check_best(context, task, share, end, evaluations);
  if (!context.stop) rank_predicted(share.recorder(), task, request, context.device, std::move(best));
  Faults faults;
  for (const Evaluation& one : evaluations) faults.add(verdict_of(one.trial.verdict));
  result.outcome = {.configurations = static_cast<int>(evaluations.size()) - loop.resumed(),
                    .resumed = loop.resumed(),
                    .shared = loop.shared(),
                    .faults = std::move(faults)};
  return result;
}

}  // namespace

void predict_tasks(const TuningContext& context, const std::vector<TuningTask>& tasks, const TuningRequest& request,
                   Recorder& recorder, db::Leases& leases, const Budget& budget,
                   const std::function<void(const TuningTask&, const PredictedTask&)>& done) {
  const auto begin = Budget::Clock::now();
  std::list<TaskPrediction> begun;
  const auto begin_with = [&](const TuningTask& task) -> TaskPrediction& {
    return begun.emplace_back(context, task, request, recorder, leases);
  };
  if (budget.end()) {
    // Also for a single problem: otherwise the first result would wait for all programs that are compiled together.
    const Budget::End end =
        leaving(budget.end(), begin, kRankingShare, kRankingSeconds * static_cast<double>(tasks.size()));
    for (const TuningTask& task : tasks) {
      if (context.stop) break;
      begin_with(task).loop.run(PredictionLoop::At::defaults, end);
    }
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (begun.empty()) {
      if (context.stop) break;
      begin_with(tasks[i]);
    }
    TaskPrediction& prediction = begun.front();
    const Budget::End end = budget.end_of_share(share_of_first(std::span(tasks).subspan(i)));
    prediction.loop.run(PredictionLoop::At::all, leaving(end, Budget::Clock::now(), kRankingShare, kRankingSeconds));
    prediction.loop.abandon();
    done(prediction.task, conclude(context, request, prediction, end));
    if (prediction.task.progress != nullptr) prediction.task.progress->finish(prediction.task.title);
    begun.pop_front();
  }
}

}  // namespace warpwright::tuner

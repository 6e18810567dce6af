// Predicts problem after problem: first the defaults of all, then as much as there is time for.
#include "tuner/predicting/predict_tasks.hpp"

#include <algorithm>
#include <list>

#include "kernels/system/stop.hpp"
#include "tuner/predicting/check_best.hpp"
#include "tuner/predicting/prediction_loop.hpp"
#include "tuner/predicting/rank.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kRankingShare = 0.2;  ///< of a problem's time, at most, for checking its best
constexpr double kRankingSeconds = 3;  ///< for that, before it is known what a case takes
constexpr double kRankingLeast = 1;    ///< seconds, however short a case is: workers may be busy
constexpr double kRankingTimes = 2;    ///< so often, as the first one may be wrong

/// The prediction of one problem in progress.
struct TaskPrediction {
  const TuningTask& task;
  WorkShare share;
  PredictionLoop loop;

  TaskPrediction(const TuningContext& context, const TuningTask& asked, const TuningRequest& request,
                 Recorder& recorder, db::Leases& leases)
      : task(asked), share(recorder, leases, context.host()), loop(context, asked, request, share) {}
};

/// For checking the best of a problem.
double ranking_seconds(const PredictionLoop& loop) {
  const auto of_case = loop.seconds_of_case();
  return of_case ? std::max(kRankingLeast, kRankingTimes * kFullPropertyCases * *of_case) : kRankingSeconds;
}

PredictedTask conclude(const TuningContext& context, const TuningRequest& request, TaskPrediction& prediction,
                       Budget::End end) {
  auto& [task, share, loop] = prediction;
  PredictedTask result{.outcome = {}, .searched = loop.searched()};
  auto& evaluations = loop.evaluations();
  auto best = check_best(context, task, share, end, evaluations);
  // What an interrupted run knows does not replace a ranking that a whole run has stored.
  Recorder& recorder = share.recorder();
  if (!context.stop ||
      recorder.store().ranking(recorder.problem_id(task.problem), recorder.board_id(), "predicted").empty())
    rank_predicted(recorder, task, request, context.device, std::move(best));
  store_launch_times(recorder, task, evaluations);
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
  const auto run = [&](PredictionLoop& loop, PredictionLoop::At what, Budget::End end) {
    try {
      loop.run(what, end);
    } catch (const Stopped&) {
      if (!context.stop) throw;  // else the best so far is said
    }
  };
  if (budget.end()) {
    // Also for a single problem: otherwise the first result would wait for all programs that are compiled together.
    const Budget::End end =
        leaving(budget.end(), begin, kRankingShare, kRankingSeconds * static_cast<double>(tasks.size()));
    for (const TuningTask& task : tasks) {
      // The tasks for all sizes are the last ones: they begin with what was found at each size.
      if (context.stop || is_over(end) || task.is_for_all_sizes) break;
      run(begin_with(task).loop, PredictionLoop::At::defaults, end);
    }
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (begun.empty()) {
      if (context.stop) break;
      if (is_over(budget.end())) {
        done(tasks[i], {});
        continue;
      }
      begin_with(tasks[i]);
    }
    TaskPrediction& prediction = begun.front();
    const Budget::End end = budget.end_of_share(share_of_first(std::span(tasks).subspan(i)));
    run(prediction.loop, PredictionLoop::At::all,
        leaving(end, Budget::Clock::now(), kRankingShare, ranking_seconds(prediction.loop)));
    prediction.loop.abandon();
    done(prediction.task, conclude(context, request, prediction, end));
    if (prediction.task.progress != nullptr) prediction.task.progress->finish(prediction.task.title);
    begun.pop_front();
  }
}

}  // namespace warpwright::tuner

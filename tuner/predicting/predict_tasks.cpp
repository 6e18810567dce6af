// Predicting problem after problem: first the defaults of all, then what the time is enough for.
#include "tuner/predicting/predict_tasks.hpp"

#include <algorithm>
#include <list>

#include "tuner/predicting/check_best.hpp"
#include "tuner/predicting/prediction_loop.hpp"
#include "tuner/predicting/rank.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kRankingShare = 0.2, kRankingSeconds = 3;  ///< of a problem's time, for judging its best

/// One problem on its way.
struct Way {
  const TuningTask& task;
  EvaluationStore rows;
  PredictionLoop look;

  Way(const TuningContext& context, const TuningTask& asked, const TuningRequest& request, Recorder& recorder,
      db::Leases& claims)
      : task(asked), rows(recorder, context.host()), look(context, asked, request, rows, claims) {}
};

PredictedTask conclude(const TuningContext& context, const TuningRequest& request, db::Leases& claims, Way& way,
                       Budget::End end) {
  PredictedTask result{.outcome = {}, .searched = way.look.searched()};
  auto& rows = way.look.rows();
  auto best = check_best(context, way.task, way.rows, claims, end, rows);
  if (!context.stop) rank_predicted(way.rows.recorder(), way.task, request, context.device, std::move(best));
  Faults faults;
  for (const Evaluation& row : rows) faults.add(verdict_of(row.trial.verdict));
  result.outcome = {.configurations = static_cast<int>(rows.size()) - way.look.resumed(),
                    .resumed = way.look.resumed(),
                    .shared = way.look.shared(),
                    .faults = std::move(faults)};
  return result;
}

}  // namespace

void predict_tasks(const TuningContext& context, const std::vector<TuningTask>& tasks, const TuningRequest& request,
                   Recorder& recorder, db::Leases& claims, const Budget& budget,
                   const std::function<void(const TuningTask&, const PredictedTask&)>& done) {
  const auto begin = Budget::Clock::now();
  std::list<Way> ways;
  const auto begin_with = [&](const TuningTask& task) -> Way& {
    return ways.emplace_back(context, task, request, recorder, claims);
  };
  if (budget.end()) {
    // Of one problem too: nothing is known before all that is on its way beside it is compiled.
    const Budget::End end =
        leaving(budget.end(), begin, kRankingShare, kRankingSeconds * static_cast<double>(tasks.size()));
    for (const TuningTask& task : tasks) {
      if (context.stop) break;
      begin_with(task).look.go_on(PredictionLoop::At::defaults, end);
    }
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (ways.empty()) {
      if (context.stop) break;
      begin_with(tasks[i]);
    }
    Way& way = ways.front();
    const Budget::End end = budget.end_of_share(share_of_first(std::span(tasks).subspan(i)));
    way.look.go_on(PredictionLoop::At::all, leaving(end, Budget::Clock::now(), kRankingShare, kRankingSeconds));
    way.look.leave();
    done(way.task, conclude(context, request, claims, way, end));
    if (way.task.progress != nullptr) way.task.progress->finish(way.task.title);
    ways.pop_front();
  }
}

}  // namespace warpwright::tuner

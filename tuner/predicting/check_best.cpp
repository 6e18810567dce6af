// Judging the best, beside other runs on the database.
#include "tuner/predicting/check_best.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <tuple>

#include "tuner/predicting/rank.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kCases = 50;

class BestJudge {
 public:
  BestJudge(const TuningContext& context, const TuningTask& task, EvaluationStore& rows, db::Leases& claims,
            Budget::End end)
      : context_(context), task_(task), row_store_(rows), leases_(claims), end_(end) {}

  std::vector<db::Trial> judge(std::vector<Evaluation>& rows);

 private:
  bool is_ours_to_judge(Evaluation& row, const std::string& key);
  void judge_whole(Evaluation& row, const std::string& key);

  const TuningContext& context_;
  const TuningTask& task_;
  EvaluationStore& row_store_;
  db::Leases& leases_;
  const Budget::End end_;
};

std::vector<db::Trial> BestJudge::judge(std::vector<Evaluation>& rows) {
  // Of equal times the first by its text, so that runs side by side and shards that are merged find the same best.
  std::vector<std::tuple<double, std::string, std::string, Evaluation*>> order;
  for (Evaluation& row : rows) {
    const Kernel& kernel = *row.prepared.kernel;
    if (may_be_best(row.trial))
      order.emplace_back(*row.trial.predicted_us, kernel.name, kernel.space.text(row.prepared.params), &row);
  }
  std::ranges::sort(order);
  auto best = order.begin();
  for (const bool can_judge = cannot_simulate(context_).empty();
       best != order.end() && can_judge && !context_.stop && !is_over(end_);) {
    Evaluation& row = *std::get<Evaluation*>(*best);
    if (!may_be_best(row.trial))
      ++best;
    else if (row.trial.full_property)
      break;
    else if (const std::string key = row.key + " whole"; is_ours_to_judge(row, key))
      judge_whole(row, key);
  }
  std::vector<db::Trial> trials;
  for (; best != order.end(); ++best) trials.push_back(std::get<Evaluation*>(*best)->trial);
  return trials;
}

/// Leases the whole property of a configuration. False where another run has judged it, which is taken over, or the
/// time is over or the user stops this one.
bool BestJudge::is_ours_to_judge(Evaluation& row, const std::string& key) {
  while (!context_.stop && !is_over(end_)) {
    const db::Lease claim = leases_.take(std::array{key}, 1).front();
    if (claim == db::Lease::held) {
      std::this_thread::sleep_for(db::Leases::ask_again);
      continue;
    }
    const auto newest = row_store_.recorder().store().find_trial(row.trial.config_key);
    if (newest && newest->id != row.trial.id && newest->created_at >= row.trial.created_at &&
        (newest->full_property || !may_be_best(*newest))) {
      row.trial = *newest;
      leases_.finish(key);
      return false;
    }
    if (claim == db::Lease::ours || leases_.take_done(key)) return true;
  }
  return false;
}

void BestJudge::judge_whole(Evaluation& row, const std::string& key) {
  auto judged = context_.build.pool.submit([&](worker::Process& process) {
    return simulate_cases(context_, process, row.prepared, task_.problem, kCases, end_);
  });
  leases_.keep_until(judged);
  const auto report = judged.get();
  if (report.interrupted && report.ok()) {  // it stays what it is: a second trial would say no more
    leases_.give_back(key);
    return;
  }
  // What was stored before, by whatever run, is stored again with what is known now, and from now on.
  Recorder& recorder = row_store_.recorder();
  row.trial.id = 0;
  row.trial.session_id = recorder.session().id;
  row.trial.created_at.clear();
  if (!report.ok()) {
    row.blame(report.failure, report.counterexample);
    row.trial.predicted_us.reset();
  } else if (!report.not_modelled.empty()) {
    row.blame({.verdict = Verdict::not_modelled, .detail = report.not_modelled}, std::nullopt);
  } else {
    row.trial.simulated_cases = row.trial.simulated_cases.value_or(0) + report.cases;
    row.trial.full_property = true;
  }
  recorder.store().transaction([&] {
    row_store_.keep(row);
    leases_.finish(key);
  });
}

}  // namespace

std::vector<db::Trial> check_best(const TuningContext& context, const TuningTask& task, EvaluationStore& store,
                                  db::Leases& claims, Budget::End end, std::vector<Evaluation>& rows) {
  return BestJudge(context, task, store, claims, end).judge(rows);
}

}  // namespace warpwright::tuner

// Checks the fastest configurations, together with other runs on the database.
#include "tuner/predicting/check_best.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <tuple>

#include "db/query/predicted_ranking.hpp"
#include "tuner/predicting/rank.hpp"

namespace warpwright::tuner {
namespace {

class BestCheck {
 public:
  BestCheck(const TuningContext& context, const TuningTask& task, WorkShare& share, Budget::End end)
      : context_(context), task_(task), share_(share), end_(end) {}

  std::vector<db::Trial> run(std::vector<Evaluation>& evaluations);

 private:
  Evaluation& preferred(const std::vector<Evaluation*>& fastest_first) const;
  bool lease(Evaluation& evaluation, const std::string& key);
  void check(Evaluation& evaluation, const std::string& key);

  const TuningContext& context_;
  const TuningTask& task_;
  WorkShare& share_;
  const Budget::End end_;
};

std::vector<db::Trial> BestCheck::run(std::vector<Evaluation>& evaluations) {
  // Equal times are ordered by text, so that runs side by side and merged shards find the same best.
  std::vector<std::tuple<double, std::string, std::string, Evaluation*>> order;
  for (Evaluation& one : evaluations) {
    const Kernel& kernel = *one.configuration.kernel;
    if (may_be_best(one.trial))
      order.emplace_back(*one.trial.predicted_us, kernel.name, kernel.space.text(one.configuration.params), &one);
  }
  std::ranges::sort(order);
  std::vector<Evaluation*> fastest;
  for (const auto& [us, kernel, params, evaluation] : order) fastest.push_back(evaluation);
  for (const bool can_simulate = cannot_simulate(context_).empty();
       can_simulate && !fastest.empty() && !context_.stop && !is_over(end_);) {
    Evaluation& one = preferred(fastest);
    if (one.trial.full_property) break;
    const std::string key = one.key + " whole";
    const bool is_ours = lease(one, key);
    if (is_ours) check(one, key);
    if (is_ours && may_be_best(one.trial)) break;  // passed, or not all of its cases could be checked
    std::erase_if(fastest, [](const Evaluation* left) { return !may_be_best(left->trial); });
  }
  std::vector<db::Trial> trials;
  for (const Evaluation* one : fastest) trials.push_back(one->trial);
  return trials;
}

/// The most robust of those that are equal to the fastest.
Evaluation& BestCheck::preferred(const std::vector<Evaluation*>& fastest_first) const {
  std::vector<const db::Trial*> trials;
  trials.reserve(fastest_first.size());
  for (const Evaluation* one : fastest_first) trials.push_back(&one->trial);
  const db::Trial* best = db::preferred_prediction(share_.recorder().store(), trials);
  return *fastest_first[static_cast<std::size_t>(std::ranges::find(trials, best) - trials.begin())];
}

/// Leases the full property of a configuration. False if another run has checked it (then its result is reused), if the
/// time is over, or if the user stops this run.
bool BestCheck::lease(Evaluation& evaluation, const std::string& key) {
  while (!context_.stop && !is_over(end_)) {
    const db::Lease answer = share_.take(std::array{key}, 1).front();
    if (answer == db::Lease::held) {
      std::this_thread::sleep_for(db::Leases::ask_again);
      continue;
    }
    const auto newest = share_.stored(evaluation);
    if (newest && newest->id != evaluation.trial.id && newest->created_at >= evaluation.trial.created_at &&
        (newest->full_property || !may_be_best(*newest))) {
      evaluation.trial = *newest;
      share_.finish(evaluation, key);
      return false;
    }
    if (answer == db::Lease::ours || share_.take_done(key)) return true;
  }
  return false;
}

void BestCheck::check(Evaluation& evaluation, const std::string& key) {
  auto checked = context_.build.pool.submit([&](worker::Process& process) {
    // A configuration that was only counted is compared on the problem's own data first.
    if (verdict_of(evaluation.trial.verdict) == Verdict::unchecked) {
      const Simulated traced =
          simulate_traced(context_, process, evaluation.configuration, task_.problem, Check::traced);
      if (!traced.result.ok() && traced.counterexample) {
        conformance::PropertyReport report;
        report.fail(*traced.counterexample, traced.result);
        return report;
      }
    }
    return simulate_cases(context_, process, evaluation.configuration, task_.problem, kFullPropertyCases, end_);
  });
  share_.wait(checked);
  const auto report = checked.get();
  if (report.interrupted && report.ok()) {  // a second trial would say nothing new
    share_.give_back(key);
    return;
  }
  // Trials are never changed; this run stores it once more, with the new result.
  evaluation.trial.id = 0;
  evaluation.trial.session_id = share_.recorder().session().id;
  evaluation.trial.created_at.clear();
  if (!report.ok()) {
    evaluation.set_verdict(report.failure, report.counterexample);
    evaluation.trial.predicted_us.reset();
  } else if (!report.not_modelled.empty()) {
    evaluation.set_verdict({.verdict = Verdict::not_modelled, .detail = report.not_modelled}, std::nullopt);
  } else {
    evaluation.trial.verdict = word_of(Verdict::passed);
    evaluation.trial.simulated_cases = evaluation.trial.simulated_cases.value_or(0) + report.checked();
    evaluation.trial.full_property = report.checked() >= kFullPropertyCases;
    for (const std::string& warning : report.audit.warnings()) warn(evaluation.trial, warning);
  }
  share_.finish(evaluation, key);
}

}  // namespace

std::vector<db::Trial> check_best(const TuningContext& context, const TuningTask& task, WorkShare& share,
                                  Budget::End end, std::vector<Evaluation>& evaluations) {
  return BestCheck(context, task, share, end).run(evaluations);
}

}  // namespace warpwright::tuner

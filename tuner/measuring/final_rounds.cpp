// The end of a problem, on one board: finalists in rounds, the certificate of the winner, and the libraries.
#include <algorithm>
#include <cmath>

#include "conformance/suite/counterexamples.hpp"
#include "kernels/core/statistics.hpp"
#include "tuner/measuring/baselines.hpp"
#include "tuner/measuring/certify.hpp"
#include "tuner/measuring/task_tuner.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kFinalistMargin = 1.03, kMostSpread = 1.05;
constexpr std::size_t kFinalists = 8;
constexpr double kRoundsShare = 0.5, kOverheadUs = 1000;  ///< of the time that is left; of a run

}  // namespace

/// A board that is lost leaves all of this to another one.
void TaskTuner::conclude(Rig& board) {
  phase_ = Phase::deciding;
  try {
    if (task_.progress != nullptr) task_.progress->now(task_.title, "ranking the fastest");
    if (!ends() && !winner_ && !is_decided()) decide(board);
    if (!ends() && winner_) result_.notes = compare(board);
  } catch (const GpuLost&) {
    phase_ = Phase::searched;
    throw;
  }
  result_.ceilings = ceilings_.at(&board);
  phase_ = Phase::done;
  if (task_.progress != nullptr) task_.progress->finish(task_.title);
  // A run has many problems, and the result is all that is asked for from here on.
  measured_.clear();
  winner_.reset();
  search_.reset();
}

/// Whether nothing new was measured since the ranking that the database holds.
bool TaskTuner::is_decided() {
  if (result_.outcome.configurations > 0) return false;
  for (const Measured& measured : measured_)
    if (measured.board->recorder.store().trial(measured.trial_id).rank == 1) winner_ = measured;
  return winner_.has_value();
}

double TaskTuner::spread() const {
  double least = 0, most = 0;
  for (const auto& [board, rates] : ceilings_) {
    if (rates.copy_gbs <= 0) continue;
    least = least == 0 ? rates.copy_gbs : std::min(least, rates.copy_gbs);
    most = std::max(most, rates.copy_gbs);
  }
  return least > 0 ? std::min(most / least, kMostSpread) : 1;
}

/// Measures the finalists interleaved, certifies the winner, and stores the ranking. A winner that is not right
/// drops out.
void TaskTuner::decide(Rig& board) {
  std::vector<Measured> finalists;
  for (const Measured& measured : measured_)
    if (measured.median_us <= best_us_ * kFinalistMargin * spread()) finalists.push_back(measured);
  std::ranges::sort(finalists, {}, &Measured::median_us);
  std::vector<double> round_us;
  for (const Measured& finalist : finalists) round_us.push_back((finalist.median_us + kOverheadUs) * kRounds);
  finalists.resize(std::min(kFinalists, affordable(end_, kRoundsShare, round_us)));
  std::ranges::sort(finalists, {}, &Measured::order);
  while (!finalists.empty() && !ends()) {
    std::vector<gpu::Candidate> candidates;
    for (const Measured& finalist : finalists) candidates.push_back(candidate(finalist.prepared));
    const worker::RoundsReply reply = blamed_rounds(board.bench, candidates, kRounds, request_.seed);
    std::vector<Measured> right;
    for (std::size_t i = 0; i < finalists.size(); ++i) {
      const gpu::Outcome& outcome = reply.outcomes[i];
      if (outcome.verdict == Verdict::passed)
        right.push_back(finalists[i]);
      else
        drop(board, finalists[i], outcome.verdict,
             outcome.detail + finder_.keep(board.bench, board.recorder, finalists[i].prepared, outcome));
    }
    if (right.size() < finalists.size()) {
      finalists = std::move(right);
      continue;
    }
    const std::size_t wrong = rank(board, finalists, reply);
    if (wrong == finalists.size()) return;
    finalists.erase(finalists.begin() + static_cast<std::ptrdiff_t>(wrong));
  }
}

void TaskTuner::drop(Rig& board, const Measured& finalist, Verdict verdict, const std::string& detail) {
  db::Trial trial = board.recorder.trial(finalist.prepared, task_.problem, "measured");
  trial.verdict = word_of(verdict);
  trial.detail = detail;
  store(board, finalist.prepared, trial, {});
  result_.outcome.faults.add(verdict);
}

/// Of a configuration whose property does not hold.
void TaskTuner::reject(Rig& board, const Measured& found, const conformance::PropertyReport& report) {
  conformance::store_counterexample(board.recorder.store(), *report.counterexample, report.failure.detail);
  drop(board, found, report.failure.verdict, report.failure.detail + conformance::repro_hint(*report.counterexample));
}

/// Stores the finalists' trials of these rounds and ranks them; gives the index of a winner that the property tests
/// found wrong, or the number of finalists.
std::size_t TaskTuner::rank(Rig& board, const std::vector<Measured>& finalists, const worker::RoundsReply& reply) {
  std::vector<std::vector<double>> times;
  for (const auto& round : reply.samples) times.push_back(times_of(round));
  const FinalistRanking ranking = rank_finalists(times);
  const std::string warnings = board.watch.look();
  const Certification certified =
      certify(board.bench, finalists[ranking.winner].prepared, task_.problem, request_.seed, end_, stop_);
  if (stop_) return finalists.size();
  for (const conformance::PropertyReport* report : {&certified.on_device, &certified.on_host}) {
    if (report->ok()) continue;
    reject(board, finalists[ranking.winner], *report);
    return ranking.winner;
  }
  Recorder& recorder = board.recorder;
  recorder.store().transaction([&] {
    std::vector<std::size_t> places(finalists.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::ranges::stable_sort(
        places, {}, [&](std::size_t i) { return std::pair(i != ranking.winner, ranking.finalists[i].median_us); });
    std::vector<db::Ranked> ranked;
    for (const std::size_t i : places)
      ranked.push_back({.trial_id = store_rounds(board, finalists[i], reply, i, warnings),
                        .rank = static_cast<int>(ranked.size()) + 1,
                        .tied = ranking.finalists[i].tied});
    winner_ = finalists[ranking.winner];
    winner_->trial_id = ranked.front().trial_id;
    recorder.store().add_certificate({.trial_id = winner_->trial_id,
                                      .cases = certified.on_device.cases,
                                      .seed = request_.seed,
                                      .host_cases = certified.on_host.judged(),
                                      .not_judged = certified.not_judged});
    recorder.store().set_ranking(recorder.problem_id(task_.problem), recorder.board_id(), "measured", ranked);
  });
  return finalists.size();
}

/// The trial of the finalist in that column of the rounds.
db::Id TaskTuner::store_rounds(Rig& board, const Measured& finalist, const worker::RoundsReply& reply,
                               std::size_t column, const std::string& warnings) const {
  std::vector<gpu::Sample> samples;
  for (const auto& round : reply.samples) samples.push_back(round[column]);
  db::Trial trial = board.recorder.trial(finalist.prepared, task_.problem, "measured");
  trial.verdict = word_of(Verdict::passed);
  warn(trial, warnings);
  trial.error_ratio = board.recorder.store().trial(finalist.trial_id).error_ratio;
  trial.mode = reply.outcomes[column].mode;
  set_times(trial, times_of(samples));
  return store(board, finalist.prepared, trial, samples);
}

std::vector<std::string> TaskTuner::compare(Rig& board) {
  if (has_opponents_ && is_over(end_)) return {"not measured: the budget was over"};
  return compare_with_baselines(
      board.bench,
      {.problem = task_.problem,
       .winner = candidate(winner_->prepared),
       .winner_trial = winner_->trial_id,
       .bounds = [this](double depth, const std::string& observation) { return bounds(depth, observation); },
       .speed_of_light_us = speed_of_light_us(pattern_.work(task_.problem), device_, ceilings_.at(&board).bus),
       .now =
           [this](const std::string& activity) {
             if (task_.progress != nullptr) task_.progress->now(task_.title, activity);
           },
       .seed = request_.seed,
       .end = end_},
      board.recorder, stop_);
}

}  // namespace warpwright::tuner

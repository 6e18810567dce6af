// Ranks a task's finalists on one GPU: alternating rounds of all, and the certificate of the fastest.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/statistics.hpp"
#include "kernels/core/target.hpp"
#include "kernels/core/warnings.hpp"
#include "tuner/measuring/certify.hpp"
#include "tuner/measuring/gpu_thread.hpp"
#include "tuner/records/access_rows.hpp"

namespace warpwright::tuner {
namespace {

/// A finalist that turns out wrong is stored as wrong and drops out, and the others are measured again.
class FinalRounds {
 public:
  FinalRounds(GpuThread& thread, MeasuringSetup& setup, const RankFinalists& job)
      : thread_(thread),
        setup_(setup),
        finalists_(job.finalists),
        rounds_(job.rounds),
        certifies_(job.certifies),
        has_baselines_(job.has_baselines) {}

  RankFinalists::Result run() {
    while (!finalists_.empty() && !setup_.context.stop && !setup_.context.failed) {
      std::vector<gpu::Candidate> candidates;
      for (const MeasuredConfiguration& finalist : finalists_)
        candidates.push_back(setup_.candidate(finalist.configuration));
      const worker::RoundsReply reply = blamed_rounds(thread_.gpu, candidates, rounds_, setup_.context.request.seed);
      if (!drop_wrong(reply) && rank(reply)) break;
    }
    return std::move(result_);
  }

 private:
  /// Whether any finalist was wrong in these rounds.
  bool drop_wrong(const worker::RoundsReply& reply) {
    std::vector<MeasuredConfiguration> right;
    for (std::size_t i = 0; i < finalists_.size(); ++i) {
      const gpu::Outcome& outcome = reply.outcomes[i];
      if (outcome.verdict == Verdict::passed) {
        right.push_back(finalists_[i]);
        continue;
      }
      const CompiledConfiguration& configuration = finalists_[i].configuration;
      thread_.writer.store_wrong(
          configuration, setup_.problem, outcome.verdict,
          outcome.detail + setup_.finder.keep(thread_.gpu, thread_.writer, configuration, outcome));
      result_.dropped.push_back(outcome.verdict);
    }
    if (right.size() == finalists_.size()) return false;
    finalists_ = std::move(right);
    return true;
  }

  /// Certifies the winner (unless a kernel was not measured) and stores the ranking. Returns false if it was found
  /// wrong, or was not shown to be deterministic if it must be, so that it drops out.
  bool rank(const worker::RoundsReply& reply) {
    std::vector<std::vector<double>> times;
    for (const auto& round : reply.samples) times.push_back(times_of(round));
    FinalistRanking ranking = rank_finalists(times);
    // A configuration that is tied with the stored best does not replace it.
    for (const std::size_t tied : ranking.tied)
      if (finalists_[tied].was_best) ranking.winner = tied;
    const std::size_t chosen = best_in(ranking);
    const MeasuredConfiguration& winner = finalists_[chosen];
    std::string warnings = thread_.watch.warnings_now();
    const TaskContext& context = setup_.context;
    const bool must_be_deterministic = context.request.params.only_deterministic;
    std::optional<bool> deterministic;
    if (must_be_deterministic) {
      const EqualBits equal = equal_bits(thread_.gpu, context.catalogue, winner.configuration, setup_.problem,
                                         leaving(setup_.end, Budget::Clock::now(), 0.2, 8), context.stop);
      if (context.stop) return true;
      deterministic = equal.shown;
      if (!deterministic.value_or(false)) return drop_not_deterministic(chosen, equal.why);
    }
    Certification certified{.on_device = {}};
    if (certifies_)
      certified =
          certify(thread_.gpu, winner.configuration, setup_.small, context.request.seed, certified_by(), context.stop);
    if (context.stop) return true;
    for (const conformance::PropertyReport* report : {&certified.on_device, &certified.on_host}) {
      if (report->ok()) continue;
      thread_.writer.store_wrong(winner.configuration, setup_.problem, *report);
      result_.dropped.push_back(report->failure.verdict);
      finalists_.erase(finalists_.begin() + static_cast<std::ptrdiff_t>(chosen));
      return false;
    }
    if (certifies_ && !must_be_deterministic && !setup_.end)
      deterministic =
          equal_bits(thread_.gpu, context.catalogue, winner.configuration, setup_.problem, {}, context.stop).shown;
    if (context.stop) return true;
    conformance::Audit audit = certified.on_device.audit;
    audit.add(certified.on_host.audit);
    for (const std::string& one : audit.warnings()) add_warning(warnings, one);
    std::vector<std::vector<gpu::StepTime>> steps;
    for (const MeasuredConfiguration& finalist : finalists_) steps.push_back(step_times(finalist.configuration));
    store(reply, ranking, chosen, certified, deterministic, steps, repeated(ranking, chosen), warnings);
    return true;
  }

  /// The finalist that is best by the run's objective.
  std::size_t best_in(const FinalistRanking& ranking) const {
    const Objective objective = setup_.context.request.objective;
    if (objective == Objective::time) return ranking.winner;
    std::vector<double> costs;
    for (std::size_t i = 0; i < finalists_.size(); ++i)
      costs.push_back(cost_of(objective, ranking.finalists[i].median_us, finalists_[i].joules));
    return static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
  }

  /// Without it the others are ranked, if there is time.
  bool drop_not_deterministic(std::size_t finalist, const std::string& why) {
    std::string& all = result_.not_deterministic;
    if (all.find(why) == std::string::npos) all += (all.empty() ? "" : "; ") + why;
    finalists_.erase(finalists_.begin() + static_cast<std::ptrdiff_t>(finalist));
    if (is_over(setup_.end)) finalists_.clear();
    return false;
  }

  /// Empty for a single step, whose time is the trial's, and if the time is over. A GPU that is lost meanwhile is found
  /// lost by its next job; what it has measured counts.
  std::vector<gpu::StepTime> step_times(const CompiledConfiguration& finalist) {
    if (is_over(setup_.end) || gpu::timed_steps(finalist.plan).size() < 2) return {};
    try {
      return thread_.gpu.step_times(setup_.candidate(finalist), kStepRuns);
    } catch (const GpuLost&) {
      return {};
    }
  }

  /// The winner first, then the finalists by their times.
  std::vector<std::size_t> places_in(const FinalistRanking& ranking) const {
    std::vector<std::size_t> places(finalists_.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::ranges::stable_sort(
        places, {}, [&](std::size_t i) { return std::pair(i != ranking.winner, ranking.finalists[i].median_us); });
    return places;
  }

  /// What many runs of each finalist show. Energies take long: with a budget, a tenth of what is left is for those of
  /// the others than the winner.
  std::vector<gpu::Repeated> repeated(const FinalistRanking& ranking, std::size_t chosen) const {
    std::vector<gpu::Repeated> all(finalists_.size());
    const Budget::End others_end = leaving(setup_.end, Budget::Clock::now(), 0.9, std::numeric_limits<double>::max());
    for (const std::size_t i : places_in(ranking)) {
      const bool is_in_time = !is_over(i == chosen ? setup_.end : others_end);
      const bool has_energy = is_in_time && !std::isfinite(finalists_[i].joules);
      const bool replays = ranking.finalists[i].median_us < kReplayBelowUs && !is_over(setup_.end);
      if (!has_energy && !replays) continue;
      try {
        all[i] = thread_.gpu.repeat(setup_.candidate(finalists_[i].configuration), has_energy, replays);
      } catch (const GpuLost&) {
        break;
      }
    }
    return all;
  }

  /// Leaves time for the step times and baselines, which come after the certificate.
  Budget::End certified_by() const {
    const Budget::Clock::time_point now = Budget::Clock::now();
    return has_baselines_ ? leaving(setup_.end, now, 0.5, 16) : leaving(setup_.end, now, 0.1, 1);
  }

  void store(const worker::RoundsReply& reply, const FinalistRanking& ranking, std::size_t chosen,
             const Certification& certified, std::optional<bool> deterministic,
             const std::vector<std::vector<gpu::StepTime>>& steps, const std::vector<gpu::Repeated>& repeated,
             const std::string& warnings) {
    const std::vector<std::size_t> places = places_in(ranking);
    thread_.writer.with_store([&](Recorder& recorder) {
      recorder.store().transaction([&] {
        std::vector<db::Ranked> ranked;
        for (const std::size_t i : places) {
          const auto has_equal_bits = i == chosen ? deterministic : std::nullopt;
          ranked.push_back({.trial_id = store_rounds(recorder, reply, i, has_equal_bits, repeated[i], warnings),
                            .rank = static_cast<int>(ranked.size()) + 1,
                            .tied = ranking.finalists[i].tied});
          store_steps(recorder.store(), ranked.back().trial_id, steps[i]);
          if (i != chosen) continue;
          result_.winner = finalists_[i];
          result_.winner->trial_id = ranked.back().trial_id;
        }
        store_access(recorder, finalists_[chosen].configuration, certified);
        const bool was_simulated = !certified.not_modelled.empty() || certified.on_host.checked() > 0;
        if (certifies_ && certified.on_device.cases > 0 && was_simulated)
          recorder.store().add_certificate({.trial_id = result_.winner->trial_id,
                                            .cases = certified.on_device.cases,
                                            .seed = setup_.context.request.seed,
                                            .simulated_cases = certified.on_host.checked(),
                                            .not_modelled = certified.not_modelled});
        recorder.store().set_ranking(recorder.problem_id(setup_.problem), recorder.board_id(), "measured", ranked);
      });
    });
  }

  /// The trial of the finalist in that column of the rounds.
  db::Id store_rounds(Recorder& recorder, const worker::RoundsReply& reply, std::size_t column,
                      std::optional<bool> deterministic, const gpu::Repeated& repeated,
                      const std::string& warnings) const {
    const MeasuredConfiguration& finalist = finalists_[column];
    std::vector<gpu::Sample> samples;
    for (const auto& round : reply.samples) samples.push_back(round[column]);
    db::Trial trial = recorder.trial(finalist.configuration, setup_.problem, "measured");
    trial.verdict = word_of(Verdict::passed);
    warn(trial, warnings);
    const db::Trial searched = recorder.store().trial(finalist.trial_id);
    trial.error_ratio = searched.error_ratio;
    trial.relative_error = searched.relative_error;
    trial.error_ulp = searched.error_ulp;
    if (searched.warnings.find(kOwnDataOnly) != std::string::npos) warn(trial, kOwnDataOnly);
    trial.deterministic = deterministic;
    trial.joules = repeated.joules ? repeated.joules : searched.joules;
    trial.replay_us = repeated.replay_us;
    trial.mode = reply.outcomes[column].mode;
    set_times(trial, times_of(samples));
    return store_trial(recorder, finalist.configuration, trial, samples);
  }

  static void store_steps(db::Store& store, db::Id trial_id, const std::vector<gpu::StepTime>& steps) {
    int number = 0;
    for (const gpu::StepTime& step : steps)
      store.put_step({.trial_id = trial_id,
                      .number = number++,
                      .kind = step.kind,
                      .name = step.name,
                      .stream = step.stream,
                      .times = step.times,
                      .start_us = step.start_us,
                      .end_us = step.end_us,
                      .us = step.us});
  }

  void store_access(Recorder& recorder, const CompiledConfiguration& winner, const Certification& certified) const {
    if (!certified.access) return;
    for (const db::Access& row :
         access_rows(*certified.access, recorder.configuration_id(*winner.kernel, winner.params),
                     recorder.problem_id(setup_.problem), host_target(setup_.device.compute_capability)))
      recorder.store().put_access(row);
  }

  GpuThread& thread_;
  MeasuringSetup& setup_;
  std::vector<MeasuredConfiguration> finalists_;
  const int rounds_;
  const bool certifies_, has_baselines_;
  RankFinalists::Result result_;
};

}  // namespace

RankFinalists::Result RankFinalists::run(GpuThread& thread, MeasuringSetup& setup) const {
  return FinalRounds(thread, setup, *this).run();
}

}  // namespace warpwright::tuner

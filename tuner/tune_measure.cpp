// Measuring the configurations of one problem.
#include "tuner/tune_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>

#include "tuner/progress.hpp"
#include "tuner/statistics.hpp"
#include "tuner/stopping_rule.hpp"
#include "tuner/tune_baselines.hpp"
#include "tuner/tune_judge.hpp"
#include "tuner/tune_session.hpp"

namespace warpwright::tuner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFinalistMargin = 1.03;
constexpr std::size_t kFinalists = 8;
constexpr int kRounds = 30;
constexpr int kCertificateCases = 200;
constexpr int kJudgedCases = 60;  ///< of a certificate too: on the host
constexpr double kEventResolutionUs = 0.5;
constexpr double kThrottledShare = 0.75;  ///< of the board's clock
constexpr std::chrono::seconds kWatchEvery{1};
constexpr StoppingOptions kSearchRule{.min_samples = 5, .max_samples = 15, .relative_width = 0.02};

/// A configuration that was measured, in this run or an earlier one.
struct Measured {
  Prepared prepared;
  db::Id trial_id = 0;
  std::size_t order = 0;  ///< canonical: kernel, then point
  double median_us = std::numeric_limits<double>::infinity();
};

class ItemRun {
 public:
  ItemRun(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder,
          worker::GpuClient& client, GpuWatch& watch)
      : shop_(shop),
        item_(item),
        request_(request),
        recorder_(recorder),
        client_(client),
        watch_(watch),
        pattern_(shop.catalogue.pattern(item.problem.pattern)) {}

  MeasuredItem run() {
    const auto begin = Clock::now();
    inputs_ = session_inputs(pattern_, item_.problem, request_.seed);
    client_.select(problem_text(item_.problem) + fmt::format(" seed {}", request_.seed),
                   session_setup(shop_, item_.problem, inputs_));
    MeasuredItem result;
    const Work work = pattern_.work(item_.problem);
    constexpr double kLeast = 1 << 20;
    result.ceilings =
        client_.ceilings(static_cast<std::int64_t>(std::max({work.bytes_read, work.bytes_written, kLeast})));
    std::size_t order = 0;
    for (std::size_t k = 0; k < item_.kernels.size() && !shop_.stop; ++k) {
      // What is left of the budget is shared by the kernels that are left.
      deadline_.reset();
      if (request_.budget_seconds > 0) {
        const double used = std::chrono::duration<double>(Clock::now() - begin).count();
        const double share = (request_.budget_seconds - used) / static_cast<double>(item_.kernels.size() - k);
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(share));
      }
      search(*item_.kernels[k], order);
    }
    if (!shop_.stop && !is_decided()) decide();
    if (!shop_.stop && winner_) result.notes = compare();
    outcome_.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    result.outcome = outcome_;
    return result;
  }

 private:
  gpu::Candidate candidate(const Prepared& prepared) const {
    const double depth = prepared.kernel->depth(prepared.params, item_.problem, shop_.device);
    return {.plan = prepared.plan, .built = prepared.built, .bounds = bounds(depth)};
  }

  std::vector<std::vector<Bound>> bounds(double depth, const std::string& observation = {}) const {
    return session_bounds(pattern_, item_.problem, shop_.device, inputs_, depth, observation);
  }

  /// Asks the strategy, compiles what it asks for ahead, and measures in that order.
  void search(const Kernel& kernel, std::size_t& order) {
    const PointSet set = point_set(kernel, item_.problem, shop_.device);
    const auto strategy = make_strategy(request_.strategy_name(), set.space, request_.seed);
    const std::size_t limit =
        request_.budget_evaluations > 0 ? static_cast<std::size_t>(request_.budget_evaluations) : set.points.size();
    const std::size_t ahead = request_.strategy_name() == "exhaustive" || request_.strategy_name() == "random"
                                  ? set.points.size()
                                  : 2 * shop_.pool.size();
    std::deque<std::pair<std::size_t, std::shared_future<Built>>> queue;
    std::size_t asked = 0;
    Progress progress("measuring " + kernel.full_name() + " on " + problem_text(item_.problem),
                      std::min(limit, set.points.size()));
    while (!shop_.stop && !(deadline_ && Clock::now() >= *deadline_)) {
      if (queue.size() < (ahead + 1) / 2 && asked < limit) {
        const auto points = strategy->ask(std::min(ahead - queue.size(), limit - asked));
        asked += points.size();
        std::vector<Program> programs;
        for (const std::size_t point : points)
          programs.push_back(
              conformance::program_for(shop_.catalogue, kernel, set.points[point], item_.problem, shop_.device));
        const auto built = shop_.compiler.compile(shop_.device.arch(), programs);
        for (std::size_t i = 0; i < points.size(); ++i) queue.emplace_back(points[i], built[i]);
      }
      if (queue.empty()) break;
      const auto [point, built] = queue.front();
      queue.pop_front();
      Measured measured{.prepared = prepare(kernel, set.points[point], item_.problem, shop_.device),
                        .order = order + point};
      complete(measured.prepared, built.get(), shop_.device);
      evaluate(measured);
      strategy->tell(point, measured.median_us);
      if (std::isfinite(measured.median_us)) measured_.push_back(std::move(measured));
      progress.tick(std::isfinite(best_us_) ? fmt::format("best {:.1f} us", best_us_) : "");
    }
    order += set.points.size();
  }

  /// Takes a configuration over from the database, or verifies, times and stores it.
  void evaluate(Measured& measured) {
    db::Trial trial = recorder_.trial(measured.prepared, item_.problem, "measured");
    if (!request_.remeasure) {
      if (const auto known = recorder_.store().find_trial(trial.config_key)) {
        ++outcome_.resumed;
        measured.trial_id = known->id;
        if (known->verdict == word_of(Verdict::passed) && known->median_us) note(measured, *known->median_us);
        return;
      }
    }
    std::vector<gpu::Sample> samples;
    if (!measured.prepared.built.ok) {
      trial.verdict = word_of(Verdict::not_compiled);
      trial.detail = measured.prepared.built.log;
    } else if (const std::string refusal = refuses_launch(measured.prepared, shop_.device); !refusal.empty()) {
      trial.verdict = word_of(Verdict::not_launchable);
      trial.detail = refusal;
    } else {
      measure(measured, trial, samples);
    }
    measured.trial_id = store(measured.prepared, trial, samples);
    ++outcome_.configurations;
    const Verdict verdict = verdict_of(trial.verdict);
    if (is_wrong(verdict)) ++outcome_.wrong;
    if (verdict == Verdict::passed && trial.median_us) note(measured, *trial.median_us);
  }

  void note(Measured& measured, double median_us) {
    measured.median_us = median_us;
    best_us_ = std::min(best_us_, median_us);
  }

  void measure(const Measured& measured, db::Trial& trial, std::vector<gpu::Sample>& samples) {
    const gpu::Candidate made = candidate(measured.prepared);
    StoppingRule rule(kSearchRule, best_us_);
    RetryPolicy retries;
    int throttled = 0;
    StopReason reason = StopReason::none;
    bool verify = true;
    while (reason == StopReason::none) {
      const worker::TrialReply reply = client_.trial(made, verify, kSearchRule.min_samples);
      trial.verdict = word_of(reply.outcome.verdict);
      trial.detail = reply.outcome.detail;
      if (std::isfinite(reply.outcome.error_ratio))
        trial.error_ratio = std::max(trial.error_ratio.value_or(0), reply.outcome.error_ratio);
      verify = false;
      trial.mode = reply.outcome.mode;
      if (reply.outcome.verdict != Verdict::passed) return;
      for (const gpu::Sample& sample : reply.samples) {
        const bool slow = sample.sm_clock_mhz > 0 && sample.sm_clock_mhz < kThrottledShare * shop_.device.sm_clock_mhz;
        if (retries.retry(slow)) continue;
        throttled += slow ? 1 : 0;
        samples.push_back(sample);
        if (reason == StopReason::none) reason = rule.add(sample.microseconds);
      }
    }
    std::vector<double> times;
    for (const gpu::Sample& sample : samples) times.push_back(sample.microseconds);
    const Interval interval = median_interval(times);
    trial.median_us = median(times);
    trial.low_us = interval.low;
    trial.high_us = interval.high;
    trial.stopped_early = reason == StopReason::cannot_win;
    trial.warnings = watch_.recent(kWatchEvery);
    if (throttled > 0)
      trial.warnings += fmt::format("{}{} samples at a reduced clock", trial.warnings.empty() ? "" : "; ", throttled);
    if (impossible(*trial.median_us, floor_us(pattern_.work(item_.problem), shop_.device), kEventResolutionUs)) {
      trial.verdict = word_of(Verdict::mistrusted);
      trial.detail = "faster than the memory or the arithmetic of this board allows";
    }
  }

  db::Id store(const Prepared& prepared, const db::Trial& trial, const std::vector<gpu::Sample>& samples) {
    std::vector<double> times;
    std::vector<double> clocks;
    for (const gpu::Sample& sample : samples) {
      times.push_back(sample.microseconds);
      clocks.push_back(sample.sm_clock_mhz);
    }
    return recorder_.store_trial(prepared, trial, times, clocks);
  }

  /// Whether nothing new was measured since the ranking that the database holds.
  bool is_decided() {
    if (outcome_.configurations > 0) return false;
    for (const Measured& measured : measured_)
      if (recorder_.store().trial(measured.trial_id).rank == 1) winner_ = measured;
    return winner_.has_value();
  }

  std::vector<std::string> compare() {
    return compare_with_baselines(
        bench_of(client_),
        {.problem = item_.problem,
         .winner = candidate(winner_->prepared),
         .winner_trial = winner_->trial_id,
         .bounds = [this](double depth, const std::string& observation) { return bounds(depth, observation); },
         .broken_law =
             [this](const worker::CallableOffer& offer, const worker::KnobsOffer& knobs) {
               return broken_law(shop_, client_, item_.problem, offer, knobs, request_.seed);
             },
         .floor_us = floor_us(pattern_.work(item_.problem), shop_.device),
         .seed = request_.seed},
        recorder_, shop_.stop);
  }

  /// Measures the finalists interleaved, certifies the winner, and stores the ranking. A winner that is not right
  /// drops out.
  void decide() {
    std::vector<Measured> finalists;
    for (const Measured& measured : measured_)
      if (measured.median_us <= best_us_ * kFinalistMargin) finalists.push_back(measured);
    std::ranges::sort(finalists, {}, &Measured::median_us);
    if (finalists.size() > kFinalists) finalists.resize(kFinalists);
    std::ranges::sort(finalists, {}, &Measured::order);
    while (!finalists.empty() && !shop_.stop) {
      std::vector<gpu::Candidate> candidates;
      for (const Measured& finalist : finalists) candidates.push_back(candidate(finalist.prepared));
      const worker::RoundsReply reply = client_.rounds(candidates, kRounds, request_.seed);
      std::vector<Measured> right;
      for (std::size_t i = 0; i < finalists.size(); ++i) {
        if (reply.outcomes[i].verdict == Verdict::passed)
          right.push_back(finalists[i]);
        else
          drop(finalists[i], reply.outcomes[i].verdict, reply.outcomes[i].detail);
      }
      if (right.size() < finalists.size()) {
        finalists = std::move(right);
        continue;
      }
      const std::size_t wrong = rank(finalists, reply);
      if (wrong == finalists.size()) return;
      finalists.erase(finalists.begin() + static_cast<std::ptrdiff_t>(wrong));
    }
  }

  void drop(const Measured& finalist, Verdict verdict, const std::string& detail) {
    db::Trial trial = recorder_.trial(finalist.prepared, item_.problem, "measured");
    trial.verdict = word_of(verdict);
    trial.detail = detail;
    store(finalist.prepared, trial, {});
    ++outcome_.wrong;
  }

  /// Stores the finalists' trials of these rounds and ranks them; gives the index of a winner that the property tests
  /// found wrong, or the number of finalists.
  std::size_t rank(const std::vector<Measured>& finalists, const worker::RoundsReply& reply) {
    const auto& rounds = reply.samples;
    std::vector<std::vector<double>> times;
    for (const auto& round : rounds) {
      auto& row = times.emplace_back();
      for (const gpu::Sample& sample : round) row.push_back(sample.microseconds);
    }
    const FinalistRanking ranking = rank_finalists(times);
    const std::string warnings = watch_.look();
    const Certification certified = certify(finalists[ranking.winner].prepared);
    if (shop_.stop) return finalists.size();
    for (const conformance::PropertyReport* report : {&certified.on_device, &certified.on_host}) {
      if (report->ok()) continue;
      drop(finalists[ranking.winner], report->failure.verdict,
           with_repro(report->failure.detail, *report->counterexample));
      return ranking.winner;
    }
    recorder_.store().transaction([&] {
      std::vector<std::size_t> places(finalists.size());
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
      std::ranges::stable_sort(
          places, {}, [&](std::size_t i) { return std::pair(i != ranking.winner, ranking.finalists[i].median_us); });
      std::vector<db::Ranked> ranked;
      for (std::size_t place = 0; place < places.size(); ++place) {
        const std::size_t i = places[place];
        std::vector<gpu::Sample> samples;
        std::vector<double> column;
        for (const auto& round : rounds) {
          samples.push_back(round[i]);
          column.push_back(round[i].microseconds);
        }
        db::Trial trial = recorder_.trial(finalists[i].prepared, item_.problem, "measured");
        const Interval interval = median_interval(column);
        const db::Trial searched = recorder_.store().trial(finalists[i].trial_id);
        trial.verdict = word_of(Verdict::passed);
        trial.warnings = warnings;
        trial.error_ratio = searched.error_ratio;
        trial.mode = reply.outcomes[i].mode;
        trial.median_us = median(column);
        trial.low_us = interval.low;
        trial.high_us = interval.high;
        const db::Id id = store(finalists[i].prepared, trial, samples);
        ranked.push_back({.trial_id = id, .rank = static_cast<int>(place) + 1, .tied = ranking.finalists[i].tied});
        if (i != ranking.winner) continue;
        recorder_.store().add_certificate({.trial_id = id,
                                           .cases = certified.on_device.cases,
                                           .seed = request_.seed,
                                           .host_cases = certified.on_host.judged(),
                                           .not_judged = certified.not_judged});
        winner_ = finalists[i];
        winner_->trial_id = id;
      }
      recorder_.store().set_ranking(recorder_.problem_id(item_.problem), recorder_.board_id(), "measured", ranked);
    });
    return finalists.size();
  }

  /// Hardware forgives races, and the host does not know clocks: a winner must pass on both.
  struct Certification {
    conformance::PropertyReport on_device;
    conformance::PropertyReport on_host = {};
    std::string not_judged = {};  ///< why not on the host
  };

  Certification certify(const Prepared& winner) {
    Certification result{.on_device = run_on_device(winner), .not_judged = cannot_judge(shop_)};
    if (!result.on_device.ok() || shop_.stop || !result.not_judged.empty()) return result;
    result.on_host = shop_.pool
                         .submit([&](worker::Process& process) {
                           return judge_cases(shop_, process, winner, item_.problem, kJudgedCases);
                         })
                         .get();
    result.not_judged = result.on_host.not_judged;
    return result;
  }

  conformance::PropertyReport run_on_device(const Prepared& winner) {
    conformance::Checker checker(
        shop_.catalogue, client_.process(),
        {.built = [this](const std::string& target,
                         const Program& program) { return shop_.compiler.compile_one(target, program); },
         .ahead = [this](const std::string& target,
                         const std::vector<Program>& programs) { shop_.compiler.compile(target, programs); }},
        conformance::Checker::GpuTarget{.device = shop_.device, .index = client_.info().index});
    return conformance::run_property(shop_.catalogue, checker, *winner.kernel,
                                     {.target = shop_.device.arch(),
                                      .cases = kCertificateCases,
                                      .seed = request_.seed,
                                      .params = {winner.params},
                                      .problems = {item_.problem},
                                      .draw_numbers = false,
                                      .max_steps = 1 << 14,
                                      .deadline = std::nullopt,
                                      .stop = &shop_.stop});
  }

  const Workshop& shop_;
  const TuneItem& item_;
  const TuneRequest& request_;
  Recorder& recorder_;
  worker::GpuClient& client_;
  GpuWatch& watch_;
  const Pattern& pattern_;
  std::vector<Input> inputs_;
  std::optional<Clock::time_point> deadline_;
  std::vector<Measured> measured_;
  std::optional<Measured> winner_;
  double best_us_ = std::numeric_limits<double>::infinity();
  TuneOutcome outcome_;
};

}  // namespace

MeasuredItem measure_item(const Workshop& shop, const TuneItem& item, const TuneRequest& request, Recorder& recorder,
                          worker::GpuClient& client, GpuWatch& watch) {
  return ItemRun(shop, item, request, recorder, client, watch).run();
}

}  // namespace warpwright::tuner

// Measuring the configurations of one problem.
#include "tuner/tune/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>

#include "conformance/device_session.hpp"
#include "tuner/progress.hpp"
#include "tuner/statistics.hpp"
#include "tuner/stopping_rule.hpp"
#include "tuner/tune/baselines.hpp"
#include "tuner/tune/certify.hpp"
#include "tuner/tune/failures.hpp"
#include "tuner/tune/sample_judge.hpp"
#include "tuner/tune/search.hpp"
#include "tuner/tune/session.hpp"

namespace warpwright::tuner {
namespace {

using Clock = Budget::Clock;

constexpr double kFinalistMargin = 1.03;
constexpr std::size_t kFinalists = 8;
constexpr double kRoundsShare = 0.5, kOverheadUs = 1000;  ///< of the time that is left; of a run
constexpr std::size_t kAhead = 3;  ///< configurations on their way for each compiler, where the next depend on times
constexpr std::chrono::milliseconds kNow{0}, kPoll{20};
constexpr double kThrottledShare = 0.75;  ///< of the board's clock
constexpr std::chrono::seconds kWatchEvery{1};
constexpr StoppingOptions kSearchRule{.min_samples = 5, .max_samples = 15, .relative_width = 0.02};

/// A configuration that was measured, in this run or an earlier one.
struct Measured {
  Prepared prepared;
  db::Id trial_id = 0;
  std::size_t order = 0;  ///< canonical: kernel, then point
  double median_us = std::numeric_limits<double>::infinity();
  bool is_new = false;  ///< of this run
};

class ItemRun {
 public:
  ItemRun(const Catalogue& catalogue, const TuneItem& item, const TuneRequest& request, Recorder& recorder,
          GpuBench& bench, GpuWatch& watch, Budget::End end, const std::atomic<bool>& stop)
      : catalogue_(catalogue),
        item_(item),
        request_(request),
        recorder_(recorder),
        bench_(bench),
        watch_(watch),
        end_(end),
        stop_(stop),
        device_(bench.device()),
        pattern_(catalogue.pattern(item.problem.pattern)),
        failures_(bench, recorder, item.problem, request, stop),
        sample_(bench, catalogue, item.problem, end, stop) {}

  MeasuredItem run() {
    inputs_ = session_inputs(pattern_, item_.problem, request_.seed);
    bench_.select(item_.problem, inputs_);
    MeasuredItem result;
    const Work work = pattern_.work(item_.problem);
    // What fits into the L2 is no measure of the memory.
    const double least = std::max(4.0 * static_cast<double>(device_.l2_bytes), 1048576.0);
    result.ceilings = bench_.ceilings(static_cast<std::int64_t>(std::max({work.bytes_read, work.bytes_written, least})),
                                      static_cast<std::int64_t>(std::max(work.bus_to_device, work.bus_to_host)));
    bus_ = result.ceilings.bus;
    result.looked_at = search();
    if (!stop_ && !is_decided()) decide();
    if (!stop_ && winner_) result.notes = compare();
    result.outcome = outcome_;
    return result;
  }

 private:
  gpu::Candidate candidate(const Prepared& prepared) const {
    return {.plan = prepared.plan,
            .built = prepared.built,
            .bounds = bounds(prepared.kernel->depth(prepared.params, item_.problem, device_))};
  }

  std::vector<std::vector<Bound>> bounds(double depth, const std::string& observation = {}) const {
    return conformance::session_bounds(pattern_, item_.problem, device_, inputs_, depth, observation);
  }

  /// Compiles what the search asks for ahead, and measures what is ready first.
  std::string search() {
    Search search(item_.kernels, item_.problem, device_, request_, best_on_other_data(recorder_, item_.problem));
    const std::size_t ahead =
        is_guided(request_.strategy_name()) ? kAhead * bench_.compilers() : std::max<std::size_t>(search.size(), 1);
    struct Waiting {
      Choice choice;
      Program program;
      std::shared_future<Built> built;
    };
    std::list<Waiting> queue;
    Progress progress(item_.place + "measuring " + problem_text(item_.problem), search.size());
    while (!stop_ && !is_over(search_end())) {
      if (queue.size() < (ahead + 1) / 2) {
        const auto choices = search.ask(ahead - queue.size());
        std::vector<Program> programs;
        std::vector<std::pair<const Kernel*, Point>> sampled;
        for (const Choice choice : choices) {
          const Kernel& kernel = *item_.kernels[choice.kernel];
          programs.push_back(
              conformance::program_for(catalogue_, kernel, search.params(choice), item_.problem, device_));
          if (search.is_sampled(choice)) sampled.emplace_back(&kernel, search.params(choice));
        }
        const auto built = bench_.compile(programs);
        sample_.expect(sampled);
        for (std::size_t i = 0; i < choices.size(); ++i) queue.push_back({choices[i], programs[i], built[i]});
      }
      if (queue.empty()) break;
      const auto ready = std::ranges::find_if(
          queue, [](const Waiting& one) { return one.built.wait_for(kNow) != std::future_status::timeout; });
      if (ready == queue.end()) {
        queue.front().built.wait_for(kPoll);
        continue;
      }
      const Choice choice = ready->choice;
      Measured measured{
          .prepared = prepare(*item_.kernels[choice.kernel], search.params(choice), item_.problem, device_),
          .order = search.order(choice)};
      complete(measured.prepared, ready->built.get(), device_);
      queue.erase(ready);
      evaluate(measured);
      search.tell(choice, measured.median_us);
      if (std::isfinite(measured.median_us)) {
        if (search.is_sampled(choice) && measured.is_new) sample_.add(measured.prepared, measured.order);
        measured_.push_back(std::move(measured));
      }
      hear_sample(false);
      progress.tick(std::isfinite(best_us_) ? fmt::format("best {:.1f} us", best_us_) : "");
    }
    std::vector<Program> left;
    for (const Waiting& one : queue) left.push_back(one.program);
    bench_.give_up(left);
    hear_sample(true);
    return search.looked_at();
  }

  /// What the host says of the sample, as far as it has or (if asked to wait) all of it. What it rejects drops out.
  void hear_sample(bool wait) {
    while (const auto judged = sample_.next(wait && !stop_)) {
      if (judged->report.judged() > 0) ++outcome_.judged;
      if (judged->report.ok()) continue;
      const auto wrong = std::ranges::find(measured_, judged->order, &Measured::order);
      reject(*wrong, judged->report);
      measured_.erase(wrong);
      best_us_ = std::numeric_limits<double>::infinity();
      for (const Measured& measured : measured_) best_us_ = std::min(best_us_, measured.median_us);
    }
  }

  /// What comes after the search takes its part of the time.
  Budget::End search_end() const {
    constexpr double kShare = 0.3, kMost = 8;
    return leaving(end_, begin_, kShare, kMost);
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
    } else if (const std::string refusal = refuses_launch(measured.prepared, device_); !refusal.empty()) {
      trial.verdict = word_of(Verdict::not_launchable);
      trial.detail = refusal;
    } else {
      measure(measured, trial, samples);
    }
    measured.trial_id = store(measured.prepared, trial, samples);
    ++outcome_.configurations;
    measured.is_new = true;
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
      const worker::TrialReply reply = bench_.trial(made, verify, kSearchRule.min_samples);
      trial.verdict = word_of(reply.outcome.verdict);
      trial.detail = reply.outcome.detail;
      if (std::isfinite(reply.outcome.error_ratio))
        trial.error_ratio = std::max(trial.error_ratio.value_or(0), reply.outcome.error_ratio);
      verify = false;
      trial.mode = reply.outcome.mode;
      if (reply.outcome.verdict != Verdict::passed) {
        trial.detail += failures_.keep(measured.prepared, reply.outcome);
        return;
      }
      for (const gpu::Sample& sample : reply.samples) {
        const bool slow = sample.sm_clock_mhz > 0 && sample.sm_clock_mhz < kThrottledShare * device_.sm_clock_mhz;
        if (retries.retry(slow)) continue;
        throttled += slow ? 1 : 0;
        samples.push_back(sample);
        if (reason == StopReason::none) reason = rule.add(sample.microseconds);
      }
    }
    set_times(trial, times_of(samples));
    trial.stopped_early = reason == StopReason::cannot_win;
    warn(trial, watch_.recent(kWatchEvery));
    if (throttled > 0) warn(trial, fmt::format("{} samples at a reduced clock", throttled));
    if (impossible(*trial.median_us, floor_of(measured.prepared.plan), kEventResolutionUs)) {
      trial.verdict = word_of(Verdict::mistrusted);
      trial.detail = "faster than the memory, the bus or the arithmetic of this board allows";
    }
  }

  double floor_of(const Plan& plan) const {
    return floor_us(device_work(pattern_.work(item_.problem), plan), device_, bus_);
  }

  db::Id store(const Prepared& prepared, const db::Trial& trial, const std::vector<gpu::Sample>& samples) {
    std::vector<double> clocks;
    for (const gpu::Sample& sample : samples) clocks.push_back(sample.sm_clock_mhz);
    return recorder_.store_trial(prepared, trial, times_of(samples), clocks);
  }

  /// Whether nothing new was measured since the ranking that the database holds.
  bool is_decided() {
    if (outcome_.configurations > 0) return false;
    for (const Measured& measured : measured_)
      if (recorder_.store().trial(measured.trial_id).rank == 1) winner_ = measured;
    return winner_.has_value();
  }

  std::vector<std::string> compare() {
    if (is_over(end_)) return {"not measured: the budget was over"};
    return compare_with_baselines(
        bench_,
        {.problem = item_.problem,
         .winner = candidate(winner_->prepared),
         .winner_trial = winner_->trial_id,
         .bounds = [this](double depth, const std::string& observation) { return bounds(depth, observation); },
         .floor_us = floor_us(pattern_.work(item_.problem), device_, bus_),
         .seed = request_.seed},
        recorder_, stop_);
  }

  /// Measures the finalists interleaved, certifies the winner, and stores the ranking. A winner that is not right
  /// drops out.
  void decide() {
    std::vector<Measured> finalists;
    for (const Measured& measured : measured_)
      if (measured.median_us <= best_us_ * kFinalistMargin) finalists.push_back(measured);
    std::ranges::sort(finalists, {}, &Measured::median_us);
    std::vector<double> round_us;
    for (const Measured& finalist : finalists) round_us.push_back((finalist.median_us + kOverheadUs) * kRounds);
    finalists.resize(std::min(kFinalists, affordable(end_, kRoundsShare, round_us)));
    std::ranges::sort(finalists, {}, &Measured::order);
    while (!finalists.empty() && !stop_) {
      std::vector<gpu::Candidate> candidates;
      for (const Measured& finalist : finalists) candidates.push_back(candidate(finalist.prepared));
      const worker::RoundsReply reply = blamed_rounds(bench_, candidates, kRounds, request_.seed);
      std::vector<Measured> right;
      for (std::size_t i = 0; i < finalists.size(); ++i) {
        if (reply.outcomes[i].verdict == Verdict::passed)
          right.push_back(finalists[i]);
        else
          drop(finalists[i], reply.outcomes[i].verdict,
               reply.outcomes[i].detail + failures_.keep(finalists[i].prepared, reply.outcomes[i]));
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

  /// Of a configuration whose property does not hold.
  void reject(const Measured& found, const conformance::PropertyReport& report) {
    conformance::store_counterexample(recorder_.store(), *report.counterexample, report.failure.detail);
    drop(found, report.failure.verdict, report.failure.detail + conformance::repro_hint(*report.counterexample));
  }

  /// Stores the finalists' trials of these rounds and ranks them; gives the index of a winner that the property tests
  /// found wrong, or the number of finalists.
  std::size_t rank(const std::vector<Measured>& finalists, const worker::RoundsReply& reply) {
    std::vector<std::vector<double>> times;
    for (const auto& round : reply.samples) times.push_back(times_of(round));
    const FinalistRanking ranking = rank_finalists(times);
    const std::string warnings = watch_.look();
    const Certification certified =
        certify(bench_, finalists[ranking.winner].prepared, item_.problem, request_.seed, end_, stop_);
    if (stop_) return finalists.size();
    for (const conformance::PropertyReport* report : {&certified.on_device, &certified.on_host}) {
      if (report->ok()) continue;
      reject(finalists[ranking.winner], *report);
      return ranking.winner;
    }
    recorder_.store().transaction([&] {
      std::vector<std::size_t> places(finalists.size());
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
      std::ranges::stable_sort(
          places, {}, [&](std::size_t i) { return std::pair(i != ranking.winner, ranking.finalists[i].median_us); });
      std::vector<db::Ranked> ranked;
      for (const std::size_t i : places)
        ranked.push_back({.trial_id = store_rounds(finalists[i], reply, i, warnings),
                          .rank = static_cast<int>(ranked.size()) + 1,
                          .tied = ranking.finalists[i].tied});
      winner_ = finalists[ranking.winner];
      winner_->trial_id = ranked.front().trial_id;
      recorder_.store().add_certificate({.trial_id = winner_->trial_id,
                                         .cases = certified.on_device.cases,
                                         .seed = request_.seed,
                                         .host_cases = certified.on_host.judged(),
                                         .not_judged = certified.not_judged});
      recorder_.store().set_ranking(recorder_.problem_id(item_.problem), recorder_.board_id(), "measured", ranked);
    });
    return finalists.size();
  }

  /// The trial of the finalist in that column of the rounds.
  db::Id store_rounds(const Measured& finalist, const worker::RoundsReply& reply, std::size_t column,
                      const std::string& warnings) {
    std::vector<gpu::Sample> samples;
    for (const auto& round : reply.samples) samples.push_back(round[column]);
    db::Trial trial = recorder_.trial(finalist.prepared, item_.problem, "measured");
    trial.verdict = word_of(Verdict::passed);
    warn(trial, warnings);
    trial.error_ratio = recorder_.store().trial(finalist.trial_id).error_ratio;
    trial.mode = reply.outcomes[column].mode;
    set_times(trial, times_of(samples));
    return store(finalist.prepared, trial, samples);
  }

  const Catalogue& catalogue_;
  const TuneItem& item_;
  const TuneRequest& request_;
  Recorder& recorder_;
  GpuBench& bench_;
  GpuWatch& watch_;
  const Budget::End end_;
  const std::atomic<bool>& stop_;
  const Device& device_;
  const Pattern& pattern_;
  Failures failures_;
  SampleJudge sample_;
  std::vector<Input> inputs_;
  BusRates bus_;  ///< of this session
  const Clock::time_point begin_ = Clock::now();
  std::vector<Measured> measured_;
  std::optional<Measured> winner_;
  double best_us_ = std::numeric_limits<double>::infinity();
  TuneOutcome outcome_;
};

}  // namespace

MeasuredItem measure_item(const Catalogue& catalogue, const TuneItem& item, const TuneRequest& request,
                          Recorder& recorder, GpuBench& bench, GpuWatch& watch, Budget::End end,
                          const std::atomic<bool>& stop) {
  return ItemRun(catalogue, item, request, recorder, bench, watch, end, stop).run();
}

}  // namespace warpwright::tuner

// Decides which job of a task is next, and processes its result.
#include "tuner/measuring/task_tuner.hpp"
#include "conformance/checks/case_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "kernels/core/statistics.hpp"

namespace warpwright::tuner {
namespace {

/// Configurations in progress per compiler at most, if the next ones depend on times. A compiler takes several at once.
constexpr std::size_t kAhead = 3;
constexpr std::size_t kToldPerAhead = 2;  ///< known times for each of them, once there is more than one per compiler
constexpr double kTooSlow = 10;           ///< times the best; a longer run is ended
constexpr double kFinalistMargin = 1.03, kMostSpread = 1.05;
constexpr std::size_t kFinalists = 8;
constexpr int kLeastRounds = 6;              ///< with fewer samples a median has no interval with 95 % confidence
constexpr double kRestOfFirstTrials = 0.15;  ///< share of the time that is kept until every kernel has a trial
constexpr double kRoundsShare = 0.5, kMostForRest = 0.6;  ///< share of the remaining time; of all time, after the
                                                          ///< search
constexpr double kOverheadUs = 1000;                      ///< per run, until it is measured

}  // namespace

void TaskTuner::begin(Budget::End end) {
  setup_.end = end;
  begin_ = Budget::Clock::now();
  std::vector<Choice> compiled;
  for (const QueuedConfiguration& one : queue_) compiled.push_back(one.choice);
  expect_sampled(compiled);
}

std::optional<Job> TaskTuner::compile_early(GpuThread& thread) {
  if (has_begun() || busy_ > 0 || asked_ > 0) return std::nullopt;
  // The test for equal bits needs all cores at once, for a moment.
  if (context().request.params.only_deterministic) return std::nullopt;
  if (!search_) return make_job(thread, ReadKnown{});
  auto choices = search_->ask(kAhead * thread.gpu.compilers());
  if (choices.empty()) return std::nullopt;
  return compile(thread, std::move(choices), worker::Urgency::can_wait);
}

NextStep TaskTuner::next(GpuThread& thread, bool rests) {
  switch (phase_) {
    case Phase::searching:
      return has_search_work() ? search(thread, rests) : NextStep();
    case Phase::closing:
      return decider_ == &thread ? close(thread) : NextStep();
    case Phase::searched:
      return decide(thread);
    case Phase::deciding:
      return decider_ == &thread ? compare(thread) : NextStep();
    case Phase::done:
      break;
  }
  return {};
}

bool TaskTuner::done(const Job& job, Measurement measurement) {
  const bool was_done = phase_ == Phase::done;
  if (const auto* late = std::get_if<Late>(&measurement)) {
    if (was_done) return false;
    give_back(job);
    result_.outcome.late_answers = late->why;
    end();
    return true;
  }
  if (was_done && !result_.outcome.late_answers.empty()) return false;
  std::visit(
      [&](const auto& what) {
        using Result = typename std::decay_t<decltype(what)>::Result;
        finish(job, what, std::get<Result>(std::move(measurement)));
      },
      job.what);
  return !was_done && phase_ == Phase::done;
}

void TaskTuner::give_back(const Job& job) {
  if (const auto* measure = std::get_if<MeasureConfiguration>(&job.what)) {
    queue_.push_front(measure->queued);
    --busy_;
  } else if (std::holds_alternative<CompilePrograms>(job.what)) {
    --busy_;
  } else if (!std::holds_alternative<ReadKnown>(job.what) && !std::holds_alternative<SelectProblem>(job.what)) {
    phase_ = Phase::searched;
  }
}

/// The seconds of a run that takes `us` on the GPU, including its overhead as measured so far.
double TaskTuner::run_seconds(double us) const {
  const gpu::TrialParts& parts = result_.outcome.seconds.parts;
  return (us + (parts.runs > 0 ? parts.restoring / parts.runs : kOverheadUs)) / 1e6;
}

/// The end of the search. Later work gets its share of the time: at least enough to rank the best and another one.
Budget::End TaskTuner::search_end() const {
  const bool only_deterministic = context().request.params.only_deterministic;
  const Budget::End usual = only_deterministic                            ? leaving(setup_.end, *begin_, 0.7, 24)
                            : has_baselines_ || setup_.is_answered_on_cpu ? leaving(setup_.end, *begin_, 0.4, 24)
                                                                          : leaving(setup_.end, *begin_, 0.3, 8);
  if (search_ && !search_->knows_every_kernel()) return leaving(setup_.end, *begin_, kRestOfFirstTrials, 8);
  if (!usual || !std::isfinite(best_us_)) return usual;
  const double ranking = 2 * kRounds * run_seconds(best_us_) / kRoundsShare;
  return std::min(usual, leaving(setup_.end, *begin_, kMostForRest, ranking));
}

/// Whether other tasks need the time more: the search finds nothing better any more.
bool TaskTuner::has_stalled() const {
  return others_wait_ && setup_.end && is_guided(context().request.strategy_name()) && search_->knows_every_kernel() &&
         improvements_.have_ceased(search_->size());
}

/// Whether a configuration that begins now ends before the search does.
bool TaskTuner::may_measure() const {
  return !has_stalled() && is_in_time(search_end(), result_.outcome.seconds.mean());
}

bool TaskTuner::has_search_work() const {
  if (busy_ == 0 || !search_) return true;
  return may_measure() && (!queue_.empty() || asked_ < search_->size());
}

NextStep TaskTuner::select(GpuThread& thread) {
  if (progress() != nullptr) progress()->now(title(), "computing the right answers");
  return make_job(thread, SelectProblem{.measures_rates = !rates_.contains(&thread)});
}

/// GPUs that begin the task at the same time read the same.
void TaskTuner::finish(const Job& /*job*/, const ReadKnown& /*read*/, ReadKnown::Result result) {
  if (!search_ && phase_ == Phase::searching)
    search_.emplace(setup_.task.kernels, setup_.problem, setup_.device, context().request, result.known,
                    setup_.task.is_for_all_sizes);
}

void TaskTuner::finish(const Job& job, const SelectProblem& /*selected*/, SelectProblem::Result result) {
  if (progress() != nullptr) progress()->now(title(), "");
  result_.outcome.seconds.parts.setting_up += result.setting_up_us;
  if (result.rates) {
    rates_[job.thread] = *result.rates;
    has_baselines_ = result.has_baselines;
  }
  if (phase_ != Phase::searching || std::exchange(is_announced_, true)) return;
  job.thread->writer.with_store([&](Recorder& recorder) { recorder.store_spaces(setup_.problem, search_->spaces()); });
  if (progress() != nullptr) progress()->begin(title(), search_->size());
}

/// How many configurations may be in progress, and below which number more are asked for. A choice that depends on
/// times is better the more of them it knows; so there are few at first.
std::pair<std::size_t, std::size_t> TaskTuner::ahead(const GpuThread& thread) const {
  if (!is_guided(context().request.strategy_name())) return {search_->size(), (search_->size() + 1) / 2};
  const std::size_t compilers = thread.gpu.compilers();
  const auto told = static_cast<std::size_t>(result_.outcome.configurations + result_.outcome.resumed);
  const std::size_t most = std::clamp(told / kToldPerAhead, compilers, kAhead * compilers);
  return {most, most - (most - compilers) / 2};
}

/// Compiles the search's next configurations ahead, and measures the first that is ready.
NextStep TaskTuner::search(GpuThread& thread, bool rests) {
  if (!search_) return make_job(thread, ReadKnown{});
  if (!is_selected(thread)) return select(thread);
  if (may_measure()) {
    const auto [in_progress, enough] = ahead(thread);
    if (queue_.size() < enough)
      if (auto choices = search_->ask(in_progress - queue_.size()); !choices.empty())
        return compile(thread, std::move(choices));
    if (!queue_.empty()) {
      if (rests) return Wait{};
      // A guided search asks for the default first. Its time is what all others are compared with.
      const bool is_first =
          busy_ == 0 && result_.outcome.seconds.count == 0 && is_guided(context().request.strategy_name());
      const auto last = is_first ? std::next(queue_.begin()) : queue_.end();
      const auto ready =
          std::find_if(queue_.begin(), last, [](const QueuedConfiguration& one) { return one.built.is_ready(); });
      if (ready != last) return measure(thread, ready);
      waiting_.try_emplace(&thread, Budget::Clock::now());
      return Wait{[built = queue_.front().built](std::chrono::milliseconds most) { built.wait_for(most); }};
    }
    // The next configurations may depend on times that other GPUs are measuring.
    if (busy_ > 0) return asked_ < search_->size() ? NextStep(Wait{}) : NextStep();
  }
  if (busy_ > 0) return {};
  // The last GPU to leave the search ends the search.
  std::vector<Program> left;
  for (const QueuedConfiguration& one : queue_) left.push_back(one.program);
  queue_.clear();
  context().simulator.give_up(left);
  // Most likely the simulator checks this configuration next, for its certificate.
  if (const auto best = std::ranges::min_element(measured_, {}, [&](const auto& one) { return cost(one); });
      best != measured_.end())
    sample_.expect(std::array{std::pair(best->configuration.kernel, best->configuration.params)},
                   worker::Urgency::at_once);
  phase_ = Phase::closing;
  decider_ = &thread;
  // No time passes: before the next step the queue may have programs of another task compiled.
  return Wait{[](std::chrono::milliseconds) {}};
}

Job TaskTuner::compile(GpuThread& thread, std::vector<Choice> choices, worker::Urgency urgency) {
  asked_ += choices.size();
  ++busy_;
  std::vector<Program> programs;
  for (const Choice choice : choices)
    programs.push_back(conformance::program_for(context().catalogue, search_->kernel(choice), search_->params(choice),
                                                setup_.problem, setup_.device));
  return make_job(thread,
                  CompilePrograms{.choices = std::move(choices), .programs = std::move(programs), .urgency = urgency});
}

void TaskTuner::finish(const Job& /*job*/, const CompilePrograms& compiled, CompilePrograms::Result result) {
  for (std::size_t i = 0; i < compiled.choices.size(); ++i)
    queue_.push_back({compiled.choices[i], compiled.programs[i], result.built[i]});
  if (has_begun()) expect_sampled(compiled.choices);
  --busy_;
}

/// Has those of the sample compiled for the simulator.
void TaskTuner::expect_sampled(std::span<const Choice> choices) {
  std::vector<std::pair<const Kernel*, Point>> sampled;
  for (const Choice choice : choices)
    if (is_to_be_simulated(choice)) sampled.emplace_back(&search_->kernel(choice), search_->params(choice));
  sample_.expect(sampled);
}

NextStep TaskTuner::measure(GpuThread& thread, std::list<QueuedConfiguration>::iterator queued) {
  if (const auto waited = waiting_.extract(&thread))
    result_.outcome.seconds.compiling += std::chrono::duration<double>(Budget::Clock::now() - waited.mapped()).count();
  const Choice choice = queued->choice;
  MeasureConfiguration measure{
      .queued = std::move(*queued),
      .kernel = &search_->kernel(choice),
      .params = search_->params(choice),
      .order = search_->order(choice),
      .best_us = best_us_,
      .too_slow_us = kTooSlow * (std::isfinite(best_us_) ? best_us_ : search_->known_us(choice)),
      .again = search_->finalist(choice) != nullptr,
      .rates = rates_.at(&thread)};
  queue_.erase(queued);
  ++busy_;
  return make_job(thread, std::move(measure));
}

void TaskTuner::finish(const Job& job, const MeasureConfiguration& evaluated, MeasureConfiguration::Result result) {
  result_.outcome.seconds.add(result.seconds);
  if (result.measured)
    add(evaluated.queued.choice, std::move(*result.measured), result.verdict);
  else
    give_back(job);
  take_sample_results();
}

void TaskTuner::add(Choice choice, MeasuredConfiguration measured, Verdict verdict) {
  --busy_;
  ++(measured.is_new ? result_.outcome.configurations : result_.outcome.resumed);
  if (measured.is_new) result_.outcome.faults.add(verdict);
  if (const KnownBest* known = search_->finalist(choice); known != nullptr) {
    measured.was_best = known->is_best;
    if (measured.is_new && std::isfinite(measured.median_us) && known->us > 0)
      drifts_.push_back(measured.median_us / known->us);
  } else if (!measured.is_new && !drifts_.empty()) {
    measured.median_us *= std::clamp(median(drifts_), 1 / kMostSpread, kMostSpread);
  }
  // Its equal bits must be shown in the simulator soon after the search.
  if (measured.median_us < best_us_ && context().request.params.only_deterministic)
    sample_.expect(std::array{std::pair(measured.configuration.kernel, measured.configuration.params)},
                   worker::Urgency::at_once);
  best_us_ = std::min(best_us_, measured.median_us);
  improvements_.add(cost(measured));
  search_->tell(choice, cost(measured));
  if (std::isfinite(measured.median_us)) {
    if (is_to_be_simulated(choice) && measured.is_new)
      sample_.add(measured.configuration, measured.order, search_end());
    measured_.push_back(std::move(measured));
  }
  if (progress() != nullptr) progress()->evaluated(title(), best_us_);
}

/// Waits until the simulator has checked the covering sample.
NextStep TaskTuner::close(GpuThread& thread) {
  take_sample_results();
  if (sample_.expects()) return Wait{sample_.until_next()};
  result_.searched = search_->searched();
  phase_ = Phase::searched;
  return decide(thread);
}

/// Configurations of the sample that the simulator found wrong drop out.
void TaskTuner::take_sample_results() {
  while (const auto checked = sample_.next()) {
    if (checked->report.checked() > 0) ++result_.outcome.simulated;
    if (checked->report.ok()) continue;
    const auto wrong = std::ranges::find(measured_, checked->order, &MeasuredConfiguration::order);
    wrong->writer->store_wrong(wrong->configuration, setup_.problem, checked->report);
    result_.outcome.faults.add(checked->report.failure.verdict);
    measured_.erase(wrong);
    best_us_ = std::numeric_limits<double>::infinity();
    for (const MeasuredConfiguration& measured : measured_) best_us_ = std::min(best_us_, measured.median_us);
  }
}

NextStep TaskTuner::decide(GpuThread& thread) {
  if (!is_selected(thread)) return select(thread);
  phase_ = Phase::deciding;
  decider_ = &thread;
  if (progress() != nullptr) progress()->now(title(), "ranking the fastest");
  if (winner_) return compare(thread);
  std::vector<MeasuredConfiguration> ranked = finalists();
  const int rounds = affordable_rounds(ranked);
  return make_job(thread, RankFinalists{.finalists = std::move(ranked),
                                        .rounds = rounds,
                                        .certifies = search_->knows_every_kernel(),
                                        .has_baselines = has_baselines_});
}

/// GPUs of one model differ a little, so the finalists may differ by as much.
double TaskTuner::spread() const {
  double least = 0, most = 0;
  for (const auto& [thread, rates] : rates_) {
    if (rates.copy_gbs <= 0) continue;
    least = least == 0 ? rates.copy_gbs : std::min(least, rates.copy_gbs);
    most = std::max(most, rates.copy_gbs);
  }
  return least > 0 ? std::min(most / least, kMostSpread) : 1;
}

/// The configurations close to the best, the stored best and the fastest; as many as there is time for, in canonical
/// order.
std::vector<MeasuredConfiguration> TaskTuner::finalists() const {
  double best = std::numeric_limits<double>::infinity();
  for (const MeasuredConfiguration& measured : measured_) best = std::min(best, cost(measured));
  const auto is_finalist = [&](const MeasuredConfiguration& one) {
    return one.was_best || one.median_us <= best_us_ || cost(one) <= best * kFinalistMargin * spread();
  };
  std::vector<MeasuredConfiguration> finalists;
  std::ranges::copy_if(measured_, std::back_inserter(finalists), is_finalist);
  // First those without which the others say little.
  std::ranges::sort(finalists, {}, [&](const MeasuredConfiguration& one) {
    return std::tuple(cost(one) > best, !one.was_best, one.median_us > best_us_, cost(one));
  });
  std::vector<double> round_us;
  for (const MeasuredConfiguration& finalist : finalists)
    round_us.push_back(1e6 * run_seconds(finalist.median_us) * kRounds);
  finalists.resize(std::min(kFinalists, affordable(setup_.end, kRoundsShare, round_us)));
  std::ranges::sort(finalists, {}, &MeasuredConfiguration::order);
  return finalists;
}

/// Fewer than usual if a single finalist takes too long for the time that is left.
int TaskTuner::affordable_rounds(const std::vector<MeasuredConfiguration>& finalists) const {
  if (!setup_.end || finalists.empty()) return kRounds;
  double round = 0;
  for (const MeasuredConfiguration& finalist : finalists) round += run_seconds(finalist.median_us);
  const std::chrono::duration<double> left = (*setup_.end - Budget::Clock::now()) * kRoundsShare;
  return static_cast<int>(std::clamp(left.count() / round, double{kLeastRounds}, double{kRounds}));
}

void TaskTuner::finish(const Job& /*job*/, const RankFinalists& /*ranked*/, RankFinalists::Result result) {
  winner_ = std::move(result.winner);
  for (const Verdict verdict : result.dropped) result_.outcome.faults.add(verdict);
  result_.outcome.not_deterministic = std::move(result.not_deterministic);
}

/// Compares libraries with the winner, if there is one; this ends the task.
NextStep TaskTuner::compare(GpuThread& thread) {
  return make_job(thread,
                  CompareBaselines{.winner = winner_, .has_baselines = has_baselines_, .rates = rates_.at(&thread)});
}

void TaskTuner::finish(const Job& job, const CompareBaselines& /*compared*/, CompareBaselines::Result result) {
  result_.notes = std::move(result.notes);
  result_.rates = rates_.at(job.thread);
  end();
}

void TaskTuner::end() {
  phase_ = Phase::done;
  if (progress() != nullptr) progress()->finish(title());
  // Frees memory, since a run has many problems, and only the result is needed from here on.
  measured_.clear();
  winner_.reset();
  search_.reset();
}

}  // namespace warpwright::tuner

// The search of one problem, shared by its boards.
#include "tuner/measuring/task_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/checks/problem_setup.hpp"
#include "tuner/measuring/compile_ahead.hpp"
#include "tuner/measuring/stopping_rule.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::size_t kAhead = 3;  ///< configurations on their way for each compiler, where the next depend on times
constexpr std::chrono::milliseconds kNow{0};
constexpr std::chrono::milliseconds kPoll{20};
constexpr double kThrottledShare = 0.75;  ///< of the board's clock
constexpr std::chrono::seconds kWatchEvery{1};
constexpr StoppingOptions kSearchRule{.min_samples = 5, .max_samples = 15, .relative_width = 0.02};

}  // namespace

TaskTuner::TaskTuner(const Setting& setting, const TuningTask& task, Budget::End end)
    : setting_(setting),
      task_(task),
      request_(setting.request),
      shared_(setting.shared),
      end_(end),
      stop_(setting.stop),
      device_(setting.simulator.device()),
      pattern_(setting.catalogue.pattern(task.problem.pattern)),
      inputs_(session_inputs(pattern_, task.problem, setting.request.seed)),
      finder_(task.problem, setting.request, setting.stop),
      sample_(setting.simulator, setting.catalogue, task.problem, end, setting.stop) {}

bool TaskTuner::has_work() const {
  if (phase_ == Phase::searched) return true;
  if (phase_ != Phase::searching) return false;
  if (busy_ == 0 || !search_) return true;
  return !is_over(search_end()) && (!queue_.empty() || asked_ < search_->size());
}

bool TaskTuner::join(Rig& board) {
  enter(board);
  if (phase_ == Phase::searching) look(board);
  if (phase_ != Phase::searched) return false;
  conclude(board);
  return true;
}

void TaskTuner::enter(Rig& board) {
  const Work work = pattern_.work(task_.problem);
  if (board.selected != this) {
    board.bench.set_crosses_bus(work.bus_to_device + work.bus_to_host > 0);
    board.bench.select(task_.problem, inputs_);
    board.selected = this;
  }
  if (!ceilings_.contains(&board)) {
    // What fits into the L2 is no measure of the memory.
    const double least = std::max(4.0 * static_cast<double>(device_.l2_bytes), 1048576.0);
    const gpu::Rates reached =
        board.bench.ceilings(static_cast<std::int64_t>(std::max({work.bytes_read, work.bytes_written, least})),
                             static_cast<std::int64_t>(std::max(work.bus_to_device, work.bus_to_host)));
    ceilings_[&board] = reached;
    has_opponents_ = !board.bench.callables(task_.problem).empty();
    db::Session seen = board.recorder.session();
    raise_ceilings(seen, reached);
    seen.warnings = board.watch.seen();
    board.recorder.update_session(seen);
  }
  if (search_ || phase_ != Phase::searching) return;
  search_.emplace(task_.kernels, task_.problem, device_, request_, best_on_other_data(board.recorder, task_.problem));
  ahead_ = is_guided(request_.strategy_name()) ? kAhead * board.bench.compilers()
                                               : std::max<std::size_t>(search_->size(), 1);
  board.recorder.store_spaces(task_.problem, search_->spaces());
  if (task_.progress != nullptr) task_.progress->begin(task_.title, search_->size());
}

gpu::Candidate TaskTuner::candidate(const CompiledConfiguration& prepared) const {
  return {.plan = prepared.plan,
          .built = prepared.built,
          .bounds = bounds(prepared.kernel->depth(prepared.params, task_.problem, device_))};
}

std::vector<std::vector<Bound>> TaskTuner::bounds(double depth, const std::string& observation) const {
  return conformance::problem_bounds(pattern_, task_.problem, device_, inputs_, depth, observation);
}

/// Compiles what the search asks for ahead, and measures what is ready first.
void TaskTuner::look(Rig& board) {
  while (phase_ == Phase::searching && !ends() && !is_over(search_end())) {
    if (queue_.size() < (ahead_ + 1) / 2) top_up(board);
    if (queue_.empty()) {
      if (busy_ == 0) break;
      if (asked_ >= search_->size()) return;  // there is other work for this board
      wait_for_others(board);
      continue;
    }
    if (board.rests() && others_are_well(board)) {
      wait_for_others(board);
      continue;
    }
    const auto ready = std::ranges::find_if(
        queue_, [](const Waiting& one) { return one.built.wait_for(kNow) != std::future_status::timeout; });
    if (ready == queue_.end()) {
      const std::shared_future<CompiledProgram> first = queue_.front().built;
      const Pause pause(board.turn);
      first.wait_for(kPoll);
      continue;
    }
    Waiting one = std::move(*ready);
    queue_.erase(ready);
    look_at(board, std::move(one));
    hear_sample();
  }
  if (busy_ == 0 && phase_ == Phase::searching) close(board);
}

void TaskTuner::top_up(Rig& board) {
  const auto choices = search_->ask(ahead_ - queue_.size());
  if (choices.empty()) return;
  asked_ += choices.size();
  ++busy_;
  std::vector<Program> programs;
  std::vector<std::pair<const Kernel*, Point>> sampled;
  for (const Choice choice : choices) {
    const Kernel& kernel = *task_.kernels[choice.kernel];
    programs.push_back(
        conformance::program_for(setting_.catalogue, kernel, search_->params(choice), task_.problem, device_));
    if (search_->is_sampled(choice)) sampled.emplace_back(&kernel, search_->params(choice));
  }
  const auto built = board.bench.compile(programs);
  sample_.expect(sampled);
  for (std::size_t i = 0; i < choices.size(); ++i) queue_.push_back({choices[i], programs[i], built[i]});
  --busy_;
  shared_.changed.notify_all();
}

void TaskTuner::look_at(Rig& board, Waiting one) {
  ++busy_;
  bool is_evaluated = false;
  // What is not looked at, for whatever reason, is there for others.
  const auto give_back = [&] {
    --busy_;
    if (!is_evaluated) queue_.push_front(std::move(one));
    shared_.changed.notify_all();
  };
  try {
    const Kernel& kernel = *task_.kernels[one.choice.kernel];
    Measured measured{.prepared = {}, .keys = {}, .board = &board, .order = search_->order(one.choice)};
    {
      const Point params = search_->params(one.choice);
      const Pause pause(board.turn);
      measured.prepared = prepare(kernel, params, task_.problem, device_);
      complete(measured.prepared, one.built.get(), device_);
      measured.keys = board.recorder.measured_keys(measured.prepared, task_.problem, setting_.uuids);
    }
    is_evaluated = evaluate(board, measured);
    if (is_evaluated) {
      search_->tell(one.choice, measured.median_us);
      if (std::isfinite(measured.median_us)) {
        if (search_->is_sampled(one.choice) && measured.is_new) sample_.add(measured.prepared, measured.order);
        measured_.push_back(std::move(measured));
      }
      if (task_.progress != nullptr) task_.progress->evaluated(task_.title, best_us_);
    }
  } catch (...) {
    give_back();
    throw;
  }
  give_back();
}

void TaskTuner::wait_for_others(Rig& board) {
  shared_.changed.wait_for(board.turn, kPoll);
}

bool TaskTuner::others_are_well(const Rig& board) const {
  return std::ranges::any_of(setting_.boards, [&](const Rig* one) { return one != &board && !one->rests(); });
}

/// The last board to leave does it.
void TaskTuner::close(Rig& board) {
  phase_ = Phase::closing;
  std::vector<Program> left;
  for (const Waiting& one : queue_) left.push_back(one.program);
  queue_.clear();
  setting_.simulator.give_up(left);
  // Most likely it is what the host simulator next, for its certificate.
  if (const auto best = std::ranges::min_element(measured_, {}, &Measured::median_us);
      best != measured_.end() && !ends())
    sample_.expect(std::array{std::pair(best->prepared.kernel, best->prepared.params)});
  while (!ends() && sample_.expects()) {
    {
      const Pause pause(board.turn);
      sample_.wait(kPoll);
    }
    hear_sample();
  }
  hear_sample();
  result_.searched = search_->searched();
  phase_ = Phase::searched;
}

/// What the host has said of the sample. What it rejects drops out.
void TaskTuner::hear_sample() {
  while (const auto judged = sample_.next()) hear(*judged);
}

void TaskTuner::hear(const SampleCheck::Simulated& judged) {
  if (judged.report.judged() > 0) ++result_.outcome.judged;
  if (judged.report.ok()) return;
  const auto wrong = std::ranges::find(measured_, judged.order, &Measured::order);
  reject(*wrong->board, *wrong, judged.report);
  measured_.erase(wrong);
  best_us_ = std::numeric_limits<double>::infinity();
  for (const Measured& measured : measured_) best_us_ = std::min(best_us_, measured.median_us);
}

/// What comes after the search takes its part of the time.
Budget::End TaskTuner::search_end() const {
  constexpr double kShare = 0.3, kMost = 8, kShareBeside = 0.5, kMostBeside = 24;
  return has_opponents_ ? leaving(end_, begin_, kShareBeside, kMostBeside) : leaving(end_, begin_, kShare, kMost);
}

/// Whether the database holds it, of this board or of another one that stands for it.
bool TaskTuner::take_over(Rig& board, Measured& measured) {
  std::optional<db::Trial> known;
  for (std::size_t i = 0; i < measured.keys.size() && !known; ++i)
    known = board.recorder.store().find_trial(measured.keys[i]);
  if (!known) return false;
  ++result_.outcome.resumed;
  measured.trial_id = known->id;
  if (known->verdict == word_of(Verdict::passed) && known->median_us) note(measured, *known->median_us);
  return true;
}

/// Takes a configuration over from the database, or verifies, times and stores it; false: another board is to do it.
bool TaskTuner::evaluate(Rig& board, Measured& measured) {
  if (!request_.remeasure && take_over(board, measured)) return true;
  db::Trial trial = board.recorder.trial(measured.prepared, task_.problem, "measured", measured.keys.front());
  std::vector<gpu::Sample> samples;
  if (!measured.prepared.built.ok) {
    trial.verdict = word_of(Verdict::not_compiled);
    trial.detail = measured.prepared.built.log;
  } else if (const std::string refusal = refuses_launch(measured.prepared, device_); !refusal.empty()) {
    trial.verdict = word_of(Verdict::not_launchable);
    trial.detail = refusal;
  } else if (!measure(board, measured, trial, samples)) {
    return false;
  }
  measured.trial_id = store(board, measured.prepared, trial, samples);
  ++result_.outcome.configurations;
  measured.is_new = true;
  const Verdict verdict = verdict_of(trial.verdict);
  result_.outcome.faults.add(verdict);
  if (verdict == Verdict::passed && trial.median_us) note(measured, *trial.median_us);
  return true;
}

void TaskTuner::note(Measured& measured, double median_us) {
  measured.median_us = median_us;
  best_us_ = std::min(best_us_, median_us);
}

/// False, and the board rests: its clock is held back, and another board's is not.
bool TaskTuner::measure(Rig& board, const Measured& measured, db::Trial& trial, std::vector<gpu::Sample>& samples) {
  const gpu::Candidate made = candidate(measured.prepared);
  StoppingRule rule(kSearchRule, best_us_);
  RetryPolicy retries;
  int throttled = 0;
  StopReason reason = StopReason::none;
  bool verify = true;
  while (reason == StopReason::none) {
    const worker::TrialReply reply = board.bench.trial(made, verify, rule.sampling());
    trial.verdict = word_of(reply.outcome.verdict);
    trial.detail = reply.outcome.detail;
    if (std::isfinite(reply.outcome.error_ratio))
      trial.error_ratio = std::max(trial.error_ratio.value_or(0), reply.outcome.error_ratio);
    verify = false;
    trial.mode = reply.outcome.mode;
    if (reply.outcome.verdict != Verdict::passed) {
      trial.detail += finder_.keep(board.bench, board.recorder, measured.prepared, reply.outcome);
      return true;
    }
    bool all_count = true;
    for (const gpu::Sample& sample : reply.samples) {
      const bool slow = sample.sm_clock_mhz > 0 && sample.sm_clock_mhz < kThrottledShare * device_.sm_clock_mhz;
      if (retries.retry(slow)) {
        all_count = false;
        continue;
      }
      throttled += slow ? 1 : 0;
      samples.push_back(sample);
      if (reason == StopReason::none) reason = rule.add(sample.microseconds);
    }
    // Fewer than were asked for: the worker saw already that it cannot win.
    if (reason == StopReason::none && all_count && static_cast<int>(reply.samples.size()) < rule.sampling().count)
      reason = StopReason::cannot_win;
    if (throttled > 0 && others_are_well(board)) {
      board.rest(setting_.rest);
      return false;
    }
  }
  set_times(trial, times_of(samples));
  trial.stopped_early = reason == StopReason::cannot_win;
  warn(trial, board.watch.recent(kWatchEvery));
  if (throttled > 0) warn(trial, fmt::format("{} samples at a reduced clock", throttled));
  if (impossible(*trial.median_us, speed_of_light_of(board, measured.prepared.plan), kEventResolutionUs)) {
    trial.verdict = word_of(Verdict::mistrusted);
    trial.detail = "faster than the memory, the bus or the arithmetic of this board allows";
  }
  return true;
}

double TaskTuner::speed_of_light_of(const Rig& board, const Plan& plan) const {
  return speed_of_light_us(device_work(pattern_.work(task_.problem), plan), device_, ceilings_.at(&board).bus);
}

db::Id TaskTuner::store(Rig& board, const CompiledConfiguration& prepared, const db::Trial& trial,
                        const std::vector<gpu::Sample>& samples) {
  std::vector<double> clocks;
  for (const gpu::Sample& sample : samples) clocks.push_back(sample.sm_clock_mhz);
  return board.recorder.store_trial(prepared, trial, times_of(samples), clocks);
}

}  // namespace warpwright::tuner

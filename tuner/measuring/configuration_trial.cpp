// One configuration on one GPU: its result is reused from the database, or it is verified, timed and stored.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/cost_model/speed_of_light.hpp"
#include "tuner/measuring/gpu_thread.hpp"
#include "tuner/measuring/stopping_rule.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kThrottledShare = 0.75;  ///< of the board's clock
constexpr std::chrono::seconds kWatchEvery{1};
constexpr StoppingOptions kSearchRule{.min_samples = 5, .max_samples = 15, .relative_width = 0.02, .enough_us = 1e5};

class ConfigurationTrial {
 public:
  ConfigurationTrial(GpuThread& thread, MeasuringSetup& setup, const MeasureConfiguration& job)
      : thread_(thread),
        setup_(setup),
        job_(job),
        measured_{.configuration = prepare(*job.kernel, job.params, setup.problem, setup.device),
                  .writer = &thread.writer,
                  .order = job.order},
        rule_(kSearchRule, job.best_us) {
    complete(measured_.configuration, job.queued.built.get(), setup.device);
  }

  MeasureConfiguration::Result run() {
    const CompiledConfiguration& configuration = measured_.configuration;
    const auto keys = thread_.writer.recorder().measured_keys(configuration, setup_.problem, setup_.context.uuids);
    if (!setup_.context.request.remeasure && !job_.again && take_over(keys)) return {.measured = std::move(measured_)};
    trial_ = thread_.writer.new_trial(configuration, setup_.problem, keys.front());
    if (!configuration.built.ok) {
      trial_.verdict = word_of(Verdict::not_compiled);
      trial_.detail = configuration.built.log;
    } else if (const std::string refusal = refuses_launch(configuration, setup_.device); !refusal.empty()) {
      trial_.verdict = word_of(Verdict::not_launchable);
      trial_.detail = refusal;
    } else if (!measure()) {
      return {};
    }
    measured_.trial_id = thread_.writer.store(configuration, trial_, samples_);
    measured_.is_new = true;
    const Verdict verdict = verdict_of(trial_.verdict);
    take_costs(trial_);
    return {.measured = std::move(measured_), .verdict = verdict, .seconds = seconds_};
  }

 private:
  /// Reuses the result from the database, of this GPU or of one that stands for it; returns whether there is one.
  bool take_over(const std::vector<std::string>& keys) {
    const auto known = thread_.writer.with_store([&](Recorder& recorder) {
      std::optional<db::Trial> found;
      for (std::size_t i = 0; i < keys.size() && !found; ++i) found = recorder.store().find_trial(keys[i]);
      return found;
    });
    const TuningRequest& request = setup_.context.request;
    if (!known || (request.max_error && !known->error_ulp)) return false;
    if (needs_energy() && !known->joules && std::isfinite(usable_us(*known))) return false;
    measured_.trial_id = known->id;
    take_costs(*known);
    return true;
  }

  bool needs_energy() const { return setup_.context.request.objective != Objective::time; }

  void take_costs(const db::Trial& trial) {
    measured_.median_us = usable_us(trial);
    if (std::isfinite(measured_.median_us) && trial.joules) measured_.joules = *trial.joules;
  }

  /// Its time; infinity if it has none, is wrong, or has a larger error than the request allows.
  double usable_us(const db::Trial& trial) const {
    const std::optional<double>& most = setup_.context.request.max_error;
    const bool is_accurate = !most || (trial.error_ulp && *trial.error_ulp <= *most);
    return trial.verdict == word_of(Verdict::passed) && trial.median_us && is_accurate
               ? *trial.median_us
               : std::numeric_limits<double>::infinity();
  }

  /// False, and the GPU rests: its clock is held back, and another one's is not.
  bool measure() {
    const gpu::Candidate candidate = setup_.candidate(measured_.configuration);
    for (bool verify = true; reason_ == StopReason::none; verify = false) {
      gpu::Sampling sampling = rule_.sampling();
      if (verify) sampling.too_slow_us = job_.too_slow_us;
      const auto begin = Budget::Clock::now();
      const worker::TrialReply reply = thread_.gpu.trial(candidate, verify, sampling);
      seconds_.count = 1;
      seconds_.all +=
          std::chrono::duration<double>(Budget::Clock::now() - begin).count() - reply.parts.setting_up / 1e6;
      seconds_.parts.add(reply.parts);
      for (const gpu::Sample& sample : reply.samples) seconds_.samples += sample.microseconds / 1e6;
      trial_.verdict = word_of(reply.outcome.verdict);
      trial_.detail = reply.outcome.detail;
      if (std::isfinite(reply.outcome.error_ratio))
        trial_.error_ratio = std::max(trial_.error_ratio.value_or(0), reply.outcome.error_ratio);
      set_accuracy(trial_, reply.outcome.accuracy);
      trial_.mode = reply.outcome.mode;
      if (reply.outcome.verdict != Verdict::passed) {
        trial_.detail += setup_.finder.keep(thread_.gpu, thread_.writer, measured_.configuration, reply.outcome);
        return true;
      }
      left_out_ = reply.left_out;
      add(reply);
      if (retries_.kept_throttled() > 0 && setup_.context.rest(thread_)) return false;
    }
    summarize();
    if (needs_energy() && trial_.verdict == word_of(Verdict::passed)) {
      const auto begin = Budget::Clock::now();
      trial_.joules = thread_.gpu.repeat(candidate, true, false).joules;
      seconds_.all += std::chrono::duration<double>(Budget::Clock::now() - begin).count();
    }
    return true;
  }

  void add(const worker::TrialReply& reply) {
    bool all_count = true;
    for (const gpu::Sample& sample : reply.samples) {
      const bool slow = sample.sm_clock_mhz > 0 && sample.sm_clock_mhz < kThrottledShare * setup_.device.sm_clock_mhz;
      if (retries_.retry(slow)) {
        all_count = false;
        continue;
      }
      samples_.push_back(sample);
      if (reason_ == StopReason::none) reason_ = rule_.add(sample.microseconds);
    }
    // Fewer than requested: the worker found already that it cannot win.
    if (reason_ == StopReason::none && all_count && static_cast<int>(reply.samples.size()) < rule_.sampling().count)
      reason_ = StopReason::cannot_win;
  }

  void summarize() {
    set_times(trial_, times_of(samples_));
    trial_.stopped_early = reason_ == StopReason::cannot_win;
    warn(trial_, thread_.watch.recent(kWatchEvery));
    if (left_out_ > 0) warn(trial_, kOwnDataOnly);
    if (retries_.kept_throttled() > 0)
      warn(trial_, fmt::format("{} samples at a reduced clock", retries_.kept_throttled()));
    const double least_us =
        speed_of_light_us(device_work(setup_.work, measured_.configuration.plan), setup_.device, job_.rates.bus);
    if (impossible(*trial_.median_us, least_us, kEventResolutionUs)) {
      trial_.verdict = word_of(Verdict::mistrusted);
      trial_.detail = "faster than the memory, the bus or the arithmetic of this board allows";
      if (setup_.work.counts_whole_buffers)
        trial_.detail += R"(: if it does not touch its whole buffers, state "work" in the job file)";
    }
  }

  GpuThread& thread_;
  MeasuringSetup& setup_;
  const MeasureConfiguration& job_;
  MeasuredConfiguration measured_;
  db::Trial trial_;
  std::vector<gpu::Sample> samples_;
  StoppingRule rule_;
  RetryPolicy retries_;
  StopReason reason_ = StopReason::none;
  TrialSeconds seconds_;
  int left_out_ = 0;  ///< inputs on which it did not run
};

}  // namespace

MeasureConfiguration::Result MeasureConfiguration::run(GpuThread& thread, MeasuringSetup& setup) const {
  return ConfigurationTrial(thread, setup, *this).run();
}

}  // namespace warpwright::tuner

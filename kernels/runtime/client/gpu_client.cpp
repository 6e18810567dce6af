// Calling a GPU worker.
#include "kernels/runtime/client/gpu_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

constexpr std::chrono::seconds kCallLimit{30};
/// For a set-up in which one core computes the right answers, several times.
constexpr std::chrono::minutes kCpuAnswersLimit{10};

/// Limit in multiples of the reference's time; a configuration that takes longer counts as hanging.
constexpr double kTimesReference = 100;
constexpr double kVerifying = 2;  ///< Verifying a run may take as long as this many runs of the reference.
constexpr std::chrono::milliseconds kLeastLimit{1000};

template <class T>
gpu::Outcome lost(const Answered<T>& answered) {
  return {.verdict = answered.verdict(), .detail = answered.detail, .error_ratio = 0};
}

}  // namespace

std::vector<gpu::GpuInfo> list_gpus(Process& process) {
  auto answered = process.call(ListGpus(), kCallLimit);
  if (!answered.ok()) throw std::runtime_error(answered.detail);
  return std::move(answered.reply);
}

RunLimit limit_of_runs(int runs, int first, double reference_us, double too_slow_us, std::chrono::milliseconds least) {
  const double hang_us = runs * kTimesReference * reference_us;
  const double slow_us = first * (too_slow_us + kVerifying * reference_us);
  const auto limit = [&](double us) {
    return std::max(least, std::chrono::milliseconds(static_cast<std::int64_t>(us / 1e3)));
  };
  if (first > 0 && slow_us < hang_us && limit(slow_us) < limit(hang_us))
    return {.time = limit(slow_us), .beyond = Verdict::too_slow};
  return {.time = limit(hang_us), .beyond = Verdict::timed_out};
}

GpuClient::GpuClient(gpu::GpuInfo info, const CompiledProgram& support, std::filesystem::path program, const Stop& stop)
    : info_(std::move(info)),
      process_(std::move(program), stop),
      problem_{.gpu = info_.index, .support = support, .setup = {}} {}

void GpuClient::select(std::string key, const gpu::ProblemSetup& setup, double more_us,
                       std::optional<Stop::Clock::time_point> end) {
  if (key != key_) ready_worker_ = 0;
  key_ = std::move(key);
  problem_.setup = setup;
  more_us_ = more_us;
  end_ = end;
}

void GpuClient::prepare() {
  if (ready_worker_ != 0 && ready_worker_ == process_.worker_number()) return;
  const auto begin = Stop::Clock::now();
  const bool on_cpu = !host_functions_of(problem_.setup.reference_plan).empty();
  std::chrono::milliseconds limit = on_cpu ? kCpuAnswersLimit : kCallLimit;
  problem_.seconds = 0;
  if (on_cpu && end_) {
    limit = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(*end_ - begin), kLeastLimit, limit);
    problem_.seconds = std::chrono::duration<double>(limit).count() / 2;
  }
  auto answered = process_.call(problem_, limit, on_cpu ? Process::Believe::first_loss : Process::Believe::second_loss);
  if (on_cpu && answered.status == CallStatus::timed_out)
    throw AnswersLate(fmt::format(
        "the CPU function that computes the right answers had no result after {:.0f} s: {}tune a smaller size, or name "
        "a kernel as the oracle",
        std::chrono::duration<double>(limit).count(), end_ ? "give more --budget, " : ""));
  if (!answered.ok()) throw std::runtime_error("the GPU worker failed: " + answered.detail);
  reference_us_ = answered.reply.reference_us;
  left_out_ = answered.reply.left_out;
  setting_up_us_ += std::chrono::duration<double, std::micro>(Stop::Clock::now() - begin).count();
  ready_worker_ = process_.worker_number();
}

double GpuClient::set_up() {
  prepare();
  return std::exchange(setting_up_us_, 0);
}

template <class R>
Answered<typename R::Reply> GpuClient::call_prepared(R request, int runs, std::chrono::milliseconds least, int first,
                                                     double too_slow_us) {
  const Message message = encode(Request(std::move(request)));
  // A second worker sets the problem up before the request, so that the set-up does not count against its limit.
  int losses = 0;
  int replaced = 0;
  while (true) {
    prepare();
    const RunLimit limit = limit_of_runs(runs, first, reference_us_ + more_us_, too_slow_us, least);
    auto answered = process_.call_encoded<R>(message, limit.time, Process::Believe::first_loss);
    was_too_slow_ = answered.status == CallStatus::timed_out && limit.beyond == Verdict::too_slow;
    if (answered.is_lost() && !was_too_slow_ && ++losses < 2) continue;
    if (answered.is_lost() || process_.worker_number() == ready_worker_) return answered;
    // The environment ended the worker meanwhile, and its replacement has no problem set up.
    if (++replaced == 2)
      throw EnvironmentFault(fmt::format("the GPU worker was lost again and again: {}", process_.last_fault()));
  }
}

template <class R>
typename R::Reply GpuClient::call_or_throw(R request) {
  auto answered = process_.call(std::move(request), kCallLimit);
  if (!answered.ok()) throw std::runtime_error("the GPU worker failed: " + answered.detail);
  return std::move(answered.reply);
}

TrialReply GpuClient::trial(gpu::Candidate candidate, bool verify, const gpu::Sampling& sampling) {
  const int verifying = verify ? static_cast<int>(problem_.setup.inputs.size()) : 0;
  Trial request{.gpu = info_.index, .candidate = std::move(candidate), .verify = verify, .sampling = sampling};
  auto answered =
      call_prepared(std::move(request), verifying + sampling.count, kLeastLimit, verifying + 1, sampling.too_slow_us);
  TrialReply reply{.outcome = lost(answered), .samples = {}};
  if (answered.ok()) {
    reply = std::move(answered.reply);
    if (reply.outcome.damaged) process_.kill();
  } else if (was_too_slow_) {
    reply.outcome.verdict = Verdict::too_slow;
    reply.outcome.detail = fmt::format("a run takes longer than {:.0f} us, or it hangs", sampling.too_slow_us);
  }
  reply.parts.setting_up = std::exchange(setting_up_us_, 0);
  reply.left_out = left_out_;
  return reply;
}

RoundsReply GpuClient::rounds(std::vector<gpu::Candidate> candidates, int count, std::uint64_t seed) {
  const std::size_t number = candidates.size();
  Rounds request{.gpu = info_.index, .candidates = std::move(candidates), .rounds = count, .seed = seed};
  auto answered = call_prepared(std::move(request), count * static_cast<int>(number), kCallLimit);
  if (!answered.ok()) return {.outcomes = std::vector(number, lost(answered)), .samples = {}};
  if (std::ranges::any_of(answered.reply.outcomes, &gpu::Outcome::damaged)) process_.kill();
  return std::move(answered.reply);
}

std::vector<gpu::StepTime> GpuClient::step_times(const gpu::Candidate& candidate, int runs) {
  const TimeSteps request{.gpu = info_.index, .candidate = candidate, .runs = runs};
  auto answered = call_prepared(request, runs, kCallLimit);
  return answered.ok() ? std::move(answered.reply.steps) : std::vector<gpu::StepTime>();
}

gpu::Repeated GpuClient::repeat(const gpu::Candidate& candidate, bool has_energy, bool replays) {
  const RepeatRuns request{.gpu = info_.index, .candidate = candidate, .has_energy = has_energy, .replays = replays};
  const int runs = has_energy ? 2 * gpu::kMostEnergyRuns : 1;
  auto answered = call_prepared(request, runs, kCallLimit);
  return answered.ok() ? answered.reply : gpu::Repeated();
}

std::vector<BaselineInfo> GpuClient::callables(const Problem& problem) {
  return call_or_throw(ListCallables{.problem = problem, .device = info_.device});
}

std::vector<Bytes> GpuClient::run_callable(const gpu::CallableChoice& choice, const std::vector<Buffer>& buffers,
                                           const std::vector<Bytes>& inputs, std::uint8_t poison) {
  return call_or_throw(
             RunCallable{
                 .gpu = info_.index, .callable = choice, .buffers = buffers, .inputs = inputs, .poison = poison})
      .outputs;
}

gpu::Rates GpuClient::rates(std::int64_t bytes, std::int64_t bus_bytes) {
  ready_worker_ = 0;  // the problem's buffers are freed
  return call_or_throw(MeasureRates{
      .gpu = info_.index, .support = problem_.support, .bytes = bytes, .bus_bytes = bus_bytes, .samples = 7});
}

double GpuClient::sensor_ratio() {
  return call_or_throw(MeasureSensorRatio{.gpu = info_.index, .support = problem_.support}).ratio;
}

gpu::Sensors GpuClient::sensors() {
  return call_or_throw(ReadSensors{.uuid = info_.uuid});
}

}  // namespace warpwright::worker

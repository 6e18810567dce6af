// Events and clock times around the steps of a plan.
#include "kernels/runtime/cuda/step_clock.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/runtime/cuda/problem_on_gpu.hpp"

namespace warpwright::gpu {
namespace {

/// A blocked stream accepts only this many steps and events before the host must wait.
constexpr std::int64_t kMostInBlockedStream = 128;

}  // namespace

StepClock::~StepClock() {
  for (CUevent event : events_) driver().destroy_event(event);
}

StepClock::Moment StepClock::now(CUstream stream) {
  if (stream == nullptr) return {.time = HostClock::now()};
  if (used_ == events_.size()) {
    CUevent event = nullptr;
    driver().check(driver().create_event(&event, CU_EVENT_DEFAULT), "cuEventCreate");
    events_.push_back(event);
  }
  CUevent event = events_[used_++];
  driver().check(driver().record_event(event, stream), "cuEventRecord");
  return {.event = event};
}

void StepClock::start(bool has_host_steps) {
  used_ = 0;
  executions_.clear();
  start_ = now(gpu_.stream());
  if (has_host_steps) gpu_.synchronize();
  host_start_ = HostClock::now();
}

void StepClock::begin(std::size_t step, CUstream stream) {
  executions_.push_back({.step = step, .begin = now(stream)});
}

void StepClock::end(CUstream stream) {
  executions_.back().end = now(stream);
}

double StepClock::since_start(const Moment& moment) const {
  if (moment.event == nullptr) return std::chrono::duration<double, std::micro>(moment.time - host_start_).count();
  float milliseconds = 0;
  driver().check(driver().elapsed_time(&milliseconds, start_.event, moment.event), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e3;
}

std::vector<StepTime> StepClock::times(std::vector<StepTime> steps) const {
  std::vector<bool> seen(steps.size());
  for (const Execution& execution : executions_) {
    StepTime& step = steps.at(execution.step);
    const double begin = since_start(execution.begin);
    const double end = since_start(execution.end);
    if (!seen[execution.step]) step.start_us = begin;
    seen[execution.step] = true;
    step.end_us = end;
    step.us += end - begin;
  }
  return steps;
}

std::vector<StepTime> ProblemOnGpu::step_times(const Candidate& candidate, int runs, GpuTimer& timer) {
  const std::vector<StepTime> steps = timed_steps(candidate.plan);
  const std::int64_t executions = executions_of(steps);
  if (candidate.callable || executions == 0 || executions > kMostStepExecutions) return {};
  const std::size_t input = setup_.inputs.size() - 1;
  const std::unique_ptr<PlanRunner> runner = plan_runner(input, candidate);
  const bool waits = runner->synchronises();
  const Clock clock = waits || executions > kMostInBlockedStream ? Clock::host : Clock::events;
  StepClock step_clock(gpu_);
  std::vector<std::vector<StepTime>> all;
  for (int run = 0; run < runs; ++run) {
    const auto prepare = [&] {
      restore(input, candidate.plan.buffers);
      runner->prepare();
    };
    timer.time(
        prepare,
        [&] {
          step_clock.start(waits);
          runner->run_timed(step_clock);
        },
        clock);
    runner->finish();
    gpu_.synchronize();
    all.push_back(step_clock.times(steps));
  }
  return median_of(all);
}

}  // namespace warpwright::gpu

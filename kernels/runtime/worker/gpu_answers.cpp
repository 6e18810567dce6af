// Answering the requests that need a GPU.
#include "kernels/runtime/worker/gpu_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/nvml.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {
namespace {

bool is_zero(const Bytes& bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

void GpuAnswers::open(int index) {
  if (!gpu_ || gpu_->info().index != index) {
    problem_.reset();
    timer_.reset();
    modules_.emplace();
    try {
      gpu_ = std::make_unique<gpu::Gpu>(index);
    } catch (const std::runtime_error& lost) {
      // The GPU existed when the run began.
      throw EnvironmentFault(fmt::format("GPU {} cannot be opened ({}): see nvidia-smi", index, lost.what()));
    }
  }
  modules_->trim();
}

void GpuAnswers::open(int index, const CompiledProgram& support) {
  open(index);
  if (timer_ && support.module == support_.module) return;
  problem_.reset();
  timer_.reset();
  support_ = support;
  timer_ = std::make_unique<gpu::GpuTimer>(*gpu_, support_, *modules_);
}

std::vector<gpu::GpuInfo> GpuAnswers::reply_to(const ListGpus&) const {
  return gpu::list_gpus();
}

gpu::Sensors GpuAnswers::reply_to(const ReadSensors& request) const {
  return gpu::read_sensors(request.uuid, gpu_ != nullptr);
}

ProblemReady GpuAnswers::reply_to(SelectProblem& request) {
  open(request.gpu, request.support);
  problem_.reset();
  problem_ = std::make_unique<gpu::ProblemOnGpu>(*gpu_, support_, *modules_, std::move(request.setup), callables_,
                                                 request.seconds);
  return {.reference_us = problem_->reference_us(), .left_out = problem_->left_out()};
}

gpu::ProblemOnGpu& GpuAnswers::problem() {
  if (!problem_) throw std::logic_error("no problem was selected");
  return *problem_;
}

PlanResult GpuAnswers::reply_to(const RunPlan& request) {
  open(request.gpu);
  const auto guards = request.bare ? gpu::Memory::Guards::none : gpu::Memory::Guards::both_sides;
  PlacedBuffers memory;
  for (const Buffer& buffer : request.plan.buffers)
    memory.emplace(buffer.name, gpu::PlacedMemory(*gpu_, buffer.where, buffer.bytes(), guards));
  PlanResult first = run_once(request, memory);
  while (first.runs < request.runs && first.verdict == Verdict::passed && first.other.empty()) {
    PlanResult next = run_once(request, memory);
    next.runs += first.runs;
    if (next.verdict != Verdict::passed) return next;
    first.runs = next.runs;
    for (std::size_t i = 0; i < next.buffers.size() && first.other.empty(); ++i)
      if (request.plan.buffers[i].is_output() && next.buffers[i] != first.buffers[i])
        first.other = std::move(next.buffers);
  }
  return first;
}

PlanResult GpuAnswers::run_once(const RunPlan& request, const PlacedBuffers& memory) {
  const std::vector<Buffer>& buffers = request.plan.buffers;
  gpu::Addresses addresses;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& buffer = buffers[i];
    const gpu::PlacedMemory& made = memory.at(buffer.name);
    if (buffer.self_restoring)
      made.fill(0);
    else if (buffer.is_input() || !request.bare)
      made.upload(request.buffers.at(i));
    addresses[buffer.name] = made.address();
  }
  try {
    gpu::PlanRunner(*gpu_, *modules_, request.plan, request.program, addresses).run();
  } catch (const gpu::NotLaunchable& refused) {
    if (request.bare) throw;
    return {.verdict = Verdict::not_launchable, .detail = refused.what(), .buffers = {}};
  }
  gpu_->synchronize();
  PlanResult result;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& buffer = buffers[i];
    const gpu::PlacedMemory& made = memory.at(buffer.name);
    if (request.bare) {
      if (buffer.is_output() && request.reads_outputs) made.download();
      continue;
    }
    if (!made.guards_intact()) result.detail = "wrote beside the buffer " + buffer.name;
    const Bytes& left = result.buffers.emplace_back(made.download());
    if (buffer.role == Role::in && left != request.buffers[i]) result.detail = "changed its input " + buffer.name;
    if (buffer.self_restoring && !is_zero(left))
      result.detail = "left the self-restoring scratch " + buffer.name + " not zero";
  }
  if (!result.detail.empty()) result.verdict = Verdict::failed;
  return result;
}

CallableOutputs GpuAnswers::reply_to(const RunCallable& request) {
  open(request.gpu);
  gpu::CallableRunner runner(*gpu_, callables_, request.callable);
  std::map<std::string, gpu::PlacedMemory> memory;
  gpu::Addresses addresses;
  std::size_t next = 0;
  for (const Buffer& buffer : request.buffers) {
    const gpu::PlacedMemory& made =
        memory.emplace(buffer.name, gpu::PlacedMemory(*gpu_, buffer.where, buffer.bytes())).first->second;
    made.fill(request.poison);
    if (buffer.is_input()) made.upload(request.inputs.at(next++));
    addresses[buffer.name] = made.address();
  }
  const gpu::Memory scratch(std::max<std::int64_t>(runner.scratch_bytes(), 1));
  addresses["scratch"] = scratch.address();
  runner.bind(addresses);
  runner.run();
  gpu_->synchronize();
  CallableOutputs reply;
  for (const Buffer& buffer : request.buffers)
    if (buffer.is_output()) reply.outputs.push_back(memory.at(buffer.name).download());
  return reply;
}

TrialReply GpuAnswers::reply_to(const Trial& request) {
  open(request.gpu);
  gpu::ProblemOnGpu& problem = this->problem();
  const gpu::Candidate& candidate = request.candidate;
  gpu::Sampling sampling = request.sampling;
  TrialReply reply;
  (void)problem.take_parts();  // of rounds
  if (request.verify) reply.outcome = problem.verify(candidate);
  const gpu::Outcome verified = reply.outcome;
  if (reply.outcome.verdict == Verdict::passed && sampling.count > 0) {
    std::int64_t launches = 0;
    for (const PlannedLaunch& one : launches_of(candidate.plan)) launches += one.times;
    if (request.verify) sampling = sampling.after_verifying(problem.verified_us(), launches);
    reply.outcome = problem.time(candidate, sampling, *timer_, reply.samples);
    reply.outcome.error_ratio = std::max(reply.outcome.error_ratio, verified.error_ratio);
    reply.outcome.accuracy.add(verified.accuracy);
  }
  reply.parts = problem.take_parts();
  return reply;
}

RoundsReply GpuAnswers::reply_to(const Rounds& request) {
  open(request.gpu);
  RoundsReply reply;
  reply.outcomes = problem().rounds(request.candidates, request.rounds, request.seed, *timer_, reply.samples);
  return reply;
}

StepsReply GpuAnswers::reply_to(const TimeSteps& request) {
  open(request.gpu);
  return {.steps = problem().step_times(request.candidate, request.runs, *timer_)};
}

gpu::Repeated GpuAnswers::reply_to(const RepeatRuns& request) {
  open(request.gpu);
  return problem().repeat(request.candidate, request.has_energy, request.replays, *timer_);
}

gpu::Rates GpuAnswers::reply_to(const MeasureRates& request) {
  open(request.gpu, request.support);
  problem_.reset();
  gpu::Rates rates = gpu::measure_rates(*gpu_, support_, *modules_, *timer_, request.bytes, request.samples);
  if (request.bus_bytes > 0) rates.bus = gpu::measure_bus(*gpu_, *timer_, request.bus_bytes, request.samples);
  return rates;
}

SensorRatio GpuAnswers::reply_to(const MeasureSensorRatio& request) {
  open(request.gpu, request.support);
  return {.ratio = gpu::measure_sensor_ratio(*gpu_, support_, *modules_, *timer_)};
}

}  // namespace warpwright::worker

// Answering the requests that need a GPU.
#include "kernels/runtime/worker/gpu_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/nvml.hpp"
#include "kernels/runtime/messages/messages.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::worker {

using nlohmann::json;

namespace {

bool is_zero(const Bytes& bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

json GpuAnswers::answer(const json& request) {
  const std::string what = request.at("do");
  if (what == "gpus") return {{"gpus", gpu::list_gpus()}};
  if (what == "sensors") {
    const gpu::Sensors sensors = gpu::read_sensors(request.at("uuid"), gpu_ != nullptr);
    const auto or_null = [](const auto& v) { return v ? json(*v) : json(nullptr); };
    return {{"driver", sensors.driver},
            {"power_w", or_null(sensors.power_w)},
            {"temperature_c", or_null(sensors.temperature_c)},
            {"sm_clock_mhz", or_null(sensors.sm_clock_mhz)},
            {"other_processes", or_null(sensors.other_processes)},
            {"throttled", sensors.throttle_reasons}};
  }
  open(request);
  modules_.trim();
  if (what == "run") return run(request);
  if (what == "run_bare") return run_bare(request);
  if (what == "run_callable") return run_callable(request);
  if (what == "select") return select(request);
  if (what == "trial") return trial(request);
  if (what == "rounds") return rounds(request);
  if (what == "ceilings") {
    session_.reset();
    const gpu::Rates ceilings =
        gpu::measure_rates(*gpu_, support_, modules_, *timer_, request.at("bytes"), request.at("samples"));
    const std::int64_t bus_bytes = request.at("bus_bytes");
    const BusRates bus =
        bus_bytes > 0 ? gpu::measure_bus(*gpu_, *timer_, bus_bytes, request.at("samples")) : BusRates{};
    return {{"copy_gbs", ceilings.copy_gbs},         {"read_gbs", ceilings.read_gbs},
            {"float_gflops", ceilings.float_gflops}, {"double_gflops", ceilings.double_gflops},
            {"to_device_gbs", bus.to_device_gbs},    {"to_host_gbs", bus.to_host_gbs}};
  }
  if (what == "sensor_ratio") return {{"ratio", gpu::measure_sensor_ratio(*gpu_, support_, modules_, *timer_)}};
  throw std::invalid_argument("unknown request " + what);
}

void GpuAnswers::open(const json& request) {
  const int index = request.at("gpu");
  if (!gpu_ || gpu_->info().index != index) {
    try {
      gpu_ = std::make_unique<gpu::Gpu>(index);
    } catch (const std::runtime_error& lost) {
      // It was there when the run began.
      throw EnvironmentFault(fmt::format("GPU {} cannot be opened ({}): see nvidia-smi", index, lost.what()));
    }
  }
  if (request.contains("support") && !timer_) {
    support_ = request.at("support");
    timer_ = std::make_unique<gpu::GpuTimer>(*gpu_, support_, modules_);
  }
}

json GpuAnswers::select(const json& request) {
  session_.reset();
  support_ = request.at("support");
  session_ = std::make_unique<gpu::ProblemOnGpu>(*gpu_, support_, modules_,
                                                 request.at("setup").get<gpu::ProblemSetup>(), callables_);
  return {{"reference_us", session_->reference_us()}};
}

gpu::ProblemOnGpu& GpuAnswers::session() {
  if (!session_) throw std::logic_error("no problem was selected");
  return *session_;
}

json GpuAnswers::run(const json& request) {
  const Plan plan = request.at("plan");
  const std::vector<Bytes> contents = bytes_of(request.at("buffers"));
  std::map<std::string, gpu::PlacedMemory> memory;
  gpu::Addresses addresses;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const Buffer& buffer = plan.buffers[i];
    const gpu::PlacedMemory& made =
        memory.emplace(buffer.name, gpu::PlacedMemory(*gpu_, buffer.where, buffer.bytes())).first->second;
    if (buffer.self_restoring)
      made.fill(0);
    else
      made.upload(contents.at(i));
    addresses[buffer.name] = made.address();
  }
  try {
    gpu::PlanRunner(*gpu_, modules_, plan, request.at("built").get<CompiledProgram>(), addresses).run();
  } catch (const gpu::NotLaunchable& refused) {
    return {{"verdict", Verdict::not_launchable}, {"detail", refused.what()}, {"buffers", json::array()}};
  }
  gpu_->synchronize();
  std::vector<Bytes> results;
  std::string harm;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const gpu::PlacedMemory& made = memory.at(plan.buffers[i].name);
    if (!made.guards_intact()) harm = "wrote beside the buffer " + plan.buffers[i].name;
    results.push_back(made.download());
    if (plan.buffers[i].role == Role::in && results.back() != contents[i])
      harm = "changed its input " + plan.buffers[i].name;
    if (plan.buffers[i].self_restoring && !is_zero(results.back()))
      harm = "left the self-restoring scratch " + plan.buffers[i].name + " not zero";
  }
  return {{"verdict", harm.empty() ? Verdict::passed : Verdict::failed},
          {"detail", harm},
          {"buffers", bytes_json(results)}};
}

json GpuAnswers::run_bare(const json& request) {
  const Plan plan = request.at("plan");
  const std::vector<Bytes> contents = bytes_of(request.at("buffers"));
  std::map<std::string, gpu::PlacedMemory> memory;
  gpu::Addresses addresses;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const Buffer& buffer = plan.buffers[i];
    const gpu::PlacedMemory& made =
        memory.emplace(buffer.name, gpu::PlacedMemory(*gpu_, buffer.where, buffer.bytes(), gpu::Memory::Guards::none))
            .first->second;
    if (buffer.is_input()) made.upload(contents.at(i));
    if (buffer.self_restoring) made.fill(0);
    addresses[buffer.name] = made.address();
  }
  gpu::PlanRunner(*gpu_, modules_, plan, request.at("built").get<CompiledProgram>(), addresses).run();
  gpu_->synchronize();
  for (const Buffer& buffer : plan.buffers)
    if (buffer.is_output() && request.at("reads_outputs")) memory.at(buffer.name).download();
  return {{"verdict", Verdict::passed}};
}

json GpuAnswers::run_callable(const json& request) {
  const gpu::Candidate candidate = request.at("candidate");
  const std::vector<Buffer> buffers = request.at("buffers");
  const std::vector<Bytes> inputs = bytes_of(request.at("inputs"));
  gpu::CallableRunner runner(*gpu_, callables_, candidate.callable.value());
  std::map<std::string, gpu::PlacedMemory> memory;
  gpu::Addresses addresses;
  std::size_t next = 0;
  for (const Buffer& buffer : buffers) {
    const gpu::PlacedMemory& made =
        memory.emplace(buffer.name, gpu::PlacedMemory(*gpu_, buffer.where, buffer.bytes())).first->second;
    made.fill(request.at("poison").get<std::uint8_t>());
    if (buffer.is_input()) made.upload(inputs.at(next++));
    addresses[buffer.name] = made.address();
  }
  const gpu::Memory scratch(std::max<std::int64_t>(runner.scratch_bytes(), 1));
  addresses["scratch"] = scratch.address();
  runner.bind(addresses);
  runner.run();
  gpu_->synchronize();
  std::vector<Bytes> outputs;
  for (const Buffer& buffer : buffers)
    if (buffer.role != Role::in) outputs.push_back(memory.at(buffer.name).download());
  return {{"outputs", bytes_json(outputs)}};
}

json GpuAnswers::trial(const json& request) {
  gpu::ProblemOnGpu& problem = session();
  const gpu::Candidate candidate = request.at("candidate");
  gpu::Sampling sampling{.count = request.at("samples")};
  sampling.far_us = request.value("far_us", sampling.far_us);
  sampling.hopeless_us = request.value("hopeless_us", sampling.hopeless_us);
  gpu::Outcome outcome;
  if (request.at("verify")) outcome = problem.verify(candidate);
  const double verified_ratio = outcome.error_ratio;
  std::vector<gpu::Sample> samples;
  if (outcome.verdict == Verdict::passed && sampling.count > 0) {
    std::int64_t launches = 0;
    for (const PlannedLaunch& one : launches_of(candidate.plan)) launches += one.times;
    if (request.at("verify")) sampling = sampling.after_verifying(problem.verified_us(), launches);
    outcome = problem.time(candidate, sampling, *timer_, samples);
    outcome.error_ratio = std::max(outcome.error_ratio, verified_ratio);
  }
  return {{"outcome", outcome}, {"samples", samples}};
}

json GpuAnswers::rounds(const json& request) {
  gpu::ProblemOnGpu& problem = session();
  std::vector<std::vector<gpu::Sample>> samples;
  const auto outcomes = problem.rounds(request.at("candidates").get<std::vector<gpu::Candidate>>(),
                                       request.at("rounds"), request.at("seed"), *timer_, samples);
  return {{"outcomes", outcomes}, {"samples", samples}};
}

}  // namespace warpwright::worker

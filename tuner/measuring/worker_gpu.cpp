// Measures through a worker process.
#include "tuner/measuring/worker_gpu.hpp"

#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/checker.hpp"
#include "conformance/checks/problem_setup.hpp"
#include "tuner/measuring/compile_ahead.hpp"

namespace warpwright::tuner {
namespace {

/// Until then work in the simulator that began before its deadline may run.
constexpr std::chrono::seconds kLastCase{2};

std::optional<Budget::Clock::time_point> last_end(Budget::End end) {
  return end ? std::optional(*end + kLastCase) : std::nullopt;
}

}  // namespace

std::vector<worker::CompileResult> WorkerGpu::compile(const std::vector<Program>& programs, worker::Urgency urgency) {
  return context_.build.compiler.compile(context_.device.arch(), programs, urgency);
}

void WorkerGpu::select(const Problem& problem, const std::vector<Input>& inputs, Budget::End end) {
  const Pattern& pattern = context_.catalogue.pattern(problem.pattern);
  const Work work = pattern.work(problem);
  // Frees the bus while this waits for the compiler.
  access_.set_crosses_bus(false);
  const gpu::ProblemSetup setup = access_.call(
      [&] { return conformance::problem_setup(pattern, problem, inputs, context_.device, context_.build.compiler); });
  std::string key = problem_text(problem);
  for (const Input& input : inputs) key += " " + input_text(input);
  access_.set_crosses_bus(work.bus_to_device + work.bus_to_host > 0);
  access_.call([&] { client_.select(std::move(key), setup, conformance::slow_bus_us(work), end); });
}

gpu::Rates WorkerGpu::rates(std::int64_t bytes, std::int64_t bus_bytes) {
  return access_.call([&] { return client_.rates(bytes, bus_bytes); });
}

worker::TrialReply WorkerGpu::trial(const gpu::Candidate& candidate, bool verify, const gpu::Sampling& sampling) {
  return access_.call([&] { return client_.trial(candidate, verify, sampling); });
}

worker::RoundsReply WorkerGpu::rounds(const std::vector<gpu::Candidate>& candidates, int rounds, std::uint64_t seed) {
  return access_.call([&] { return client_.rounds(candidates, rounds, seed); });
}

std::vector<gpu::StepTime> WorkerGpu::step_times(const gpu::Candidate& candidate, int runs) {
  return access_.call([&] { return client_.step_times(candidate, runs); });
}

gpu::Repeated WorkerGpu::repeat(const gpu::Candidate& candidate, bool has_energy, bool replays) {
  return access_.call([&] { return client_.repeat(candidate, has_energy, replays); });
}

conformance::PropertyReport WorkerGpu::run_property(const Kernel& kernel, const conformance::PropertyOptions& options) {
  // Another process computes the answers: the deadline ends it, and the problem stays set up on the GPU.
  worker::Process answering({.asked = options.stop, .deadline = options.deadline});
  return access_.call([&] {
    conformance::Checker checker(context_.catalogue, answering, context_.build.compiler,
                                 conformance::gpu_runner(context_.catalogue, client_.process(), context_.build.compiler,
                                                         {.device = context_.device, .index = client_.info().index}),
                                 {.compile_ahead = true, .answers = context_.answers});
    return conformance::run_property(context_.catalogue, checker, kernel, options);
  });
}

std::string WorkerGpu::cannot_simulate() const {
  return tuner::cannot_simulate(context_);
}

void WorkerGpu::compile_for_simulator(const std::vector<Program>& programs, worker::Urgency urgency) {
  if (urgency != worker::Urgency::at_once) {
    context_.build.compiler.compile(context_.host(), programs, urgency);
    return;
  }
  // A program that was requested before would keep its place behind others. A task's own worker does not wait.
  for (const Program& program : programs)
    context_.build.pool.submit([&context = context_, program](
                                   worker::Process&) { context.build.compiler.compile_one(context.host(), program); },
                               urgency);
}

std::future<conformance::PropertyReport> WorkerGpu::simulate(const Kernel& kernel, conformance::PropertyOptions options,
                                                             worker::Urgency urgency) {
  return context_.build.pool.submit(
      [&context = context_, &kernel, options = std::move(options)](worker::Process& process) {
        const worker::Process::Until until(process, last_end(options.deadline));
        conformance::Checker checker = host_checker(context, process, options.problems.front().shape);
        return conformance::run_property(context.catalogue, checker, kernel, options);
      },
      urgency);
}

std::future<Simulated> WorkerGpu::trace(const Kernel& kernel, const Point& params, const Problem& problem,
                                        Budget::End end) {
  return context_.build.pool.submit([&context = context_, &kernel, params, problem, end](worker::Process& process) {
    const worker::Process::Until until(process, last_end(end));
    try {
      const CompiledConfiguration configuration{
          .kernel = &kernel, .params = params, .plan = {}, .built = {}, .occupancy = {}};
      return simulate_traced(context, process, configuration, problem, Check::traced);
    } catch (const Stopped&) {
      return Simulated{.result = {.verdict = Verdict::not_run}, .access = {}};
    }
  });
}

std::vector<worker::BaselineInfo> WorkerGpu::callables(const Problem& problem) {
  return access_.call([&] { return client_.callables(problem); });
}

std::string WorkerGpu::broken_law(const Problem& problem, const worker::BaselineInfo& library,
                                  const worker::KnobsInfo& knobs, std::uint64_t seed) {
  return access_.call([&] { return tuner::broken_law(context_, client_, problem, library, knobs, seed); });
}

}  // namespace warpwright::tuner

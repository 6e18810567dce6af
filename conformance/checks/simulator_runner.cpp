// Runs cases in the simulator.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "conformance/checks/case_runner.hpp"
#include "conformance/checks/run_plan.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {
namespace {

/// Slower than any CPU: the time beyond a run's time limit is computed from its accesses at this rate.
constexpr double kAccessesPerSecond = 2e6;
/// Between two accesses, in the mean of a long run.
constexpr std::uint64_t kBlocksPerAccess = 16;

/// The host compiler's warnings about locals of the kernel's own file or of the shared device code; empty if there are
/// none.
std::string warning_about(const Kernel& kernel, const CompiledProgram& built) {
  std::istringstream lines(built.log);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kernel.source) || line.starts_with("kernels/block/"))
      return "; the host compiler warns: " + line;
  return {};
}

/// File and line, of both sides.
std::string lines_of(const simulator::Finding& finding) {
  return fmt::format("{}:{} {}:{}", finding.location.file, finding.location.line, finding.other.file,
                     finding.other.line);
}

/// A run that took too long: the clock says nothing about the kernel.
RunResult stopped(const std::string& how) {
  simulator::Finding found;
  found.kind = FindingKind::too_much_work;
  found.message = how;
  const Verdict verdict = verdict_of(found.kind);
  std::string words = describe(found);
  return {.verdict = verdict, .found = std::move(found), .detail = std::move(words)};
}

class SimulatorRunner : public CaseRunner {
 public:
  explicit SimulatorRunner(worker::Process& process) : process_(process) {}

  const Device& device(const std::string& target) const override { return host_device(target); }

  RunResult run(RunRequest request) override {
    const Case& test = request.test;
    const RunLimits& limits = request.limits;
    const auto& [plan, built, refusal] = request.compiled;
    const double limit =
        std::floor(limits.accesses + limits.per_step_of_work * request.steps + limits.per_thread * threads_of(plan));
    const std::chrono::milliseconds time = std::min(
        time_factor * (limits.time + std::chrono::milliseconds(std::llround(1000 * limit / kAccessesPerSecond))),
        limits.most_time);
    worker::Simulate simulate =
        simulation_of(plan, built, std::move(request.buffers), device_for(test, host_device(test.target)));
    simulate.options.schedule = {.seed = test.schedule_seed,
                                 .resident_blocks = test.resident_blocks,
                                 .stale_loads = test.stale_loads,
                                 .stale_end = test.stale_end};
    const auto accesses = static_cast<std::uint64_t>(limit);
    simulate.options.limits.steps = accesses;
    simulate.options.limits.blocks = static_cast<std::uint64_t>(limits.blocks) + kBlocksPerAccess * accesses;
    simulate.options.count_accesses = request.count_accesses;
    simulate.options.lenient = std::move(request.lenient);
    simulate.options.keeps_state = !test.kernel->keeps_state.empty();
    simulate.options.poison = request.poison;
    simulate.options.matrix_adder = request.matrix_adder;
    simulate.options.contracts = request.contracts;
    simulate.options.explored = request.explored;
    const auto begin = std::chrono::steady_clock::now();
    auto answered = process_.call(std::move(simulate), time, limits.believe);
    if (answered.status == worker::CallStatus::refused) throw std::runtime_error(answered.detail);
    if (answered.status == worker::CallStatus::timed_out) return stopped(answered.detail);
    if (!answered.ok()) return {.verdict = answered.verdict(), .detail = answered.detail};
    simulator::Execution& execution = answered.reply.execution;
    RunResult done{.buffers = std::move(answered.reply.buffers),
                   .access = {.counts = execution.access,
                              .launches = std::move(execution.launches),
                              .launch_threads = std::move(execution.launch_threads),
                              .launch_atomics = std::move(execution.launch_atomics),
                              .lines = std::move(execution.lines),
                              .threads = execution.threads},
                   .steps = execution.thread_steps,
                   .blocks = execution.basic_blocks,
                   .threads = execution.threads,
                   .of_limit = static_cast<double>(execution.thread_steps) / limit,
                   .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                   .arithmetic = std::move(execution.arithmetic),
                   .exchanged = std::move(execution.exchanged),
                   .schedule = fmt::format("{}:{}", test.schedule_seed, test.resident_blocks),
                   .hints = execution.hints_text(),
                   .warning = warning_about(*test.kernel, built)};
    done.others = std::move(execution.other_buffers);
    if (!execution.second_buffers.empty()) done.others.push_back(std::move(execution.second_buffers));
    done.explored = execution.explored;
    done.is_exhausted = execution.is_exhausted;
    for (simulator::ToleratedFinding& one : execution.tolerated)
      done.tolerated.push_back({.rule = one.rule,
                                .location = lines_of(one.finding),
                                .text = describe(one.finding),
                                .found = std::move(one.finding)});
    if (!execution.clean()) {
      done.found = execution.findings.front();
      done.verdict = verdict_of(done.found->kind);
      done.detail = describe(*done.found) + done.hints + done.warning;
    }
    return done;
  }

  std::map<std::string, Bytes> run_plan(const worker::CompiledPlan& compiled, const std::vector<Bytes>& inputs,
                                        const Device& device) override {
    return run_plan_on_host(process_, compiled.plan, compiled.program, inputs, device);
  }

  std::optional<CaseResult> check_by_reference(const Case&) override { return std::nullopt; }

 private:
  worker::Process& process_;
};

}  // namespace

RunLimits RunLimits::times(double part, double seconds) const {
  RunLimits less = *this;
  less.accesses *= part;
  less.per_step_of_work *= part;
  less.per_thread *= part;
  less.blocks *= part;
  less.most_time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  less.on_device = std::min(on_device, less.most_time);
  return less;
}

std::unique_ptr<CaseRunner> simulator_runner(worker::Process& process) {
  return std::make_unique<SimulatorRunner>(process);
}

}  // namespace warpwright::conformance

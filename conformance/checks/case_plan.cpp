// What a case asks for before it runs: its program, its work, its limits, and whether the kernel takes it.
#include <algorithm>
#include <cmath>

#include "conformance/checks/checker.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {
namespace {

/// Slower than any host, and than any GPU: what a run may take beyond its time limit, by its steps.
constexpr double kStepsPerSecond = 2e6, kDeviceStepsPerSecond = 1e9;

}  // namespace

Problem traced_problem(const Catalogue& catalogue, const Problem& problem) {
  const Pattern& pattern = catalogue.pattern(problem.pattern);
  Problem traced = problem;
  traced.shape = pattern.trace_shape;
  const double steps = pattern.work(problem).steps;
  return steps > 0 && steps < pattern.work(traced).steps ? problem : traced;
}

std::optional<Refusal> refusal_of(const Case& test, const Device& device) {
  if (const std::string constraint = test.kernel->space.rejected_by(test.params, surroundings_of(test.problem, device));
      !constraint.empty())
    return Refusal{.verdict = Verdict::rejected, .reason = constraint};
  if (const std::string reason = test.kernel->refuses(test.params, test.problem, device); !reason.empty())
    return Refusal{.verdict = Verdict::skipped, .reason = reason};
  return std::nullopt;
}

double steps_of(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem) {
  return kernel.steps ? kernel.steps(params, problem) : pattern.work(problem).steps;
}

double most_steps_of(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem) {
  return std::max(steps_of(pattern, kernel, params, problem), pattern.work(problem).steps);
}

Surroundings surroundings_of(const Problem& problem, const Device& device) {
  return {.types = problem.types, .device = device};
}

Program program_for(const Catalogue& catalogue, const Kernel& kernel, const Point& params, const Problem& problem,
                    const Device& device) {
  Program program = program_of(kernel.plan(params, problem, device), kernel.source);
  const Problem traced = traced_problem(catalogue, problem);
  if (!kernel.refuses(params, traced, device).empty()) return program;
  // Extents that are macros make it another one.
  const Program other = program_of(kernel.plan(params, traced, device), kernel.source);
  if (other.definitions == program.definitions) program += other;
  return program;
}

Checker::Limits Checker::Limits::times(double part, double seconds) const {
  Limits less = *this;
  less.steps *= part;
  less.per_step_of_work *= part;
  less.per_thread *= part;
  less.blocks *= part;
  const std::chrono::milliseconds most(static_cast<std::int64_t>(seconds * 1000));
  less.most_time = most;
  less.on_device = std::min(on_device, most);
  return less;
}

double Checker::step_limit(const Case& test, const Problem& problem, const Plan& plan, const Limits& limits) const {
  const double steps = most_steps_of(catalogue_.pattern(problem.pattern), *test.kernel, test.params, problem);
  if (!is_host(test.target)) return steps;
  return std::floor(limits.steps + limits.per_step_of_work * steps + limits.per_thread * threads_of(plan));
}

std::chrono::milliseconds Checker::time_limit(const Case& test, double steps, const Limits& limits) {
  const bool on_host = is_host(test.target);
  const double more_ms = 1000 * steps / (on_host ? kStepsPerSecond : kDeviceStepsPerSecond);
  return std::min(
      time_factor * ((on_host ? limits.time : limits.on_device) + std::chrono::milliseconds(std::llround(more_ms))),
      limits.most_time);
}

OracleAnswer oracle_answer(const Pattern& pattern, const Problem& problem, const Input& input, worker::Process& process,
                           worker::Compiler& compiler) {
  OracleAnswer answer{.inputs = generate_inputs(pattern, problem, input), .expected = {}};
  try {
    answer.expected = pattern.oracle ? pattern.oracle(problem, answer.inputs)
                                     : reference_answer(pattern, problem, answer.inputs, process, compiler);
  } catch (const NoModel& what) {
    answer.unknown = what.what();
  }
  return answer;
}

void Checker::compile_ahead(const std::vector<Case>& cases) {
  if (compile_ != Compile::ahead || cases.empty()) return;
  std::vector<Program> programs;
  for (const Case& test : cases) {
    Program program = program_for(catalogue_, *test.kernel, test.params, test.problem, device_of(test));
    if (std::ranges::find(programs, program) == programs.end()) programs.push_back(std::move(program));
  }
  const Case& any = cases.front();
  const Pattern& pattern = catalogue_.pattern(any.problem.pattern);
  if (!pattern.oracle) {
    const Reference reference = pattern.reference(any.problem, host_device());
    compiler_.compile(host_target(), {program_of(reference.plan, reference.source)});
  }
  if (const NamedObservation* observation = find_observation(pattern, {})) {
    const Observation made = observation->of(any.problem, device_of(any));
    programs.push_back(program_of(made.plan, made.source));
  }
  compiler_.compile(any.target, programs);
}

}  // namespace warpwright::conformance

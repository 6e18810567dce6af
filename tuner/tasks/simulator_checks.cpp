// Runs property cases of configurations.
#include "tuner/tasks/simulator_checks.hpp"

#include <algorithm>

#include "conformance/checks/case_plan.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright::tuner {

conformance::Checker host_checker(const TuningContext& context, worker::Process& process) {
  return {context.catalogue, process, context.build.compiler, conformance::CheckerOptions{.answers = context.answers}};
}

conformance::PropertyOptions host_cases(const std::string& target, const CompiledConfiguration& configuration,
                                        const Problem& problem, int cases, const std::atomic<bool>& stop) {
  return {.target = target,
          .cases = cases,
          .seed = 1,
          .params = {configuration.params},
          .problems = {problem},
          .draw_numbers = false,
          .max_steps = 4096,
          .deadline = std::nullopt,
          .stop = &stop,
          .determinism = true};
}

conformance::PropertyOptions device_cases(const std::string& target, const CompiledConfiguration& configuration,
                                          const Problem& problem, int cases, std::uint64_t seed,
                                          const std::atomic<bool>& stop) {
  return {.target = target,
          .cases = cases,
          .seed = seed,
          .params = {configuration.params},
          .problems = {problem},
          .draw_numbers = false,
          .max_steps = 1 << 14,
          .deadline = std::nullopt,
          .stop = &stop};
}

conformance::PropertyReport simulate_cases(const TuningContext& context, worker::Process& process,
                                           const CompiledConfiguration& configuration, const Problem& problem,
                                           int cases, Budget::End end) {
  conformance::Checker checker = host_checker(context, process);
  auto options = host_cases(context.host(), configuration, problem, cases, context.stop);
  options.sampled = {problem.shape};
  options.deadline = end;
  return conformance::run_property(context.catalogue, checker, *configuration.kernel, options);
}

Input traced_input() {
  return {.kind = std::string(kOwnData)};
}

Simulated simulate_traced(const TuningContext& context, worker::Process& process,
                          const CompiledConfiguration& configuration, const Problem& problem,
                          const conformance::OracleAnswer& answer, int cases) {
  conformance::Checker checker = host_checker(context, process);
  conformance::Case traced;
  traced.kernel = configuration.kernel;
  traced.params = configuration.params;
  traced.target = context.host();
  traced.problem = conformance::traced_problem(context.catalogue, problem);
  traced.input = traced_input();
  Simulated simulated;
  const auto begin = Budget::Clock::now();
  simulated.result = checker.check_and_count(traced, answer, simulated.access);
  simulated.cases = 1;
  simulated.seconds = std::chrono::duration<double>(Budget::Clock::now() - begin).count();
  if (!simulated.result.is_right()) simulated.counterexample = traced;
  if (!simulated.result.ok() || cases == 0) return simulated;
  const auto report = simulate_cases(context, process, configuration, problem, cases);
  simulated.cases += report.cases;
  simulated.seconds += report.seconds;
  if (!report.not_modelled.empty())
    simulated.result = {.verdict = Verdict::not_modelled, .detail = report.not_modelled};
  if (!report.ok()) {
    simulated.result = report.failure;
    simulated.counterexample = report.counterexample;
  }
  return simulated;
}

std::string cannot_simulate(const TuningContext& context) {
  if (std::string error = context.build.compiler.toolchain().host_error; !error.empty()) return error;
  const std::vector<int> known = supported_architectures();
  return std::ranges::find(known, context.device.compute_capability) == known.end()
             ? "the simulator does not know " + context.device.arch()
             : "";
}

void require_simulator(const std::string& host_error) {
  if (host_error.empty()) return;
  throw EnvironmentFault(
      host_error +
      ". Without it, predicted configurations cannot be checked. --unchecked predicts them without a check; the "
      "next run with a compiler checks them");
}

}  // namespace warpwright::tuner

// Runs property cases of configurations.
#include "tuner/tasks/simulator_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/checks/case_plan.hpp"
#include "conformance/suite/counterexamples.hpp"
#include "kernels/system/environment_fault.hpp"
#include "tuner/tasks/counted_problem.hpp"

namespace warpwright::tuner {
namespace {

constexpr int kSampleCases = 6;  ///< besides the traced problem

}  // namespace

conformance::Checker host_checker(const TuningContext& context, worker::Process& process,
                                  const std::optional<std::vector<std::int64_t>>& strict_shape) {
  return {
      context.catalogue, process, context.build.compiler,
      conformance::CheckerOptions{.strict_shape = strict_shape, .answers = context.answers, .pages = context.pages}};
}

std::string note_of(const conformance::PropertyReport& report, const Kernel& kernel) {
  std::string note;
  for (const conformance::CountedTolerated& one : report.tolerated) {
    const bool is_declared =
        std::ranges::any_of(kernel.lenient, [&](const ToleratedRule& rule) { return rule.what == one.finding.rule; });
    if (is_declared || !one.first) continue;
    note += fmt::format("{}at shape {}, which is not tuned: {}{}", note.empty() ? "" : "; ",
                        shape_text(one.first->problem.shape), one.finding.text, conformance::repro_hint(*one.first));
  }
  return note;
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
  conformance::Checker checker = host_checker(context, process, problem.shape);
  const Pattern& pattern = context.catalogue.pattern(problem.pattern);
  auto options = host_cases(context.host(), configuration, conformance::with_few_repetitions(pattern, problem), cases,
                            context.stop);
  options.sampled = {problem.shape};
  // A tuned shape that is as small as those that are drawn runs as a whole: strict rules hold there only.
  const double work =
      conformance::most_steps_of(pattern, *configuration.kernel, configuration.params, options.problems.front());
  if (work <= options.max_steps * conformance::kLargest) options.shapes = {problem.shape};
  options.deadline = end;
  return conformance::run_property(context.catalogue, checker, *configuration.kernel, options);
}

bool is_work_traced(const Kernel& kernel) {
  return !kernel.file.empty();
}

Input traced_input() {
  return {.kind = std::string(kOwnData)};
}

Simulated count_in_problem(const TuningContext& context, worker::Process& process,
                           const CompiledConfiguration& configuration, const Problem& problem) {
  conformance::Checker checker = host_checker(context, process);
  conformance::Case test;
  test.kernel = configuration.kernel;
  test.params = configuration.params;
  test.target = context.host();
  test.problem = problem;
  test.input = traced_input();
  test.law = std::string(conformance::kSampled);
  Simulated simulated;
  simulated.cases = 1;
  simulated.counts_problem = true;
  simulated.result = count_accesses(checker, test, simulated.access);
  simulated.seconds = simulated.result.seconds;
  if (!simulated.result.is_right()) simulated.counterexample = test;
  return simulated;
}

Simulated simulate_traced(const TuningContext& context, worker::Process& process,
                          const CompiledConfiguration& configuration, const Problem& problem, Check check) {
  Simulated simulated;
  if (is_work_traced(*configuration.kernel)) {
    simulated = count_in_problem(context, process, configuration, problem);
    if (!simulated.result.is_right()) return simulated;
    if (simulated.access && check == Check::counting) {
      simulated.result.verdict = Verdict::unchecked;
      return simulated;
    }
  }
  const Kernel& kernel = *configuration.kernel;
  const Device& device = host_device(context.host());
  const auto small =
      simulated.access ? compared_problem(context.catalogue, kernel, configuration.params, problem, device)
                       : conformance::traced_problem(context.catalogue, kernel, configuration.params, problem, device);
  if (!small) {
    simulated.result = {.verdict = Verdict::not_modelled,
                        .detail = "the kernel refuses the small problems that the simulator runs"};
    return simulated;
  }
  conformance::Checker checker = host_checker(context, process, problem.shape);
  conformance::Case traced;
  traced.kernel = configuration.kernel;
  traced.params = configuration.params;
  traced.target = context.host();
  traced.problem = *small;
  traced.input = traced_input();
  const auto begin = Budget::Clock::now();
  const auto answer = context.answers->answer(traced.problem, traced.input, [&] {
    return conformance::oracle_answer(context.catalogue.pattern(problem.pattern), traced.problem, traced.input, process,
                                      context.build.compiler);
  });
  std::optional<conformance::CountedAccess> access;
  simulated.result = checker.check_and_count(traced, *answer, access);
  if (!simulated.access) {
    simulated.access = std::move(access);
    simulated.counts_problem = false;
  }
  conformance::PropertyReport tolerated;
  tolerated.add(traced, simulated.result);
  simulated.note = note_of(tolerated, *configuration.kernel);
  simulated.cases = 1;
  simulated.seconds += std::chrono::duration<double>(Budget::Clock::now() - begin).count();
  if (!simulated.result.is_right()) simulated.counterexample = traced;
  if (!simulated.result.ok() || check != Check::cases) return simulated;
  const auto report = simulate_cases(context, process, configuration, problem, kSampleCases);
  simulated.cases += report.cases;
  simulated.seconds += report.seconds;
  if (simulated.note.empty()) simulated.note = note_of(report, *configuration.kernel);
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

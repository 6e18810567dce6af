// What a case needs before it runs: its program, its work, and whether its kernel accepts it.
#include "conformance/checks/case_plan.hpp"

#include <algorithm>

namespace warpwright::conformance {

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
  // If extents are macros, the traced problem needs another program.
  const Program other = program_of(kernel.plan(params, traced, device), kernel.source);
  if (other.definitions == program.definitions) program += other;
  return program;
}

}  // namespace warpwright::conformance

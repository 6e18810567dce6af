// What a case needs before it runs: its program, its work, and whether its kernel accepts it.
#include "conformance/checks/case_plan.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::conformance {

// Takes the largest edge of each such number that is smaller, until the work is at most kMore times that with the
// preferred numbers.
Problem with_few_repetitions(const Pattern& pattern, Problem problem) {
  constexpr double kMore = 8;
  Problem preferred = problem;
  for (const Number& number : pattern.numbers) set_number(preferred, number, number.preferred);
  const double most = kMore * pattern.work(preferred).steps;
  for (const Number& number : pattern.numbers) {
    const double steps = pattern.work(problem).steps;
    if (steps <= most || !problem.numbers.contains(number.name)) continue;
    double smaller = number.preferred;
    for (const double edge : number.edges)
      if (edge < problem.number(number.name)) smaller = std::max(smaller, edge);
    Problem reduced = problem;
    set_number(reduced, number, smaller);
    if (pattern.work(reduced).steps < steps) problem = reduced;
  }
  return problem;
}

Problem traced_problem(const Catalogue& catalogue, const Problem& problem) {
  const Pattern& pattern = catalogue.pattern(problem.pattern);
  Problem traced = problem;
  traced.shape = pattern.trace_shape;
  traced = with_few_repetitions(pattern, std::move(traced));
  const double steps = pattern.work(problem).steps;
  return steps > 0 && steps < pattern.work(traced).steps ? problem : traced;
}

std::optional<Problem> traced_problem(const Catalogue& catalogue, const Kernel& kernel, const Point& params,
                                      const Problem& problem, const Device& device) {
  const Problem usual = traced_problem(catalogue, problem);
  const auto is_accepted = [&](const Problem& one) { return kernel.refuses(params, one, device).empty(); };
  if (is_accepted(usual)) return usual;
  const auto reduced_except = [&](std::size_t kept) {
    Problem reduced = usual;
    for (std::size_t i = 0; i < reduced.shape.size(); ++i)
      if (i != kept) reduced.shape[i] = std::min(usual.shape[i], problem.shape.at(i));
    return reduced;
  };
  for (std::size_t kept = usual.shape.size() + 1; kept-- > 0;)
    if (const Problem reduced = reduced_except(kept); is_accepted(reduced)) return reduced;
  return std::nullopt;
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
  const auto traced = traced_problem(catalogue, kernel, params, problem, device);
  if (!traced) return program;
  // If extents are macros, the traced problem needs another program.
  const Program other = program_of(kernel.plan(params, *traced, device), kernel.source);
  if (other.definitions == program.definitions) program += other;
  return program;
}

}  // namespace warpwright::conformance

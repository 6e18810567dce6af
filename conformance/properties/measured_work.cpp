// Measures what a user's kernel costs where it is not known.
#include "conformance/properties/measured_work.hpp"

#include <algorithm>
#include <limits>

#include "conformance/checks/case_plan.hpp"

namespace warpwright::conformance {

double accesses_per_step(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                         const PropertyOptions& options) {
  if (!is_host(options.target) || kernel.file.empty() || options.params.empty() || options.problems.empty()) return 1;
  const Pattern& pattern = catalogue.pattern(kernel.pattern);
  Case test;
  test.kernel = &kernel;
  test.params = options.params.front();
  test.problem = options.problems.front();
  test.target = options.target;
  test.problem.shape = kernel.tile(test.params);
  if (refusal_of(test, device_for(test, checker.device_of(test.target)))) return 1;
  const double steps = steps_of(pattern, kernel, test.params, test.problem);
  if (steps <= pattern.work(test.problem).steps) return 1;
  test.input = {.kind = pattern.inputs(test.problem).front().name, .seed = options.seed};
  try {
    const CaseResult result = checker.check(test, options.limits);
    return result.is_right() && result.steps > 0 ? std::min(static_cast<double>(result.steps) / steps, 1.0) : 1;
  } catch (const Stopped&) {
    return 1;
  }
}

double usual_seconds(const CaseResult& result) {
  constexpr double kUsualAccesses = 2e7, kUsualBlocks = 5e7;
  if (result.finding == FindingKind::too_much_work) return std::numeric_limits<double>::infinity();
  return static_cast<double>(result.steps) / kUsualAccesses + static_cast<double>(result.blocks) / kUsualBlocks;
}

double own_seconds(const CaseResult& result) {
  constexpr double kOther = 0.05;
  const double usual = 2 * usual_seconds(result);
  return result.seconds > 4 * usual + kOther ? result.seconds : std::min(result.seconds, usual);
}

}  // namespace warpwright::conformance

// Checks the tuned shapes of a kernel, and which functions only they launch.
#include "conformance/properties/tuned_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/functions.hpp"

namespace warpwright::conformance {
namespace {

double bytes_of_buffers(const Pattern& pattern, const Problem& problem) {
  double bytes = 0;
  for (const Buffer& buffer : pattern.buffers(problem))
    bytes += static_cast<double>(buffer.count) * static_cast<double>(size_of(buffer.type));
  return bytes;
}

/// Checks some blocks of each launch. Returns whether nothing is wrong.
bool check_blocks(Checker& checker, const Case& whole, const PropertyOptions& options, PropertyReport& report) {
  Case test = whole;
  test.law = kSampled;
  const std::string shape = shape_text(test.problem.shape);
  const CaseResult result = checker.check(test, options.limits);
  for (const simulator::Finding& found : result.arithmetic)
    if (std::ranges::none_of(report.arithmetic,
                             [&](const CountedArithmetic& one) { return is_at_line_of(one.found, found); }))
      report.overflows.push_back(
          fmt::format("{}: {}, at shape {} only: if this is a size or an index, compute it in 64 bits",
                      simulator::location_of(found.location), found.message, shape));
  report.sampled.push_back(
      result.ok() ? fmt::format("of shape {}, which is too large to run, some blocks of each launch ran over sparse "
                                "memory: bounds, alignment and signed arithmetic were checked",
                                shape)
                  : fmt::format("shape {} is too large to run: {}", shape, result.detail));
  if (!result.is_right()) report.fail(test, result);
  return result.is_right();
}

}  // namespace

void add_launched(const Case& test, const Device& usual, std::set<std::string>& functions) {
  for (const PlannedLaunch& planned :
       launches_of(test.kernel->plan(test.params, test.problem, device_for(test, usual)))) {
    const std::string& entry = planned.launch.entry;
    functions.insert(test.kernel->file.empty() ? function_of(entry) : entry);
  }
}

std::set<std::string> tuned_launches(const Pattern& pattern, const Kernel& kernel, const Device& device,
                                     const PropertyOptions& options) {
  std::set<std::string> functions;
  Case test;
  test.kernel = &kernel;
  test.params = kernel.default_point;
  test.target = options.target;
  for (const Problem& problem : options.problems)
    for (const std::vector<std::int64_t>& shape : pattern.tuning_shapes) {
      test.problem = problem;
      test.problem.shape = shape;
      if (!refusal_of(test, device)) add_launched(test, device, functions);
    }
  return functions;
}

void check_tuned_shapes(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                        const PropertyOptions& options, const Passing& passing, const std::function<bool()>& is_over,
                        PropertyReport& report) {
  constexpr double kMostSeconds = kLongestSeconds, kMostBytes = 1 << 28;
  const Pattern& pattern = catalogue.pattern(kernel.pattern);
  const Device& usual = checker.device_of(options.target);
  double seconds = 0;
  for (const auto& shape : options.sampled) {
    if (is_over()) return;
    Case test;
    test.kernel = &kernel;
    test.params = options.params.front();
    test.problem = options.problems.front();
    test.input.kind = kOwnData;
    test.target = options.target;
    test.problem.shape = shape;
    const double work = most_steps_of(pattern, kernel, test.params, test.problem);
    const bool is_as_others = work <= options.max_steps * kLargest;
    if (const auto refused = refusal_of(test, device_for(test, usual))) {
      if (!is_as_others)
        report.sampled.push_back(fmt::format("shape {} is left out: {}", shape_text(shape), refused->reason));
      continue;
    }
    const double expected = passing.seconds_for(work, passing.checking);
    if (options.drawn_before && !kernel.file.empty() && work < report.least_long &&
        seconds + expected <= kMostSeconds && bytes_of_buffers(pattern, test.problem) <= kMostBytes) {
      seconds += expected;
      const CaseResult result = checker.check(test, options.limits);
      if (options.remark) add_launched(test, usual, report.launched);
      if (result.is_right() && result.verdict != Verdict::not_modelled) {
        // It is none of the drawn cases.
        const int cases = report.cases;
        report.add(test, result);
        report.cases = cases;
        continue;
      }
      if (!result.is_right()) {
        report.add(test, result);
        return;
      }
    }
    if (!is_as_others && !check_blocks(checker, test, options, report)) return;
  }
}

}  // namespace warpwright::conformance

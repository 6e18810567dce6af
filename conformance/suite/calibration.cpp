// Measures the rounding errors of a kernel's default configuration, to suggest a bound.
#include "conformance/suite/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/properties/property.hpp"
#include "conformance/suite/diagnostics.hpp"
#include "kernels/core/caveats.hpp"
#include "kernels/core/text.hpp"

namespace warpwright::conformance {
namespace {

ElementType type_of(const Pattern& pattern, const Problem& problem, const std::string& output) {
  for (const Buffer& buffer : observed_buffers(pattern, problem, host_device()))
    if (buffer.name == output) return buffer.type;
  throw std::invalid_argument("no output " + output);
}

/// The pattern with the bound that a depth of 1 gives. A bound without a depth becomes one rounding of the result.
Pattern with_depth_of_1(const Pattern& pattern) {
  Pattern changed = pattern;
  changed.bound = [pattern](const Problem& problem, const std::string& output, const InputKind& input, double) {
    Bound bound = pattern.bound(problem, output, input, 1);
    const ElementType type = type_of(pattern, problem, output);
    if (bound.comparison != Comparison::bounded || bound.relative == 0 || !is_floating(type)) return bound;
    if (bound.relative != pattern.bound(problem, output, input, 2).relative) return bound;
    bound.relative = unit_roundoff(type);
    bound.absolute = smallest_normal(type);
    return bound;
  };
  return changed;
}

/// The number of roundings that the pattern's bound allows: none if it has no depth.
std::optional<double> allowed(const Pattern& pattern, const Kernel& kernel, const Case& test) {
  const InputKind kind = input_kind(pattern, test.problem, test.input.kind);
  const double depth = kernel.depth(test.params, test.problem, host_device());
  for (const Buffer& buffer : observed_buffers(pattern, test.problem, host_device())) {
    const Bound one = pattern.bound(test.problem, buffer.name, kind, 1);
    if (one.relative > 0 && one.relative != pattern.bound(test.problem, buffer.name, kind, 2).relative) return depth;
  }
  return std::nullopt;
}

/// Whether outputs have a bound, and, if `rounds`, one that is not 0.
bool is_bounded(const Pattern& pattern, const Case& test, bool rounds) {
  const InputKind kind = input_kind(pattern, test.problem, test.input.kind);
  return std::ranges::any_of(observed_buffers(pattern, test.problem, host_device()), [&](const Buffer& buffer) {
    const Bound bound = pattern.bound(test.problem, buffer.name, kind, 1);
    return bound.comparison == Comparison::bounded && (!rounds || bound.relative > 0);
  });
}

}  // namespace

Calibration calibrate(const Catalogue& catalogue, const Kernel& kernel, worker::Process& process,
                      worker::Compiler& compiler, PropertyOptions options) {
  const Pattern& pattern = catalogue.pattern(kernel.pattern);
  Calibration found;
  if (has_unchecked_values(pattern.caveats)) {
    found.failure = "  it has no oracle, so the default configuration would be compared with itself\n";
    return found;
  }
  Kernel changed = kernel;
  changed.depth = [](const Point&, const Problem&, const Device&) { return 1.0; };
  const Catalogue all({with_depth_of_1(pattern)}, {changed}, catalogue.sources());
  const Kernel& measured = all.kernels().front();
  Checker checker(all, process, compiler);
  options.params = {kernel.default_point};
  options.problems = problems_of(pattern, kernel, host_device());
  for (const Case& test : draw_cases(all, measured, host_device(), options).cases) {
    if (options.stop != nullptr && *options.stop) throw Stopped();
    if (!test.law.empty()) continue;
    const CaseResult result = checker.check(test);
    if (is_refused(result.verdict) || result.verdict == Verdict::not_modelled) continue;
    const bool is_value = result.verdict == Verdict::failed && !result.found && std::isfinite(result.error_ratio);
    const bool rounds = is_bounded(pattern, test, true);
    const bool is_inexact = !rounds && is_bounded(pattern, test, false) && result.verdict == Verdict::failed &&
                            !result.found && result.error_ratio > 0;
    if (!result.is_right() && !is_value && !is_inexact) {
      found.failure = text_of(diagnostic_of(catalogue, test, result));
      return found;
    }
    ++(rounds ? found.cases : found.exact_cases);
    if (!rounds) found.inexact += is_inexact ? 1 : 0;
    if (!rounds) continue;
    const std::optional<double> depth = allowed(pattern, kernel, test);
    found.is_guessed = !depth;
    if (depth) found.of_bound = std::max(found.of_bound, result.error_ratio / *depth);
    if (result.error_ratio <= found.depth) continue;
    found.depth = result.error_ratio;
    found.at = test;
    found.at->kernel = &kernel;
  }
  return found;
}

namespace {

/// Twice the largest error, since other data may round worse.
std::int64_t suggested_depth(const Calibration& found) {
  return std::max<std::int64_t>(1, std::llround(std::ceil(2 * found.depth)));
}

}  // namespace

std::string describe(const Kernel& kernel, const Calibration& found) {
  if (!found.failure.empty())
    return fmt::format("{}: not calibrated, since something else is wrong:\n{}", kernel.full_name(), found.failure);
  std::string text;
  if (found.cases == 0)
    text = fmt::format("{}: no case has rounded results, so no depth can be suggested\n", kernel.full_name());
  else
    text = fmt::format("{}: the largest error in {} is {:.3g} roundings{}{}\n", kernel.full_name(),
                       counted(found.cases, "case"), found.depth, found.is_guessed ? " of the result" : "",
                       found.is_guessed ? "" : fmt::format(", {:.2g} of the bound", found.of_bound));
  if (found.at) text += folded_command("  there: " + repro_command(kernel.file, repro_line(*found.at)), 100, 6) + "\n";
  if (found.cases > 0)
    text += fmt::format(
        "  suggested: \"bound\": {{\"depth\": {}{}}}, twice the largest error, since other data may round worse\n",
        suggested_depth(found), found.is_guessed ? ", \"of\": \"result\"" : "");
  if (found.inexact > 0)
    text += fmt::format(
        "  {} of {} with small whole numbers gave other results than the oracle: if they are right, say \"exact\": "
        "false\n",
        found.inexact, counted(found.exact_cases, "case"));
  return text;
}

Table table_of(const std::vector<std::pair<const Kernel*, Calibration>>& calibrations) {
  Table table({{.head = "KERNEL"},
               {.head = "CASES"},
               {.head = "ROUNDINGS"},
               {.head = "OF BOUND"},
               {.head = "SUGGESTED DEPTH"},
               {.head = "OF"},
               {.head = "EXACT CASES"},
               {.head = "INEXACT"},
               {.head = "REPRO"},
               {.head = "FAILURE"}});
  const auto number = [](bool is_known, double value) { return is_known ? Table::Cell(value, "") : Table::Cell(); };
  for (const auto& [kernel, found] : calibrations) {
    const bool is_known = found.failure.empty() && found.cases > 0;
    table.add({kernel->full_name(), found.cases, number(is_known, found.depth),
               number(is_known && !found.is_guessed, found.of_bound),
               is_known ? Table::Cell(suggested_depth(found)) : Table::Cell(),
               is_known && found.is_guessed ? Table::Cell("result") : Table::Cell(), found.exact_cases, found.inexact,
               Table::Cell::unless_empty(found.at ? repro_line(*found.at) : ""),
               Table::Cell::unless_empty(found.failure)});
  }
  return table;
}

}  // namespace warpwright::conformance

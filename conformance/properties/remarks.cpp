// Formats remarks on a property's result.
#include "conformance/properties/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "kernels/core/text.hpp"

namespace warpwright::conformance {

std::string reason_for(const Kernel& kernel, StrictRule rule) {
  const auto declared = std::ranges::find(kernel.lenient, rule, &ToleratedRule::what);
  return declared == kernel.lenient.end() ? "--strict off" : declared->reason;
}

std::string describe(const Kernel& kernel, const Tolerated& finding) {
  return fmt::format("tolerated ({}): {}; reason: {}", word_of(finding.rule), finding.text,
                     reason_for(kernel, finding.rule));
}

std::vector<std::string> remarks_on(const PropertyReport& report) {
  std::vector<std::string> lines = report.warnings();
  std::ranges::move(hints_on(report), std::back_inserter(lines));
  return lines;
}

std::vector<std::string> hints_on(const PropertyReport& report) {
  std::vector<std::string> lines;
  if (const ShrinkingReport& shrinking = report.shrinking; shrinking.tries > 0)
    lines.push_back(fmt::format("shrunk by {} tries in {:.1f} s{}", shrinking.tries, shrinking.seconds,
                                shrinking.out_of_time ? ", when its time was over: simpler cases may fail too"
                                                      : ", until nothing simpler failed"));
  for (const CountedTolerated& counted : report.tolerated)
    lines.push_back(
        fmt::format("{} (in {} of {} cases)", describe(*report.kernel, counted.finding), counted.cases, report.cases));
  for (const ToleratedRule& rule : unneeded_rules(report))
    lines.push_back(fmt::format("declares that '{}' is tolerated ({}), which none of {} cases needed: obsolete?",
                                word_of(rule.what), rule.reason, report.cases));
  if (report.ok())
    for (const CountedArithmetic& counted : report.arithmetic)
      lines.push_back(fmt::format("{}: {} (in {} of {} cases; no finding, since no access out of bounds came from it)",
                                  simulator::location_of(counted.found.location), counted.found.message, counted.cases,
                                  report.cases));
  for (const auto& [name, null] : report.audit.nulls)
    if (name == kAllNan)
      lines.push_back(fmt::format("all answers are NaN in {} of {}", null.equal, counted(report.audit.cases, "case")));
  if (report.too_long > 0)
    lines.push_back(
        fmt::format("{} large cases left out, which would take more than {} s each, by what those before "
                    "them took",
                    report.too_long, kLongestSeconds));
  lines.insert(lines.end(), report.explored.begin(), report.explored.end());
  lines.insert(lines.end(), report.sampled.begin(), report.sampled.end());
  if (report.capped.any()) lines.push_back(describe(report.capped));
  return lines;
}

}  // namespace warpwright::conformance

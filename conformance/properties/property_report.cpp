// What the cases of a property showed: adding up, and the words of it.
#include "conformance/properties/property_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpwright::conformance {

std::string PropertyReport::words_of_too_much() const {
  return fmt::format("{} of {} cases were not checked: {}", too_much, cases, too_much_work);
}

void PropertyReport::add(const CountedTolerated& counted) {
  const auto known = std::ranges::find_if(tolerated, [&](const CountedTolerated& one) {
    return one.finding.rule == counted.finding.rule && one.finding.location == counted.finding.location;
  });
  if (known == tolerated.end())
    tolerated.push_back(counted);
  else
    known->cases += counted.cases;
}

void PropertyReport::add(const simulator::Finding& arithmetic_of, int in_cases) {
  const auto known = std::ranges::find_if(
      arithmetic, [&](const CountedArithmetic& counted) { return is_at_line_of(counted.found, arithmetic_of); });
  if (known == arithmetic.end())
    arithmetic.push_back({.found = arithmetic_of, .cases = in_cases});
  else
    known->cases += in_cases;
}

void PropertyReport::fail(const Case& test, const CaseResult& result) {
  first_failure = counterexample = test;
  failure = result;
}

bool PropertyReport::add(const Case& test, const CaseResult& result) {
  ++cases;
  steps += result.steps;
  threads += result.threads;
  for (const Tolerated& one : result.tolerated) add({.finding = one, .cases = 1, .first = test});
  for (const simulator::Finding& found : result.arithmetic) add(found, 1);
  mistrusted += result.verdict == Verdict::mistrusted ? 1 : 0;
  if (result.finding == FindingKind::too_much_work) {
    ++too_much;
    too_much_work = result.detail;
  } else if (result.verdict == Verdict::not_modelled) {
    ++unmodelled;
    not_modelled = result.detail;
    not_modelled_at = result.found;
  }
  if (result.is_right()) {
    worst_error_ratio = std::max(worst_error_ratio, result.error_ratio);
    return false;
  }
  fail(test, result);
  return true;
}

void PropertyReport::add(PropertyReport more) {
  kernel = more.kernel;
  if (cases == 0 && !more.skipped.empty()) skipped = more.skipped;
  cases += more.cases;
  refused += more.refused;
  too_much += more.too_much;
  if (!more.too_much_work.empty()) too_much_work = more.too_much_work;
  if (cases > too_much)
    skipped.clear();
  else if (too_much > 0)
    skipped = words_of_too_much();
  mistrusted += more.mistrusted;
  unmodelled += more.unmodelled;
  if (!more.not_modelled.empty()) {
    not_modelled = more.not_modelled;
    not_modelled_at = more.not_modelled_at;
  }
  capped.add(more.capped);
  too_long += more.too_long;
  left_out += more.left_out;
  least_long = std::min(least_long, more.least_long);
  if (!more.overflows.empty()) overflows = std::move(more.overflows);
  for (const CountedTolerated& counted : more.tolerated) add(counted);
  for (const CountedArithmetic& counted : more.arithmetic) add(counted.found, counted.cases);
  exhausted = std::max(exhausted, more.exhausted);
  if (!more.explored.empty()) explored = std::move(more.explored);
  if (!more.sampled.empty()) sampled = std::move(more.sampled);
  caveats = more.caveats;
  launched.merge(more.launched);
  tuned.merge(more.tuned);
  audit.add(more.audit);
  worst_error_ratio = std::max(worst_error_ratio, more.worst_error_ratio);
  steps += more.steps;
  threads += more.threads;
  if (more.accesses_per_step) accesses_per_step = more.accesses_per_step;
  seconds += more.seconds;
  interrupted = interrupted || more.interrupted;
  if (!more.ok()) {
    counterexample = std::move(more.counterexample);
    first_failure = std::move(more.first_failure);
    failure = std::move(more.failure);
    shrinking = more.shrinking;
  }
}

std::vector<ToleratedRule> unneeded_rules(const PropertyReport& report) {
  std::vector<ToleratedRule> unneeded;
  if (!report.ok() || report.interrupted || report.checked() == 0) return unneeded;
  for (const ToleratedRule& rule : report.kernel->lenient)
    if (std::ranges::none_of(report.tolerated,
                             [&](const CountedTolerated& one) { return one.finding.rule == rule.what; }))
      unneeded.push_back(rule);
  return unneeded;
}

std::vector<std::string> PropertyReport::warnings() const {
  std::vector<std::string> all = caveats;
  if (too_much > 0) all.push_back(words_of_too_much());
  if (left_out > 0)
    all.push_back(fmt::format(
        "{} of {} drawn cases are left out, since they are at least as large as one that took long: state \"work\": "
        "{{\"steps\": ...}} in the job file, or draw smaller ones (--max-steps)",
        left_out, left_out + cases));
  if (ok()) std::ranges::copy(overflows, std::back_inserter(all));
  std::vector<std::string> missing;
  std::ranges::set_difference(tuned, launched, std::back_inserter(missing));
  if (ok() && !interrupted && checked() > 0 && !missing.empty())
    all.push_back(fmt::format("no case launched {}, but tuned problems do", fmt::join(missing, ", ")));
  if (ok()) std::ranges::move(audit.warnings(), std::back_inserter(all));
  return all;
}

Verdict PropertyReport::verdict() const {
  if (!ok()) return failure.verdict;
  if (cases == too_much) return skipped.empty() ? Verdict::not_run : Verdict::skipped;
  return not_modelled.empty() ? Verdict::passed : Verdict::not_modelled;
}

}  // namespace warpwright::conformance

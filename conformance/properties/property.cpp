// Checks the cases of a property until one fails.
#include "conformance/properties/property.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/measured_work.hpp"
#include "conformance/properties/shrinking.hpp"
#include "conformance/properties/tuned_shapes.hpp"
#include "kernels/core/caveats.hpp"
#include "kernels/core/text.hpp"

namespace warpwright::conformance {
namespace {

/// Decides when a property ends before all its cases have run.
class CaseBudget {
 public:
  explicit CaseBudget(const PropertyOptions& options)
      : options_(options), stop_{.asked = options.stop, .deadline = options.deadline} {}

  bool is_over() const { return stop_.is_now(); }
  /// Whether cases that are drawn from now on have no time to run: a kernel that refuses most of them is drawn many
  /// times for each.
  bool is_over_for_drawing() const {
    return is_over() || (options_.deadline && Stop::Clock::now() >= begin_ + (*options_.deadline - begin_) / 4);
  }
  /// Whether there is time for another case after so many.
  bool has_time_for_case_after(int cases) {
    if (options_.slice && cases == 1) slice_end_ = Stop::Clock::now() + *options_.slice;
    return !is_over() && Stop::Clock::now() < slice_end_;
  }

 private:
  const PropertyOptions& options_;
  const Stop::Clock::time_point begin_ = Stop::Clock::now();
  Stop stop_;
  Stop::Clock::time_point slice_end_ = Stop::Clock::time_point::max();
};

}  // namespace

std::string fault_of_default(const Pattern& pattern, const Kernel& kernel, const Device& device) {
  const std::vector<Axis>& axes = kernel.space.axes();
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (std::ranges::find(axes[i].values, kernel.default_point.at(i)) == axes[i].values.end())
      return fmt::format("its default params have {} = {}, which is none of the values of that axis", axes[i].name,
                         kernel.default_point[i]);
  std::string broken;
  for (const auto& types : pattern.types) {
    broken = kernel.space.rejected_by(kernel.default_point, {.types = types, .device = device});
    if (broken.empty()) return {};
  }
  return fmt::format("its default params break '{}' of its own space, for every type", broken);
}

std::vector<Problem> problems_of(const Pattern& pattern, const Kernel& kernel, const Device& device) {
  std::vector<std::map<std::string, std::string>> variants{{}};
  for (const auto& [axis, options] : pattern.variants) {
    std::vector<std::map<std::string, std::string>> longer;
    for (const auto& variant : variants)
      for (const std::string& option : options) {
        longer.push_back(variant);
        longer.back()[axis] = option;
      }
    variants = std::move(longer);
  }
  std::vector<Problem> all;
  std::vector<Problem> solved;
  for (const auto& types : pattern.types)
    for (const auto& variant : variants) {
      all.push_back(make_problem(pattern, types, variant, pattern.trace_shape));
      Problem problem = all.back();
      const auto is_refused = [&] { return !kernel.refuses(kernel.default_point, problem, device).empty(); };
      if (is_refused()) problem.shape = kernel.tile(kernel.default_point);
      if (!is_refused()) solved.push_back(std::move(problem));
    }
  return solved.empty() ? all : solved;
}

namespace {

/// The order in which the cases run. On a GPU with a deadline the small ones run first, after those of given shapes: if
/// the CPU computes the right answers, there may not be time for the large ones.
std::vector<std::size_t> order_of(const Catalogue& catalogue, const std::vector<Case>& cases,
                                  const PropertyOptions& options) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t given = std::min(options.shapes.size(), cases.size());
  if (!options.deadline || options.drawn_before || is_host(options.target)) return order;
  std::ranges::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(given), order.end(), {}, [&](std::size_t i) {
    return most_steps_of(catalogue.pattern(cases[i].problem.pattern), *cases[i].kernel, cases[i].params,
                         cases[i].problem);
  });
  return order;
}

/// Runs the cases and adds their results to `report`, until one fails. Returns its index, or the number of cases.
std::size_t check_cases(const Catalogue& catalogue, Checker& checker, const std::vector<Case>& cases,
                        const PropertyOptions& options, CaseBudget& budget, PropertyReport& report, Passing& passing) {
  for (const std::size_t i : order_of(catalogue, cases, options)) {
    if (!budget.has_time_for_case_after(report.cases)) {
      report.interrupted = true;
      break;
    }
    const Case& test = cases[i];
    const double work = most_steps_of(catalogue.pattern(test.problem.pattern), *test.kernel, test.params, test.problem);
    if (options.drawn_before && is_host(options.target) && work > options.max_steps * kLarger && passing.work > 0 &&
        passing.seconds_for(work, passing.of_largest) > kLongestSeconds) {
      ++report.too_long;
      continue;
    }
    // What a step of a user's kernel costs is not known before.
    const bool is_measured = options.drawn_before && is_host(options.target) && !test.kernel->file.empty();
    if (is_measured && work >= report.least_long) {
      ++report.left_out;
      continue;
    }
    const auto begin = Stop::Clock::now();
    const CaseResult result = checker.check(test, options.limits, options.remark ? &report.audit : nullptr);
    const double checking = std::chrono::duration<double>(Stop::Clock::now() - begin).count();
    if (is_measured && usual_seconds(result) > options.longest_seconds) report.least_long = work;
    if (options.remark) add_launched(test, checker.device_of(test.target), report.launched);
    if (report.add(test, result)) return i;
    if (result.finding == FindingKind::too_much_work) continue;
    passing.of_limit = std::max(passing.of_limit, result.of_limit);
    passing.seconds = std::max(passing.seconds, result.seconds);
    if (work >= passing.work) {
      passing.work = work;
      passing.checking = checking;
      passing.of_largest = is_measured ? own_seconds(result) : result.seconds;
    }
  }
  return cases.size();
}

/// The blocks and threads of the largest launch of the case; nothing if a launch is too large to be explored.
std::optional<std::pair<std::int64_t, std::int64_t>> extent_of(const Case& test, const Device& usual) {
  std::pair<std::int64_t, std::int64_t> largest{0, 0};
  for (const PlannedLaunch& planned :
       launches_of(test.kernel->plan(test.params, test.problem, device_for(test, usual)))) {
    const auto blocks = static_cast<std::int64_t>(planned.launch.grid.count());
    const auto threads = blocks * static_cast<std::int64_t>(planned.launch.block.count());
    if (threads > static_cast<std::int64_t>(simulator::most_explored_threads)) return std::nullopt;
    largest = std::max(largest, {blocks, threads});
  }
  return largest.first == 0 ? std::nullopt : std::optional(largest);
}

/// By the number of blocks: those of the cases with the fewest threads, and then elements, whose launches are small
/// enough to be explored.
std::map<std::int64_t, const Case*> small_cases(const Checker& checker, const std::vector<Case>& cases,
                                                const PropertyOptions& options) {
  using Size = std::pair<std::int64_t, std::int64_t>;  // threads, elements
  std::map<std::int64_t, std::pair<Size, const Case*>> smallest;
  const Device& usual = checker.device_of(options.target);
  for (const Case& test : cases) {
    if (!test.law.empty() || refusal_of(test, device_for(test, usual))) continue;
    const auto extent = extent_of(test, usual);
    if (!extent) continue;
    const Size size{extent->second, test.problem.elements()};
    const auto [known, is_new] = smallest.try_emplace(extent->first, size, &test);
    if (!is_new && size < known->second.first) known->second = {size, &test};
  }
  if (smallest.size() > 1) smallest.erase(1);
  std::map<std::int64_t, const Case*> chosen;
  for (const auto& [blocks, test] : smallest) chosen.emplace(blocks, test.second);
  return chosen;
}

/// Runs all schedules of a few cases with small launches, as far as that ends soon.
void explore(Checker& checker, const std::vector<Case>& cases, const PropertyOptions& options, PropertyReport& report) {
  constexpr int kMostCases = 3;
  int count = 0;
  for (const auto& [blocks, chosen] : small_cases(checker, cases, options)) {
    if (++count > kMostCases) return;
    Case test = *chosen;
    test.law = kAllSchedules;
    test.schedule_seed = 0;
    test.resident_blocks = 0;
    test.stale_loads = test.stale_end = 0;
    const CaseResult result = checker.check(test, options.limits);
    if (!result.is_right()) return report.fail(test, result);
    if (result.explored == 0) return;
    if (result.is_exhausted) report.exhausted = result.explored;
    report.explored.push_back(fmt::format("{}: {} of {}, with {} and with the older values that loads may return",
                                          result.is_exhausted ? "exhausted" : "not exhausted",
                                          counted(static_cast<std::int64_t>(result.explored), "execution"),
                                          problem_text(test.problem), counted(blocks, "block")));
    if (!result.is_exhausted) return;
  }
}

/// Runs each problem several times, as PropertyOptions::equal_bits says.
void check_equal_bits(Checker& checker, const Kernel& kernel, const PropertyOptions& options, PropertyReport& report) {
  const Stop stop{.asked = options.stop, .deadline = options.deadline};
  for (const Problem& problem : options.problems) {
    Case test;
    test.kernel = &kernel;
    test.params = options.params.at(0);
    test.target = options.target;
    test.problem = problem;
    test.input = {.kind = std::string(kOwnData), .seed = options.seed};
    test.law = kDeterminism;
    const CaseResult result = checker.check_equal_bits(test, options.equal_bits, options.equal_bits_from, stop);
    report.interrupted = result.verdict == Verdict::not_run;
    if (result.verdict == Verdict::skipped) report.skipped = result.detail;
    if (report.interrupted || !report.skipped.empty()) return;
    if (report.add(test, result)) return;
  }
}

/// Where the default configuration is the oracle, a wrong value may be its own mistake, which is found in its own run.
void check_default_itself(Checker& checker, const PropertyOptions& options, PropertyReport& report) {
  if (report.failure.verdict != Verdict::failed || report.failure.found || !has_unchecked_values(report.caveats))
    return;
  if (report.counterexample->law == kSampled) return;  // too large to run as a whole
  Case own = *report.counterexample;
  own.params = own.kernel->default_point;
  own.law.clear();
  CaseResult result = checker.check(own, options.limits);
  if (!result.found) return;
  report.counterexample = std::move(own);
  report.failure = std::move(result);
}

}  // namespace

PropertyReport run_property(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                            const PropertyOptions& given) {
  PropertyOptions options = given;
  PropertyReport report;
  report.kernel = &kernel;
  report.caveats = catalogue.pattern(kernel.pattern).caveats;
  report.audit.changes_inputs = options.changes_inputs;
  const auto begin = Stop::Clock::now();
  if (options.equal_bits > 0) {
    try {
      check_equal_bits(checker, kernel, options, report);
    } catch (const Stopped&) {
      report.interrupted = true;
    }
    return report;
  }
  CaseBudget budget(options);

  const Device& device = checker.device_of(options.target);
  if (options.remark) report.tuned = tuned_launches(catalogue.pattern(kernel.pattern), kernel, device, options);
  if (options.drawn_before && !options.accesses_per_step)
    options.accesses_per_step = accesses_per_step(catalogue, checker, kernel, options);
  report.accesses_per_step = options.accesses_per_step;
  DrawnCases drawn_cases =
      draw_cases(catalogue, kernel, device, options, [&budget] { return budget.is_over_for_drawing(); });
  std::vector<Case>& cases = drawn_cases.cases;
  report.refused = drawn_cases.refused;
  report.capped = drawn_cases.capped;
  report.interrupted = cases.size() < static_cast<std::size_t>(options.cases) && budget.is_over_for_drawing();
  if (cases.empty()) {
    if (!report.interrupted) report.skipped = drawn_cases.last_reason;
  }
  if (options.determinism && !cases.empty() && kernel.deterministic(cases[0].params, cases[0].problem))
    cases[0].law = kDeterminism;
  try {
    checker.compile_ahead(cases);
    Passing passing;
    const std::size_t failed = check_cases(catalogue, checker, cases, options, budget, report, passing);
    if (options.shrink && failed < cases.size()) shrink(catalogue, checker, kernel, options, passing, failed, report);
    if (report.ok() && options.drawn_before == 0 && is_host(options.target) && !budget.is_over())
      explore(checker, cases, options, report);
    if (report.ok() && is_host(options.target) && !budget.is_over())
      check_tuned_shapes(
          catalogue, checker, kernel, options, passing, [&] { return budget.is_over(); }, report);
    if (!report.ok()) {
      check_default_itself(checker, options, report);
      if (options.remark)
        report.failure.detail += checker.tolerance_of(*report.counterexample, report.failure, options.limits);
    }
  } catch (const Stopped&) {
    report.interrupted = true;
  }
  if (report.too_much > 0 && report.too_much == report.cases) report.skipped = report.words_of_too_much();
  report.seconds = std::chrono::duration<double>(Stop::Clock::now() - begin).count();
  return report;
}

}  // namespace warpwright::conformance

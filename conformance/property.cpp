// Drawing, checking and shrinking cases.
#include "conformance/property.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <random>
#include <set>
#include <unordered_map>

namespace warpwright::conformance {
namespace {

/// Keeps rapidcheck from printing: what failed is in the report.
class Silent : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

/// A number in [0, count), every one as likely, shrinking towards 0.
template <class T = std::size_t>
T draw_below(T count) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, count));
}

std::int64_t draw_extent(std::int64_t tile, std::int64_t limit) {
  const auto edges = edge_extents(tile, limit);
  const std::size_t pick = draw_below(edges.size() * 4 / 3 + 1);
  return pick < edges.size() ? edges[pick] : draw_below<std::int64_t>(limit + 1);
}

/// How much of a problem is small enough.
class SizeLimit {
 public:
  SizeLimit(const Pattern& pattern, const Kernel& kernel, const Point& params, double max_steps)
      : pattern_(pattern), kernel_(kernel), params_(params), steps_(max_steps) {}

  /// Whether a problem of that shape takes more, but not out of all proportion.
  bool within_proportion(const Problem& problem, const std::vector<std::int64_t>& shape) const {
    constexpr double kProportion = 64;
    return steps_with(problem, shape) <= steps_ * kProportion;
  }

  /// Also takes what a problem of that shape takes, if that is not out of all proportion.
  void allow(const Problem& problem, const std::vector<std::int64_t>& shape) {
    if (within_proportion(problem, shape)) steps_ = std::max(steps_, steps_with(problem, shape));
  }

  bool holds(const Problem& problem, const std::vector<std::int64_t>& shape) const {
    return steps_with(problem, shape) <= steps_;
  }

  /// The largest extent of that dimension that the limit allows.
  std::int64_t largest(const Problem& problem, std::vector<std::int64_t> shape, std::size_t dimension) const {
    std::int64_t low = 1;
    auto high = static_cast<std::int64_t>(steps_) + 1;
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      shape[dimension] = middle;
      (holds(problem, shape) ? low : high) = middle;
    }
    return low;
  }

 private:
  /// An extent of 0 limits nothing.
  double steps_with(Problem problem, const std::vector<std::int64_t>& shape) const {
    problem.shape = shape;
    for (std::int64_t& extent : problem.shape) extent = std::max<std::int64_t>(extent, 1);
    return most_steps_of(pattern_, kernel_, params_, problem);
  }

  const Pattern& pattern_;
  const Kernel& kernel_;
  const Point& params_;
  double steps_;
};

std::vector<std::int64_t> draw_shape(const SizeLimit& limit, const Problem& problem,
                                     const std::vector<std::int64_t>& tile,
                                     const std::vector<std::vector<std::int64_t>>& edges) {
  // One in eight fills a second level of the kernel's own, where it has one and that is not too much work.
  if (!edges.empty() && draw_below(8) == 7) return edges[draw_below(edges.size())];
  std::vector<std::int64_t> shape(tile.size(), 1);
  for (std::size_t i = 0; i < tile.size(); ++i) shape[i] = draw_extent(tile[i], limit.largest(problem, shape, i));
  // The first dimension was free to be the long one; half of the time the last is.
  if (shape.size() > 1 && draw_below(2) == 1) {
    std::swap(shape.front(), shape.back());
    if (!limit.holds(problem, shape)) std::swap(shape.front(), shape.back());
  }
  return shape;
}

double draw_number(const Number& number) {
  const auto edges = edge_values(number);
  // The preferred value half of the time, then edges, then any.
  const std::size_t pick = draw_below(edges.size() * 8 / 3 + 1);
  if (pick < edges.size()) return edges[pick];
  if (pick < edges.size() * 2) return number.preferred;
  if (number.step == 0) {
    constexpr int kParts = 1 << 20;
    return number.low + (number.high - number.low) * draw_below<int>(kParts + 1) / kParts;
  }
  const auto count = static_cast<std::int64_t>((number.high - number.low) / number.step) + 1;
  return number.low + number.step * static_cast<double>(draw_below<std::int64_t>(count));
}

std::string draw_input(const Pattern& pattern, const Problem& problem) {
  std::vector<std::string> kinds;
  for (const InputKind& kind : pattern.inputs(problem)) kinds.push_back(kind.name);
  for (const InputKind& kind : pattern.data)
    if (std::ranges::find(kinds, kind.name) == kinds.end()) kinds.push_back(kind.name);
  return kinds[draw_below(kinds.size())];
}

Case draw_case(const Catalogue& catalogue, const Kernel& kernel, const PropertyOptions& options) {
  const Pattern& pattern = catalogue.pattern(kernel.pattern);
  Case test;
  test.kernel = &kernel;
  test.target = options.target;
  test.params = options.params[draw_below(options.params.size())];
  test.problem = options.problems[draw_below(options.problems.size())];
  if (options.draw_numbers)
    for (const Number& number : pattern.numbers) test.problem.numbers[number.name] = draw_number(number);
  // One case in sixteen is large.
  constexpr double kLarger = 8;
  const bool is_large = draw_below(16) == 15;
  const auto tile = kernel.tile(test.params);
  SizeLimit limit(pattern, kernel, test.params, is_large ? options.max_steps * kLarger : options.max_steps);
  auto around = tile;
  for (std::int64_t& extent : around) ++extent;
  limit.allow(test.problem, around);
  std::vector<std::vector<std::int64_t>> edges = kernel.edges(test.params, test.problem);
  std::erase_if(edges, [&](const auto& shape) { return !limit.within_proportion(test.problem, shape); });
  test.problem.shape = draw_shape(limit, test.problem, tile, edges);
  test.input = {.kind = draw_input(pattern, test.problem), .seed = draw_below<std::uint64_t>(1'000'000)};
  constexpr std::size_t kOracleWeight = 8;
  const std::size_t others = pattern.laws.size() + (kernel.deterministic(test.params, test.problem) ? 1 : 0);
  const std::size_t check = draw_below(kOracleWeight + others);
  if (check >= kOracleWeight + pattern.laws.size()) {
    test.law = kDeterminism;
  } else if (check >= kOracleWeight) {
    test.law = pattern.laws[check - kOracleWeight].name;
  }
  if (is_host(options.target)) {
    test.schedule_seed = draw_below<std::uint64_t>(1'000'000);
    test.resident_blocks = draw_below<int>(6);
  }
  return test;
}

/// When a property ends before its cases do.
class Patience {
 public:
  explicit Patience(const PropertyOptions& options)
      : options_(options), stop_{.asked = options.stop, .deadline = options.deadline} {}

  bool is_over() const { return stop_.is_now(); }
  /// Whether another case may begin after so many.
  bool has_time_for_case_after(int cases) {
    if (options_.slice && cases == 1) slice_end_ = Stop::Clock::now() + *options_.slice;
    return !is_over() && Stop::Clock::now() < slice_end_;
  }

 private:
  const PropertyOptions& options_;
  Stop stop_;
  Stop::Clock::time_point slice_end_ = Stop::Clock::time_point::max();
};

/// Lets rapidcheck call `property`. It keeps its state in globals, so one thread at a time. What the property throws is
/// thrown on, and is no failure of the property.
void with_rapidcheck(const Kernel& kernel, const PropertyOptions& options, const std::function<void()>& property) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  Silent silent;
  rc::detail::TestParams params;
  params.seed = options.seed;
  params.maxSuccess = options.cases;
  constexpr int kRefusedPerCase = 50;  // a kernel for one type of many is refused often
  params.maxDiscardRatio = kRefusedPerCase;
  std::exception_ptr error;
  const std::function<void()> watched = [&] {
    if (error) return;
    try {
      property();
    } catch (const rc::detail::CaseResult&) {
      throw;
    } catch (...) {
      error = std::current_exception();
      throw;
    }
  };
  rc::detail::checkTestable(watched, rc::detail::TestMetadata{kernel.full_name(), kernel.full_name()}, params, silent,
                            std::unordered_map<std::string, rc::detail::Reproduce>{});
  if (error) std::rethrow_exception(error);
}

}  // namespace

std::vector<std::int64_t> edge_extents(std::int64_t tile, std::int64_t limit) {
  std::set<std::int64_t> extents{0, 1, 2, 3, 31, 32, 33, 97, 127, 128, 129, 255, 256, 257, 521, 1021, 2053, limit};
  for (const std::int64_t tiles : {1, 2, 3, 5})
    for (const std::int64_t beside : {-1, 0, 1}) extents.insert(tiles * tile + beside);
  std::vector<std::int64_t> kept;
  for (const std::int64_t extent : extents)
    if (extent >= 0 && extent <= limit) kept.push_back(extent);
  return kept;
}

std::vector<double> edge_values(const Number& number) {
  std::vector<double> values{number.preferred};
  const auto add = [&](double value) {
    if (number.allows(value) && std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  for (const double edge : number.edges) add(edge);
  add(number.low);
  add(number.low + number.step);
  add(number.high);
  return values;
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

std::vector<Point> sample_points(const Kernel& kernel, const Surroundings& surroundings, std::size_t count,
                                 std::uint64_t seed) {
  std::vector<Point> points = kernel.space.points(surroundings);
  std::erase(points, kernel.default_point);
  if (count > 0 && count <= points.size()) {
    std::vector<Point> drawn;
    std::ranges::sample(points, std::back_inserter(drawn), static_cast<std::ptrdiff_t>(count - 1),
                        std::mt19937_64(seed));
    points = std::move(drawn);
  }
  points.insert(points.begin(), kernel.default_point);
  return points;
}

std::vector<Point> covering_points(const Kernel& kernel, const Surroundings& surroundings) {
  const std::vector<Point> points = kernel.space.points(surroundings);
  std::set<std::pair<std::size_t, std::int64_t>> seen;
  const auto news = [&](const Point& point) {
    int count = 0;
    for (std::size_t axis = 0; axis < point.size(); ++axis) count += seen.contains({axis, point[axis]}) ? 0 : 1;
    return count;
  };
  std::vector<Point> chosen;
  while (true) {
    const auto best = std::ranges::max_element(points, {}, news);
    if (best == points.end() || news(*best) == 0) return chosen;
    for (std::size_t axis = 0; axis < best->size(); ++axis) seen.insert({axis, (*best)[axis]});
    chosen.push_back(*best);
  }
}

DrawnCases draw_cases(const Catalogue& catalogue, const Kernel& kernel, const Device& device,
                      const PropertyOptions& options) {
  DrawnCases drawn;
  const Patience patience(options);
  with_rapidcheck(kernel, options, [&] {
    if (patience.is_over()) return;
    Case test = draw_case(catalogue, kernel, options);
    if (const auto refused = refusal_of(test, device)) {
      ++drawn.refused;
      // What the kernel itself says counts for more than a configuration that no space has.
      if (refused->verdict == Verdict::skipped || drawn.last_reason.empty()) drawn.last_reason = refused->reason;
      RC_DISCARD(refused->reason);
    }
    drawn.cases.push_back(std::move(test));
  });
  return drawn;
}

Verdict PropertyReport::verdict() const {
  if (!ok()) return failure.verdict;
  if (cases == 0) return skipped.empty() ? Verdict::not_run : Verdict::skipped;
  return not_judged.empty() ? Verdict::passed : Verdict::not_judged;
}

namespace {

/// Adds what came of the cases to `report`, until one of them fails. Gives which: the number of all where none did.
std::size_t check_cases(Checker& checker, const std::vector<Case>& cases, Patience& patience, PropertyReport& report) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!patience.has_time_for_case_after(report.cases)) {
      report.interrupted = true;
      break;
    }
    const CaseResult result = checker.check(cases[i]);
    ++report.cases;
    report.steps += result.steps;
    report.threads += result.threads;
    report.mistrusted += result.verdict == Verdict::mistrusted ? 1 : 0;
    if (result.verdict == Verdict::not_judged) {
      ++report.unjudged;
      report.not_judged = result.detail;
    }
    if (result.is_right()) {
      report.worst_error_ratio = std::max(report.worst_error_ratio, result.error_ratio);
      continue;
    }
    report.first_failure = report.counterexample = cases[i];
    report.failure = result;
    return i;
  }
  return cases.size();
}

/// The same draws again, up to the case that failed; rapidcheck then shrinks until nothing simpler fails, so the last
/// case that failed is the simplest.
void shrink(const Catalogue& catalogue, Checker& checker, const Kernel& kernel, const PropertyOptions& options,
            std::size_t failed, PropertyReport& report) {
  const Device& device = checker.device_of(options.target);
  const Pattern& pattern = catalogue.pattern(kernel.pattern);
  const Patience patience(options);
  const auto work_of = [&](const Case& test) { return most_steps_of(pattern, kernel, test.params, test.problem); };
  std::size_t drawn = 0;
  bool stopped = false;
  with_rapidcheck(kernel, options, [&] {
    const Case test = draw_case(catalogue, kernel, options);
    if (refusal_of(test, device)) RC_DISCARD("refused");
    const std::size_t index = drawn++;
    if (index < failed || stopped || patience.is_over()) return;
    if (index > failed) {
      if (work_of(test) > work_of(*report.counterexample)) return;
      CaseResult result;
      try {
        result = checker.check(test);
      } catch (const Stopped&) {
        stopped = true;
        return;
      }
      if (result.is_right()) return;
      report.counterexample = test;
      report.failure = result;
    }
    RC_FAIL(report.failure.detail);
  });
}

}  // namespace

PropertyReport run_property(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                            const PropertyOptions& options) {
  PropertyReport report;
  report.kernel = &kernel;
  const auto begin = std::chrono::steady_clock::now();
  Patience patience(options);

  const Device& device = checker.device_of(options.target);
  DrawnCases drawn_cases = draw_cases(catalogue, kernel, device, options);
  std::vector<Case>& cases = drawn_cases.cases;
  report.refused = drawn_cases.refused;
  if (cases.empty() && !patience.is_over()) report.skipped = drawn_cases.last_reason;
  for (std::size_t i = 0; i < std::min(options.shapes.size(), cases.size()); ++i) {
    Case shaped = cases[i];
    shaped.problem.shape = options.shapes[i];
    if (!refusal_of(shaped, device)) cases[i] = std::move(shaped);
  }
  if (options.determinism && !cases.empty() && kernel.deterministic(cases[0].params, cases[0].problem))
    cases[0].law = kDeterminism;
  try {
    checker.compile_ahead(cases);
    const std::size_t failed = check_cases(checker, cases, patience, report);
    if (options.shrink && failed < cases.size()) shrink(catalogue, checker, kernel, options, failed, report);
  } catch (const Stopped&) {
    report.interrupted = true;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace warpwright::conformance

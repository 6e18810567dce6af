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

std::vector<std::int64_t> draw_shape(const std::vector<std::int64_t>& tile, std::int64_t max_elements) {
  std::vector<std::int64_t> shape;
  std::int64_t left = max_elements;
  for (const std::int64_t extent : tile) {
    shape.push_back(draw_extent(extent, left));
    left /= std::max<std::int64_t>(shape.back(), 1);
  }
  // The first dimension was free to be the long one; half of the time the last is.
  if (shape.size() > 1 && draw_below(2) == 1) std::swap(shape.front(), shape.back());
  return shape;
}

Case draw_case(const Catalogue& catalogue, const Kernel& kernel, const PropertyOptions& options) {
  Case test;
  test.kernel = &kernel;
  test.target = options.target;
  test.params = options.params[draw_below(options.params.size())];
  test.problem = options.problems[draw_below(options.problems.size())];
  // One case in sixteen is large.
  constexpr std::int64_t kLarger = 8;
  const bool is_large = draw_below(16) == 15;
  test.problem.shape =
      draw_shape(kernel.tile(test.params), is_large ? options.max_elements * kLarger : options.max_elements);
  const Pattern& pattern = catalogue.pattern(kernel.pattern);
  const auto distributions = pattern.distributions(test.problem);
  test.input = {.distribution = distributions[draw_below(distributions.size())],
                .seed = draw_below<std::uint64_t>(1'000'000)};
  constexpr std::size_t kOracleWeight = 8;
  const std::size_t others = pattern.laws.size() + (kernel.deterministic(test.params, test.problem) ? 1 : 0);
  const std::size_t check = draw_below(kOracleWeight + others);
  if (check >= kOracleWeight + pattern.laws.size()) {
    test.law = kDeterminism;
  } else if (check >= kOracleWeight) {
    test.law = pattern.laws[check - kOracleWeight].name;
  }
  if (options.target == "host") {
    test.schedule_seed = draw_below<std::uint64_t>(1'000'000);
    test.resident_blocks = draw_below<int>(6);
  }
  return test;
}

/// Lets rapidcheck call `property`. It keeps its state in globals, so one thread at a time.
void with_rapidcheck(const Kernel& kernel, const PropertyOptions& options, const std::function<void()>& property) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  Silent silent;
  rc::detail::TestParams params;
  params.seed = options.seed;
  params.maxSuccess = options.cases;
  rc::detail::checkTestable(property, rc::detail::TestMetadata{kernel.full_name(), kernel.full_name()}, params, silent,
                            std::unordered_map<std::string, rc::detail::Reproduce>{});
}

/// Outputs that are rightly zero everywhere were poisoned before, so they were written.
bool is_right(const CaseResult& result) {
  return result.ok() || result.verdict == "mistrusted";
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

std::vector<Problem> problems_of(const Pattern& pattern, const Kernel& kernel) {
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
  std::vector<Problem> problems;
  for (const ElementType type : pattern.types)
    for (const auto& variant : variants) {
      Problem problem = make_problem(pattern, type, variant, pattern.trace_shape);
      if (kernel.supports(problem)) problems.push_back(std::move(problem));
    }
  return problems;
}

std::vector<Point> sample_points(const Kernel& kernel, std::size_t count, std::uint64_t seed) {
  std::vector<Point> points = kernel.space.points();
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

std::vector<Point> covering_points(const Kernel& kernel) {
  const std::vector<Point> points = kernel.space.points();
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

std::vector<Case> draw_cases(const Catalogue& catalogue, const Kernel& kernel, const PropertyOptions& options) {
  std::vector<Case> cases;
  std::exception_ptr error;
  with_rapidcheck(kernel, options, [&] {
    try {
      cases.push_back(draw_case(catalogue, kernel, options));
    } catch (...) {
      error = std::current_exception();
      throw;
    }
  });
  if (error) std::rethrow_exception(error);
  return cases;
}

PropertyReport run_property(const Catalogue& catalogue, Checker& checker, const Kernel& kernel,
                            const PropertyOptions& options) {
  PropertyReport report;
  report.kernel = &kernel;
  const auto begin = std::chrono::steady_clock::now();
  const auto over = [&] {
    return (options.stop != nullptr && *options.stop) ||
           (options.deadline && std::chrono::steady_clock::now() >= *options.deadline);
  };

  std::vector<Case> cases = draw_cases(catalogue, kernel, options);
  if (options.determinism && !cases.empty() && kernel.deterministic(cases[0].params, cases[0].problem))
    cases[0].law = kDeterminism;
  std::size_t failed = cases.size();
  for (std::size_t i = 0; i < cases.size() && failed == cases.size(); ++i) {
    if (over()) {
      report.interrupted = true;
      break;
    }
    const CaseResult result = checker.check(cases[i]);
    ++report.cases;
    report.steps += result.steps;
    report.threads += result.threads;
    report.mistrusted += result.verdict == "mistrusted" ? 1 : 0;
    if (is_right(result)) {
      report.worst_error_ratio = std::max(report.worst_error_ratio, result.error_ratio);
      continue;
    }
    failed = i;
    report.first_failure = report.counterexample = cases[i];
    report.failure = result;
  }

  // The same draws again, up to the case that failed; rapidcheck then shrinks until nothing simpler fails, so the last
  // case that failed is the simplest.
  std::size_t drawn = 0;
  if (options.shrink && failed < cases.size())
    with_rapidcheck(kernel, options, [&] {
      const Case test = draw_case(catalogue, kernel, options);
      const std::size_t index = drawn++;
      if (index < failed || over()) return;
      if (index > failed) {
        const CaseResult result = checker.check(test);
        if (is_right(result)) return;
        report.counterexample = test;
        report.failure = result;
      }
      RC_FAIL(report.failure.detail);
    });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace warpwright::conformance

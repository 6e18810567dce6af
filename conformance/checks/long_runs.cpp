// Tells runs that only take long from those that never end.
#include "conformance/checks/long_runs.hpp"

#include <fmt/format.h>

#include <optional>

#include "kernels/core/shape.hpp"

namespace warpwright::conformance {
namespace {

/// Problems differ by this part of each extent.
constexpr std::int64_t kParts = 64;
constexpr double kLeap = 100;

Case part_of(const Case& test, std::int64_t part) {
  Case smaller = test;
  for (std::int64_t& extent : smaller.problem.shape)
    extent = extent / kParts * part + (extent % kParts * part + kParts - 1) / kParts;
  return smaller;
}

/// What a run did, in one number.
double effort_of(const CaseResult& result) {
  return static_cast<double>(result.steps) + static_cast<double>(result.blocks);
}

bool is_stopped(const CaseResult& result) {
  return result.finding == FindingKind::too_much_work;
}

}  // namespace

std::string hang_words(const Case& test, const CaseResult& stopped,
                       const std::function<CaseResult(const Case&)>& check) {
  const auto is_leap = [](const CaseResult& long_one, const CaseResult& short_one) {
    return !is_stopped(short_one) && short_one.steps > 0 && effort_of(long_one) > kLeap * effort_of(short_one);
  };
  const auto needs = [](const Case& one, const CaseResult& result) {
    return fmt::format("shape {} needs {} memory accesses", shape_text(one.problem.shape), result.steps);
  };
  std::int64_t fits = 1, too_large = kParts;
  CaseResult least = stopped;
  CaseResult most = check(part_of(test, fits));
  if (is_stopped(most)) {
    Case other = part_of(test, fits);
    other.params = test.kernel->default_point;
    if (other.params == test.params) return {};
    const CaseResult by_default = check(other);
    return is_leap(most, by_default)
               ? fmt::format(": a loop that does not end, since with the default params {}", needs(other, by_default))
               : "";
  }
  while (too_large - fits > 1) {
    const std::int64_t middle = (fits + too_large) / 2;
    CaseResult result = check(part_of(test, middle));
    (is_stopped(result) ? too_large : fits) = middle;
    (is_stopped(result) ? least : most) = std::move(result);
  }
  return is_leap(least, most) ? fmt::format(": a loop that does not end, since {}", needs(part_of(test, fits), most))
                              : "";
}

}  // namespace warpwright::conformance

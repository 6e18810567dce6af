// Finds extents that only make loops longer, and extrapolates the counts.
#include "tuner/tasks/counted_problem.hpp"

#include <algorithm>

#include "conformance/checks/case_plan.hpp"
#include "kernels/core/halved.hpp"

namespace warpwright::tuner {
namespace {

using conformance::CaseResult;
using conformance::CountedAccess;

/// Whether the plans start the same instances with as many blocks and threads.
bool launch_alike(const Plan& one, const Plan& other) {
  const std::vector<PlannedLaunch> mine = launches_of(one), others = launches_of(other);
  return one.definitions == other.definitions &&
         std::ranges::equal(mine, others, [](const PlannedLaunch& a, const PlannedLaunch& b) {
           return a.times == b.times && a.launch.entry == b.launch.entry && a.launch.grid == b.launch.grid &&
                  a.launch.block == b.launch.block && a.launch.cluster == b.launch.cluster &&
                  a.launch.shared_bytes == b.launch.shared_bytes;
         });
}

/// The extent divided by a power of two; 0 if its steps are not aligned, or none is short enough.
std::int64_t step_of(std::int64_t extent) {
  constexpr std::int64_t kAligned = 32, kShortest = 64, kLeastSteps = 12;
  std::int64_t step = extent;
  while (step % (2 * kAligned) == 0 && step / 2 >= kShortest) step /= 2;
  return step % kAligned == 0 && extent / step >= kLeastSteps ? step : 0;
}

}  // namespace

std::optional<ShorterProblems> shorter_problems(const Kernel& kernel, const Point& params, const Problem& problem,
                                                const Device& device) {
  const Plan plan = kernel.plan(params, problem, device);
  for (std::size_t i = 0; i < problem.shape.size(); ++i) {
    const std::int64_t step = step_of(problem.shape[i]);
    if (step == 0) continue;
    ShorterProblems shorter{.problems = {problem, problem, problem},
                            .steps = static_cast<double>(problem.shape[i] / step)};
    std::int64_t steps = 0;
    const bool is_alike = std::ranges::all_of(shorter.problems, [&](Problem& one) {
      one.shape[i] = ++steps * step;
      return kernel.refuses(params, one, device).empty() && launch_alike(plan, kernel.plan(params, one, device));
    });
    if (is_alike) return shorter;
  }
  return std::nullopt;
}

std::optional<CountedAccess> extrapolated(const std::array<CountedAccess, 3>& shorter, double steps) {
  const auto& [one, two, three] = shorter;
  const auto at = [&](const simulator::AccessCounts& a, const simulator::AccessCounts& b,
                      const simulator::AccessCounts& c) { return simulator::on_a_line(a, b, c, steps); };
  CountedAccess access = one;
  const std::size_t launches = one.launches.size(), lines = one.lines.size();
  if (two.launches.size() != launches || three.launches.size() != launches || two.lines.size() != lines ||
      three.lines.size() != lines)
    return std::nullopt;
  access.counts = {};
  for (std::size_t i = 0; i < launches; ++i) {
    const auto counts = at(one.launches[i], two.launches[i], three.launches[i]);
    if (!counts) return std::nullopt;
    access.launches[i] = *counts;
    access.counts += *counts;
  }
  for (std::size_t i = 0; i < lines; ++i) {
    const simulator::LineAccess& own = one.lines[i];
    const auto is_same = [&](const simulator::LineAccess& other) {
      return other.file == own.file && other.line == own.line;
    };
    if (!is_same(two.lines[i]) || !is_same(three.lines[i])) return std::nullopt;
    const auto of_line = at(own.counts, two.lines[i].counts, three.lines[i].counts);
    if (!of_line) return std::nullopt;
    access.lines[i].counts = *of_line;
  }
  return access;
}

CaseResult count_accesses(conformance::Checker& checker, const conformance::Case& test,
                          std::optional<CountedAccess>& access) {
  const auto shorter = shorter_problems(*test.kernel, test.params, test.problem, checker.device_of(test.target));
  if (!shorter) return checker.count_blocks(test, access);
  CaseResult sum;
  std::array<CountedAccess, 3> counted;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    conformance::Case one = test;
    one.problem = shorter->problems.at(i);
    std::optional<CountedAccess> found;
    const CaseResult result = checker.count_blocks(one, found);
    // A finding at a shorter problem: the verdict is that of this one.
    if (!found || result.verdict != Verdict::passed) return checker.count_blocks(test, access);
    counted.at(i) = std::move(*found);
    sum.steps += result.steps;
    sum.seconds += result.seconds;
    sum.threads = result.threads;
    sum.arithmetic = result.arithmetic;
  }
  access = extrapolated(counted, shorter->steps);
  return access ? sum : checker.count_blocks(test, access);
}

Problem compared_problem(const Catalogue& catalogue, const Kernel& kernel, const Point& params, const Problem& problem,
                         const Device& device) {
  constexpr double kElements = 1 << 14;  // of all buffers, or steps
  const Pattern& pattern = catalogue.pattern(problem.pattern);
  const auto with = [&](const Shape& shape) {
    Problem other = conformance::traced_problem(catalogue, problem);
    if (!shape.empty()) other.shape = shape;
    return other;
  };
  const auto is_too_large = [&](const Shape& shape) {
    const Problem other = with(shape);
    double elements = 0;
    for (const Buffer& buffer : pattern.buffers(other)) elements += static_cast<double>(buffer.count);
    return std::max(pattern.work(other).steps, elements) > kElements;
  };
  return with(halved(with({}).shape, is_too_large, [&](const Shape& shape) {
    return kernel.refuses(params, with(shape), device).empty() &&
           kernel.refuses(kernel.default_point, with(shape), device).empty();
  }));
}

}  // namespace warpwright::tuner

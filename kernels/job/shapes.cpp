// Derives shapes from a job's launches.
#include "kernels/job/shapes.hpp"

#include <algorithm>
#include <functional>

#include "kernels/core/halved.hpp"
#include "kernels/core/target.hpp"

namespace warpwright::job {
namespace {

constexpr std::int64_t kMostTile = 1 << 16;
constexpr double kTracedSteps = 1 << 18, kMostTracedSteps = 1 << 24;

}  // namespace

std::vector<std::int64_t> tile_of(const Lowering& lowering, const Point& point) {
  const Job& job = lowering.job;
  Problem problem{.pattern = job.pattern()};
  problem.shape.assign(job.extents.size(), 1);
  for (const Number& number : job.numbers) problem.numbers[number.name] = number.preferred;
  const auto launched = [&](auto JobStep::*extents) {
    const FirstLaunch launch = first_launch(job.steps, names_of(job, point, problem, host_device()));
    std::vector<Value> all;
    for (const Expression& one : launch.step.*extents) all.push_back(one.value(launch.names));
    return all;
  };
  std::vector<std::int64_t> tile;
  for (std::size_t i = 0; i < problem.shape.size(); ++i) {
    problem.shape[i] = 1;
    const std::vector<Value> least = launched(&JobStep::grid);
    // Each extent of the grid by itself: their product may be 0 because of another extent of the problem.
    const auto larger = [&](std::int64_t extent) {
      problem.shape[i] = extent;
      return std::ranges::mismatch(launched(&JobStep::grid), least, std::less_equal()).in2;
    };
    const auto stays = [&](std::int64_t extent) { return larger(extent) == least.end(); };
    std::int64_t low = 1;
    std::int64_t high = kMostTile;
    if (stays(high)) {
      problem.shape[i] = 1;
      Value threads = 1;
      for (const Value& extent : launched(&JobStep::block)) threads *= extent;
      tile.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(threads), 1, kMostTile));
      continue;
    }
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (stays(middle) ? low : high) = middle;
    }
    // A grid that is rounded down has its first block at `high`.
    tile.push_back(*larger(high) == 0 ? high : low);
    problem.shape[i] = 1;
  }
  return tile;
}

std::vector<std::int64_t> trace_shape_of(const Pattern& pattern, const Kernel& kernel,
                                         const std::vector<std::vector<std::int64_t>>& check_shapes) {
  Problem problem = make_problem(pattern, pattern.types.front(), {}, pattern.tuning_shapes.front());
  const auto takes = [&](const std::vector<std::int64_t>& shape) {
    Problem other = problem;
    other.shape = shape;
    return kernel.refuses(kernel.default_point, other, host_device()).empty();
  };
  // A job that states too little work must not be traced at a size that takes hours.
  const auto steps = [&] {
    double elements = 0;
    for (const Buffer& buffer : pattern.buffers(problem)) elements += static_cast<double>(buffer.count);
    return std::max(pattern.work(problem).steps, elements);
  };
  const auto is_too_large = [&](const std::vector<std::int64_t>& shape) {
    problem.shape = shape;
    return steps() > kTracedSteps;
  };
  problem.shape = halved(problem.shape, is_too_large, takes);
  if (steps() > kMostTracedSteps && !check_shapes.empty()) return check_shapes.back();
  return problem.shape;
}

}  // namespace warpwright::job

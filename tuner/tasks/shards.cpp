// Assigns configurations and problems to shards.
#include "tuner/tasks/shards.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/boards.hpp"

namespace warpwright::tuner {
namespace {

bool is_in(const Shard& slice, const Kernel& kernel, const Point& point) {
  return slice.is_all() ||
         shard_of(fmt::format("{} {}", kernel.full_name(), kernel.space.text(point)), slice.of) == slice.number;
}

/// The number of configurations of a problem on the board, including kernels left out on this device; at least 1.
double weight_of(const TuningTask& task, const Device& board, const TuningRequest& request) {
  std::size_t count = 0;
  const auto add = [&](const Kernel& kernel) {
    count += points_for(kernel, task.problem, board, request.params).size();
  };
  for (const Kernel* kernel : task.kernels) add(*kernel);
  for (const LeftOut& left : task.left_out) add(*left.kernel);
  return static_cast<double>(std::max<std::size_t>(count, 1));
}

}  // namespace

void keep_shard(const Shard& shard, Pieces pieces, const Device& device, TuningRequest& request,
                std::vector<TuningTask>& tasks) {
  request.shard = shard;
  if (pieces == Pieces::configurations) {
    request.slice = shard;
    std::erase_if(tasks, [&](TuningTask& task) {
      const std::size_t removed = std::erase_if(task.kernels, [&](const Kernel* kernel) {
        return slice_for(*kernel, task.problem, device, request).empty();
      });
      return removed > 0 && task.kernels.empty();
    });
    return;
  }
  const Device newest = default_board(std::ranges::max(supported_architectures())).device;
  std::vector<Piece> problems;
  for (const TuningTask& task : tasks)
    problems.push_back({.key = problem_text(task.problem), .weight = weight_of(task, newest, request)});
  const auto shards = spread_pieces(problems, shard.of);
  std::vector<TuningTask> kept;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (shards[i] == shard.number) kept.push_back(std::move(tasks[i]));
  tasks = std::move(kept);
}

std::vector<Point> slice_for(const Kernel& kernel, const Problem& problem, const Device& device,
                             const TuningRequest& request) {
  auto points = points_for(kernel, problem, device, request.params);
  std::erase_if(points, [&](const Point& point) { return !is_in(request.slice, kernel, point); });
  return points;
}

std::vector<std::size_t> keep_slice(const Kernel& kernel, const Shard& slice, PointSet& set,
                                    const std::vector<std::size_t>& sample) {
  if (slice.is_all()) return sample;
  PointSet kept{.points = {}, .space = {.points = {}, .axis_sizes = set.space.axis_sizes}};
  kept.space.axis_values = set.space.axis_values;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    if (!is_in(slice, kernel, set.points[i])) continue;
    const std::size_t place = kept.points.size();
    if (std::ranges::find(sample, i) != sample.end()) left.push_back(place);
    if (set.space.default_point == i) kept.space.default_point = place;
    kept.points.push_back(std::move(set.points[i]));
    kept.space.points.push_back(std::move(set.space.points[i]));
  }
  set = std::move(kept);
  return left;
}

void say_empty(const std::string& shard, const std::filesystem::path& database) {
  const db::Store made(database);
  fmt::print("The shard {} of this is empty: there are more shards than pieces. Stored in {}\n", shard,
             made.path().string());
}

}  // namespace warpwright::tuner

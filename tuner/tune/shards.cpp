// Cutting up runs.
#include "tuner/tune/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tuner/boards.hpp"

namespace warpwright::tuner {
namespace {

bool is_in(const Shard& slice, const Kernel& kernel, const Point& point) {
  return slice.is_all() ||
         shard_of(fmt::format("{} {}", kernel.full_name(), kernel.space.text(point)), slice.of) == slice.number;
}

/// How many configurations each problem of the request has on the newest board of the table, with memory for all of
/// them; by the problem's text, at least 1. The same on every machine.
std::map<std::string, double> weights_of(const Catalogue& catalogue, const TuneRequest& request) {
  Device reference = default_board(std::ranges::max(supported_architectures())).device;
  reference.memory_bytes = std::int64_t{1} << 50;
  std::map<std::string, double> weights;
  for (const TuneItem& item : tune_items(catalogue, request, reference)) {
    std::size_t count = 0;
    for (const Kernel* kernel : item.kernels)
      count += points_for(*kernel, item.problem, reference, request.params).size();
    weights[problem_text(item.problem)] = static_cast<double>(std::max<std::size_t>(count, 1));
  }
  return weights;
}

}  // namespace

void keep_shard(const Shard& shard, Pieces pieces, const Catalogue& catalogue, const Device& device,
                TuneRequest& request, std::vector<TuneItem>& items) {
  request.shard = shard;
  if (pieces == Pieces::configurations) {
    request.slice = shard;
    std::erase_if(items, [&](TuneItem& item) {
      const std::size_t removed = std::erase_if(item.kernels, [&](const Kernel* kernel) {
        return slice_for(*kernel, item.problem, device, request).empty();
      });
      return removed > 0 && item.kernels.empty();
    });
    return;
  }
  const auto weights = weights_of(catalogue, request);
  std::vector<Piece> problems;
  for (const TuneItem& item : items) {
    const std::string text = problem_text(item.problem);
    problems.push_back({.key = text, .weight = weights.at(text)});
  }
  const auto shards = spread_pieces(problems, shard.of);
  std::vector<TuneItem> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (shards[i] == shard.number) kept.push_back(std::move(items[i]));
  items = std::move(kept);
}

std::vector<Point> slice_for(const Kernel& kernel, const Problem& problem, const Device& device,
                             const TuneRequest& request) {
  auto points = points_for(kernel, problem, device, request.params);
  std::erase_if(points, [&](const Point& point) { return !is_in(request.slice, kernel, point); });
  return points;
}

std::vector<std::size_t> keep_slice(const Kernel& kernel, const Shard& slice, PointSet& set,
                                    const std::vector<std::size_t>& sample) {
  if (slice.is_all()) return sample;
  PointSet kept{.points = {}, .space = {.points = {}, .axis_sizes = set.space.axis_sizes}};
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

// Turns of the kernels, and whose point comes first.
#include "tuner/tasks/task_search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tuner/search/covering.hpp"
#include "tuner/tasks/shards.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kLeastShare = 1.0 / 64;
/// What a look takes: set-up and comparison in microseconds, and runs.
constexpr double kOverheadUs = 5000, kRuns = 4;

}  // namespace

Search::Search(std::span<const Kernel* const> kernels, const Problem& problem, const Device& device,
               const TuneRequest& request, std::span<const KnownSetting> known)
    : is_guided_(is_guided(request.strategy_name())) {
  std::size_t order = 0;
  for (const Kernel* kernel : kernels) {
    Lane lane;
    lane.kernel = kernel;
    lane.set = point_set(*kernel, problem, device, request.params);
    lane.first_order = order;
    spaces_[kernel] =
        request.params.is_empty() ? lane.set.points.size() : points_for(*kernel, problem, device, {}).size();
    order += lane.set.points.size();
    const auto whole_sample = covering_sample(lane.set.space, request.seed);
    const auto sample = keep_slice(*kernel, request.slice, lane.set, whole_sample);
    lane.limit = lane.set.points.size();
    if (request.budget_evaluations > 0)
      lane.limit = std::min(lane.limit, static_cast<std::size_t>(request.budget_evaluations));
    lane.sample.insert(sample.begin(), sample.end());
    if (request.covers) {
      lane.own.assign(sample.rbegin(), sample.rend());
    }
    const auto comes_first = [&](std::size_t point) {
      std::erase(lane.own, point);
      lane.own.push_back(point);
    };
    for (const auto& [name, params] : known) {
      const auto is_it = [&, &text = params](const Point& point) { return kernel->space.text(point) == text; };
      const auto point = std::ranges::find_if(lane.set.points, is_it);
      if (name == kernel->name && point != lane.set.points.end())
        comes_first(static_cast<std::size_t>(point - lane.set.points.begin()));
    }
    if (!lane.set.points.empty()) comes_first(lane.set.space.default_point);
    lane.strategy = make_strategy(request.strategy_name(), lane.set.space, request.seed);
    lanes_.push_back(std::move(lane));
  }
}

std::optional<std::size_t> Search::next_of(Lane& lane) {
  if (lane.asked == lane.limit) return std::nullopt;
  while (!lane.own.empty()) {
    const std::size_t point = lane.own.back();
    lane.own.pop_back();
    lane.on_way[point] = false;
    return point;
  }
  for (;;) {
    const auto points = lane.strategy->ask(1);
    if (points.empty()) return std::nullopt;
    const auto same = lane.on_way.find(points.front());
    if (same == lane.on_way.end()) return points.front();
    same->second = true;
  }
}

double Search::share(const Lane& lane) const {
  if (!best_ || !lane.best) return 1;
  return std::max(std::pow(*best_ / *lane.best, 3), kLeastShare);
}

/// Where the lane's time would be, after one look more, on the scale of its share.
double Search::next_turn(const Lane& lane) const {
  const double look_us = kOverheadUs + kRuns * lane.best.value_or(best_.value_or(0));
  return static_cast<double>(lane.asked + 1) * look_us / share(lane);
}

/// Whether others must be told first.
bool Search::waits(const Lane& lane) const {
  const bool all_told = std::ranges::all_of(lanes_, [](const Lane& one) { return one.told > 0 || one.limit == 0; });
  return is_guided_ && lanes_.size() > 1 && !all_told && lane.asked > 2 * lane.told;
}

std::vector<Choice> Search::ask_defaults() {
  std::vector<Choice> asked;
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    if (lanes_[k].asked == 0)
      if (const auto point = next_of(lanes_[k])) {
        ++lanes_[k].asked;
        asked.push_back({k, *point});
      }
  return asked;
}

std::vector<Choice> Search::ask(std::size_t at_most) {
  std::vector<Choice> asked;
  std::set<std::size_t> idle;  // nothing to ask for before something is told
  while (asked.size() < at_most && idle.size() < lanes_.size()) {
    std::optional<std::size_t> next;
    for (std::size_t k = 0; k < lanes_.size(); ++k)
      if (!idle.contains(k) && (!next || next_turn(lanes_[k]) < next_turn(lanes_[*next]))) next = k;
    Lane& lane = lanes_[*next];
    if (const auto point = waits(lane) ? std::nullopt : next_of(lane)) {
      ++lane.asked;
      asked.push_back({*next, *point});
    } else {
      idle.insert(*next);
    }
  }
  return asked;
}

void Search::tell(Choice choice, double cost) {
  Lane& lane = lanes_[choice.kernel];
  const auto own = lane.on_way.find(choice.point);
  if (own != lane.on_way.end() && !own->second)
    lane.strategy->tell_known(choice.point, cost);
  else
    lane.strategy->tell(choice.point, cost);
  if (own != lane.on_way.end()) lane.on_way.erase(own);
  ++lane.told;
  if (!std::isfinite(cost)) return;
  lane.best = std::min(lane.best.value_or(cost), cost);
  best_ = std::min(best_.value_or(cost), cost);
}

std::size_t Search::size() const {
  std::size_t sum = 0;
  for (const Lane& lane : lanes_) sum += lane.limit;
  return sum;
}

std::string Search::searched() const {
  std::vector<std::string> parts;
  for (const Lane& lane : lanes_)
    if (lane.told < lane.set.points.size())
      parts.push_back(fmt::format("{} {} of {}", lane.kernel->name, lane.told, lane.set.points.size()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace warpwright::tuner

// Shares the time of a search between the kernels of a problem, and puts the points of each kernel in order.
#include "tuner/tasks/task_search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tuner/cost_model/plan_estimate.hpp"
#include "tuner/search/covering.hpp"
#include "tuner/tasks/shards.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kLeastShare = 1.0 / 64;
constexpr double kShareOfFast = 1.0 / 8;  ///< a kernel with less is more than twice as slow as the best, or failed
/// The time of an evaluation: set-up and comparison in microseconds, and runs of the kernel.
constexpr double kOverheadUs = 5000, kRuns = 4;

}  // namespace

Search::Search(std::span<const Kernel* const> kernels, const Problem& problem, const Device& device,
               const TuningRequest& request, std::span<const KnownBest> known, bool only_known)
    : is_guided_(is_guided(request.strategy_name())) {
  for (const Kernel* kernel : kernels) {
    KernelSearch search;
    search.kernel = kernel;
    search.set = point_set(*kernel, problem, device, request.params);
    spaces_[kernel] =
        request.params.is_empty() ? search.set.points.size() : points_for(*kernel, problem, device, {}).size();
    const auto full_sample = covering_sample(search.set.space, request.seed);
    const auto sample = keep_slice(*kernel, request.slice, search.set, full_sample);
    search.limit = search.set.points.size();
    if (request.budget_evaluations > 0)
      search.limit = std::min(search.limit, static_cast<std::size_t>(request.budget_evaluations));
    search.sample.insert(sample.begin(), sample.end());
    const auto comes_first = [&](std::size_t point) {
      std::erase(search.first, point);
      search.first.push_back(point);
    };
    for (auto one = known.rbegin(); one != known.rend(); ++one) {
      if (one->kernel != kernel) continue;
      const auto point = std::ranges::find(search.set.points, one->params);
      if (point == search.set.points.end()) continue;
      const auto place = static_cast<std::size_t>(point - search.set.points.begin());
      comes_first(place);
      if (one->is_predicted && one->us > 0) predicted_ = {{searches_.size(), place}, one->us};
    }
    if (!search.set.points.empty()) comes_first(search.set.space.default_point);
    if (only_known) search.limit = std::min(search.limit, search.first.size());
    search.place.first = static_cast<std::size_t>(std::ranges::find(known, kernel, &KnownBest::kernel) - known.begin());
    if (!search.set.points.empty())
      search.place.second =
          estimated_us(kernel->plan(search.set.points[search.set.space.default_point], problem, device), device);
    search.strategy = make_strategy(request.strategy_name(), search.set.space, request.seed);
    searches_.push_back(std::move(search));
  }
  for (const KnownBest& one : known) {
    if (!one.is_finalist ||
        !one.kernel->space.rejected_by(one.params, {.types = problem.types, .device = device}).empty() ||
        !one.kernel->refuses(one.params, problem, device).empty())
      continue;
    const auto own = std::ranges::find(searches_, one.kernel, &KernelSearch::kernel);
    const auto place = static_cast<std::size_t>(own - searches_.begin());
    if (own == searches_.end()) searches_.emplace_back().kernel = one.kernel;
    add_finalist(place, one);
  }
  std::size_t order = 0;
  for (KernelSearch& search : searches_) {
    search.first_order = order;
    order += search.set.points.size();
  }
}

void Search::add_finalist(std::size_t kernel, const KnownBest& known) {
  KernelSearch& search = searches_[kernel];
  const auto found = std::ranges::find(search.set.points, known.params);
  const Choice choice{kernel, static_cast<std::size_t>(found - search.set.points.begin())};
  if (found == search.set.points.end()) {
    search.set.points.push_back(known.params);
  } else {
    search.limit = std::max(search.limit, ++search.own_finalists);
  }
  finalists_.emplace(choice, known);
  finalists_to_ask_.push_back(choice);
}

std::optional<std::size_t> Search::next_of(KernelSearch& search) {
  if (search.asked >= search.limit) return std::nullopt;
  if (!search.first.empty()) {
    const std::size_t point = search.first.back();
    search.first.pop_back();
    search.under_way[point] = false;
    return point;
  }
  for (;;) {
    const auto points = search.strategy->ask(1);
    if (points.empty()) return std::nullopt;
    const auto same = search.under_way.find(points.front());
    if (same == search.under_way.end()) return points.front();
    same->second = true;
  }
}

double Search::share(const KernelSearch& search) const {
  if (!best_) return 1;
  // Each configuration that was wrong or too slow makes a fast one less likely.
  if (!search.best) return std::max(std::pow(1 + static_cast<double>(search.told), -3), kLeastShare);
  return std::max(std::pow(*best_ / *search.best, 3), kLeastShare);
}

/// The time of the kernel's search after one more evaluation, divided by its share; the kernel with the least is next.
double Search::next_slice(const KernelSearch& search) const {
  const double evaluation_us = kOverheadUs + kRuns * search.best.value_or(best_.value_or(0));
  return static_cast<double>(search.asked + 1) * evaluation_us / share(search);
}

/// Whether the kernel waits until every kernel has a cost: it has asked more than twice as often as it was told, or is
/// more than twice as slow as the best.
bool Search::waits(const KernelSearch& search) const {
  return is_guided_ && searches_.size() > 1 && !knows_every_kernel() &&
         (search.asked > 2 * search.told || share(search) < kShareOfFast);
}

std::vector<Choice> Search::ask_defaults() {
  std::vector<Choice> asked;
  for (std::size_t k = 0; k < searches_.size(); ++k)
    if (searches_[k].asked == 0)
      if (const auto point = next_of(searches_[k])) {
        ++searches_[k].asked;
        asked.push_back({k, *point});
        std::erase(finalists_to_ask_, asked.back());
      }
  std::ranges::stable_sort(asked, {}, [&](Choice choice) { return searches_[choice.kernel].place; });
  return asked;
}

std::vector<Choice> Search::ask(std::size_t at_most) {
  std::vector<Choice> asked;
  for (; asked.size() < at_most && !finalists_to_ask_.empty(); finalists_to_ask_.pop_front()) {
    const Choice choice = finalists_to_ask_.front();
    KernelSearch& search = searches_[choice.kernel];
    asked.push_back(choice);
    if (choice.point >= search.set.space.points.size()) continue;
    ++search.asked;
    std::erase(search.first, choice.point);
    search.under_way[choice.point] = false;
  }
  std::set<std::size_t> idle;  // kernels that have nothing to ask before a cost is told
  while (asked.size() < at_most && idle.size() < searches_.size()) {
    std::optional<std::size_t> next;
    for (std::size_t k = 0; k < searches_.size(); ++k)
      if (!idle.contains(k) && (!next || std::pair(next_slice(searches_[k]), searches_[k].place) <
                                             std::pair(next_slice(searches_[*next]), searches_[*next].place)))
        next = k;
    KernelSearch& search = searches_[*next];
    if (const auto point = waits(search) ? std::nullopt : next_of(search)) {
      ++search.asked;
      asked.push_back({*next, *point});
    } else {
      idle.insert(*next);
    }
  }
  return asked;
}

void Search::tell(Choice choice, double cost) {
  KernelSearch& search = searches_[choice.kernel];
  if (choice.point < search.set.space.points.size()) {
    const auto early = search.under_way.find(choice.point);
    if (early != search.under_way.end() && !early->second)
      search.strategy->tell_known(choice.point, cost);
    else
      search.strategy->tell(choice.point, cost);
    if (early != search.under_way.end()) search.under_way.erase(early);
    ++search.told;
  }
  if (!std::isfinite(cost)) return;
  search.best = std::min(search.best.value_or(cost), cost);
  best_ = std::min(best_.value_or(cost), cost);
}

double Search::known_us(Choice choice) const {
  double least = std::numeric_limits<double>::infinity();
  if (finalists_.contains(choice)) return least;
  for (const auto& [of, known] : finalists_)
    if (known.us > 0) least = std::min(least, known.us);
  if (!std::isfinite(least) && predicted_ && predicted_->first != choice) return predicted_->second;
  return least;
}

bool Search::knows_every_kernel() const {
  return std::ranges::all_of(searches_, [](const KernelSearch& one) { return one.told > 0 || one.limit == 0; });
}

void Search::only_default(const Kernel& kernel) {
  const auto search = std::ranges::find(searches_, &kernel, &KernelSearch::kernel);
  const Choice by_default{static_cast<std::size_t>(search - searches_.begin()), search->set.space.default_point};
  search->limit = std::min(search->limit, search->own_finalists + (finalists_.contains(by_default) ? 0 : 1));
}

std::size_t Search::size() const {
  std::size_t sum = 0;
  for (const KernelSearch& search : searches_)
    sum += search.limit + search.set.points.size() - search.set.space.points.size();
  return sum;
}

std::string Search::searched() const {
  std::vector<std::string> parts;
  for (const KernelSearch& search : searches_)
    if (search.told < search.set.space.points.size())
      parts.push_back(fmt::format("{} {} of {}", search.kernel->name, search.told, search.set.space.points.size()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace warpwright::tuner

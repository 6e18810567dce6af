// Gives the kernels turns, and orders each kernel's points.
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
/// The time that an evaluation takes: set-up and comparison in microseconds, and runs of the kernel.
constexpr double kOverheadUs = 5000, kRuns = 4;

}  // namespace

Search::Search(std::span<const Kernel* const> kernels, const Problem& problem, const Device& device,
               const TuningRequest& request, std::span<const KnownBest> known)
    : is_guided_(is_guided(request.strategy_name())) {
  std::size_t order = 0;
  for (const Kernel* kernel : kernels) {
    KernelSearch search;
    search.kernel = kernel;
    search.set = point_set(*kernel, problem, device, request.params);
    search.first_order = order;
    spaces_[kernel] =
        request.params.is_empty() ? search.set.points.size() : points_for(*kernel, problem, device, {}).size();
    order += search.set.points.size();
    const auto full_sample = covering_sample(search.set.space, request.seed);
    const auto sample = keep_slice(*kernel, request.slice, search.set, full_sample);
    search.limit = search.set.points.size();
    if (request.budget_evaluations > 0)
      search.limit = std::min(search.limit, static_cast<std::size_t>(request.budget_evaluations));
    search.sample.insert(sample.begin(), sample.end());
    if (request.covers) {
      search.first.assign(sample.rbegin(), sample.rend());
    }
    const auto comes_first = [&](std::size_t point) {
      std::erase(search.first, point);
      search.first.push_back(point);
    };
    for (const auto& [name, params] : known) {
      const auto is_it = [&, &text = params](const Point& point) { return kernel->space.text(point) == text; };
      const auto point = std::ranges::find_if(search.set.points, is_it);
      if (name == kernel->name && point != search.set.points.end())
        comes_first(static_cast<std::size_t>(point - search.set.points.begin()));
    }
    if (!search.set.points.empty()) comes_first(search.set.space.default_point);
    search.strategy = make_strategy(request.strategy_name(), search.set.space, request.seed);
    searches_.push_back(std::move(search));
  }
}

std::optional<std::size_t> Search::next_of(KernelSearch& search) {
  if (search.asked == search.limit) return std::nullopt;
  while (!search.first.empty()) {
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
  if (!best_ || !search.best) return 1;
  return std::max(std::pow(*best_ / *search.best, 3), kLeastShare);
}

/// The time that the search has had after one evaluation more, divided by its share: the least is next.
double Search::next_turn(const KernelSearch& search) const {
  const double evaluation_us = kOverheadUs + kRuns * search.best.value_or(best_.value_or(0));
  return static_cast<double>(search.asked + 1) * evaluation_us / share(search);
}

/// Whether the costs of other kernels must be told first.
bool Search::waits(const KernelSearch& search) const {
  const bool all_told =
      std::ranges::all_of(searches_, [](const KernelSearch& one) { return one.told > 0 || one.limit == 0; });
  return is_guided_ && searches_.size() > 1 && !all_told && search.asked > 2 * search.told;
}

std::vector<Choice> Search::ask_defaults() {
  std::vector<Choice> asked;
  for (std::size_t k = 0; k < searches_.size(); ++k)
    if (searches_[k].asked == 0)
      if (const auto point = next_of(searches_[k])) {
        ++searches_[k].asked;
        asked.push_back({k, *point});
      }
  return asked;
}

std::vector<Choice> Search::ask(std::size_t at_most) {
  std::vector<Choice> asked;
  std::set<std::size_t> idle;  // nothing to ask for before something is told
  while (asked.size() < at_most && idle.size() < searches_.size()) {
    std::optional<std::size_t> next;
    for (std::size_t k = 0; k < searches_.size(); ++k)
      if (!idle.contains(k) && (!next || next_turn(searches_[k]) < next_turn(searches_[*next]))) next = k;
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
  const auto early = search.under_way.find(choice.point);
  if (early != search.under_way.end() && !early->second)
    search.strategy->tell_known(choice.point, cost);
  else
    search.strategy->tell(choice.point, cost);
  if (early != search.under_way.end()) search.under_way.erase(early);
  ++search.told;
  if (!std::isfinite(cost)) return;
  search.best = std::min(search.best.value_or(cost), cost);
  best_ = std::min(best_.value_or(cost), cost);
}

std::size_t Search::size() const {
  std::size_t sum = 0;
  for (const KernelSearch& search : searches_) sum += search.limit;
  return sum;
}

std::string Search::searched() const {
  std::vector<std::string> parts;
  for (const KernelSearch& search : searches_)
    if (search.told < search.set.points.size())
      parts.push_back(fmt::format("{} {} of {}", search.kernel->name, search.told, search.set.points.size()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace warpwright::tuner

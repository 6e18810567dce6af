// Pairs predicted with measured trials and compares their rankings.
#include "db/query/model_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "kernels/core/statistics.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

// The rank of each value; equal values get their mean rank.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> result(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) result[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return result;
}

using Key = std::pair<Id, Id>;  // configuration, problem

Key key_of(const TrialView& view) {
  return {view.trial.configuration_id, view.trial.problem_id};
}

double bandwidth_of(const TrialView& view) {
  return view.board ? view.board->memory_bandwidth_gbs : 0;
}

// The kernels and axis values whose configurations have the largest mean errors.
std::vector<std::string> worst_of(const ModelCheck& check) {
  constexpr std::size_t kNamed = 3, kFewest = 3;
  std::map<std::string, std::vector<double>> kinds;
  for (const BothTimes& one : check.times) {
    if (check.kernel.empty()) kinds[one.kernel].push_back(std::log(one.error));
    const auto params = nlohmann::ordered_json::parse(one.params);
    for (const auto& [axis, value] : params.items())
      kinds[fmt::format("{} = {}", axis, value.dump())].push_back(std::log(one.error));
  }
  std::vector<std::pair<double, std::string>> found;
  for (const auto& [kind, logs] : kinds) {
    if (logs.size() < kFewest || logs.size() == check.times.size()) continue;
    const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
    found.emplace_back(std::fabs(mean), fmt::format("{}: {:.2f} x ({})", kind, std::exp(mean), logs.size()));
  }
  std::ranges::sort(found, std::greater());
  std::vector<std::string> named;
  for (const auto& [size, text] : found)
    if (named.size() < kNamed) named.push_back(text);
  return named;
}

}  // namespace

std::optional<double> rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t kFewest = 5;
  if (x.size() < kFewest || x.size() != y.size()) return std::nullopt;
  const std::vector<double> a = ranks(x);
  const std::vector<double> b = ranks(y);
  const double mean = static_cast<double>(x.size() - 1) / 2;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

ModelCheck rated(ModelCheck check, std::optional<double> least_us) {
  if (check.times.empty()) return check;
  std::vector<double> measured, predicted, ratios;
  for (const BothTimes& one : check.times) {
    measured.push_back(one.measured_us);
    predicted.push_back(one.predicted_us);
    ratios.push_back(one.predicted_us / one.measured_us);
  }
  check.spearman = rank_correlation(measured, predicted);
  check.median_ratio = median(ratios);
  std::ranges::stable_sort(check.times, {}, &BothTimes::predicted_us);
  constexpr std::size_t kTop = 10;
  const double least = least_us.value_or(std::ranges::min(measured));
  const auto top = std::span(check.times).first(std::min(kTop, check.times.size()));
  check.best_loss = check.times.front().measured_us / least - 1;
  check.top10_loss = std::ranges::min(top, {}, &BothTimes::measured_us).measured_us / least - 1;
  for (BothTimes& one : check.times) one.error = one.predicted_us / one.measured_us / check.median_ratio;
  check.worst = worst_of(check);
  return check;
}

std::vector<ModelCheck> check_model(const Store& store, const Filter& filter) {
  Filter one_kind = filter;
  const auto of = [&](std::string_view provenance) {
    one_kind.provenance = provenance;
    std::vector<TrialView> views = trials(store, one_kind);
    std::erase_if(views, [](const TrialView& view) {
      return !view.time_us() || (view.trial.verdict != "passed" && view.trial.verdict != "unchecked");
    });
    return views;
  };
  const std::vector<TrialView> measured = of(provenance::measured);
  std::multimap<Key, const TrialView*> predicted;
  const std::vector<TrialView> all_predicted = of(provenance::predicted);
  for (const TrialView& view : all_predicted) predicted.emplace(key_of(view), &view);

  std::map<std::tuple<std::string, std::string, Id, std::string>, ModelCheck> wholes;  // in the order of titles
  std::set<std::pair<std::string, Key>> seen;
  for (const TrialView& view : measured) {
    const Key key = key_of(view);
    const std::string board = view.board ? view.board->model : "";
    // Trials come newest first; older ones of the same key are skipped.
    if (!seen.emplace(board, key).second) continue;
    const TrialView* nearest = nullptr;
    const auto [begin, end] = predicted.equal_range(key);
    for (auto at = begin; at != end; ++at) {
      const TrialView* other = at->second;
      if (other->trial.target != view.trial.target) continue;
      const auto distance = [&](const TrialView* one) { return std::fabs(bandwidth_of(*one) - bandwidth_of(view)); };
      if (nearest == nullptr || distance(other) < distance(nearest)) nearest = other;
    }
    if (nearest == nullptr) continue;
    ModelCheck& whole = wholes[{view.pattern, short_title(view.problem), view.trial.problem_id, board}];
    whole.problem = view.problem;
    whole.board = board;
    whole.times.push_back({.kernel = view.kernel,
                           .params = view.params_json,
                           .measured_us = *view.time_us(),
                           .predicted_us = *nearest->time_us()});
  }
  std::vector<ModelCheck> checks;
  for (auto& [key, whole] : wholes) {
    std::map<std::string, ModelCheck> kernels;
    for (const BothTimes& one : whole.times) {
      const ModelCheck empty{.kernel = one.kernel, .problem = whole.problem, .board = whole.board};
      ModelCheck& part = kernels.try_emplace(one.kernel, empty).first->second;
      part.times.push_back(one);
    }
    checks.push_back(rated(std::move(whole)));
    for (auto& [kernel, part] : kernels) checks.push_back(rated(std::move(part)));
  }
  return checks;
}

std::string text_of(const std::vector<ModelCheck>& checks) {
  std::string text;
  for (const ModelCheck& check : checks) {
    const std::string spearman = check.spearman ? fmt::format("{:.2f}", *check.spearman) : "-";
    if (check.kernel.empty())
      text += fmt::format("{}{}, {}\n", text.empty() ? "" : "\n", printable(title_of(check.problem)),
                          printable(check.board));
    text += fmt::format(
        "  {:<20} {:>5} configurations, Spearman {:>5}, predicted best loses {:.1f} %, top 10 {:.1f} %, predicted / "
        "measured {:.2f}\n",
        check.kernel.empty() ? "all kernels" : check.kernel, check.times.size(), spearman, 100 * check.best_loss,
        100 * check.top10_loss, check.median_ratio);
    if (!check.worst.empty())
      text += fmt::format("  {:<20} farthest from that: {}\n", "", fmt::join(check.worst, "; "));
  }
  return text;
}

}  // namespace warpwright::db

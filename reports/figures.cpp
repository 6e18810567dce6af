// Computes the numbers that sections and sentences show.
#include "reports/figures.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "kernels/core/verdict.hpp"

namespace warpwright::reports {
namespace {

std::optional<double> ratio(std::int64_t over, std::int64_t under) {
  if (under <= 0) return std::nullopt;
  return static_cast<double>(over) / static_cast<double>(under);
}

const db::Comparison* newest_comparison(const Contest& contest, db::Id baseline) {
  std::set<db::Id> trials;  // trials of the winner's configuration, in any session
  for (const db::TrialView& view : contest.trials) {
    if (contest.best && view.trial.configuration_id == contest.best->winner.trial.configuration_id) {
      trials.insert(view.trial.id);
    }
  }
  const db::Comparison* newest = nullptr;
  for (const db::Comparison& comparison : contest.comparisons) {
    if (comparison.baseline_id != baseline || !trials.contains(comparison.trial_id)) continue;
    if (!newest || comparison.created_at >= newest->created_at) newest = &comparison;
  }
  return newest;
}

}  // namespace

std::optional<double> sectors_per_request(const db::Access* access) {
  if (!access) return std::nullopt;
  return ratio(access->global_load_sectors + access->global_store_sectors,
               access->global_load_requests + access->global_store_requests);
}

std::optional<double> transactions_per_request(const db::Access* access) {
  return access ? ratio(access->shared_transactions, access->shared_requests) : std::nullopt;
}

const db::Access* access_of_launch(const Row& row, int number) {
  const auto found = std::ranges::find(row.launches, number, &db::Access::launch);
  return found == row.launches.end() ? nullptr : *found;
}

std::vector<const Row*> compared_rows(const Contest& contest) {
  std::vector<const Row*> rows;
  for (const Row& row : contest.rows) {
    if (contest.compares(*row.view)) rows.push_back(&row);
  }
  return rows;
}

const Row* winning_row(const Contest& contest) {
  if (!contest.best) return nullptr;
  const db::Trial& winner = contest.best->winner.trial;
  for (const Row& row : contest.rows) {
    if (row.trial().configuration_id == winner.configuration_id && row.trial().provenance == winner.provenance) {
      return &row;
    }
  }
  return nullptr;
}

std::vector<Search> searches(const Contest& contest) {
  std::map<db::Id, Search> by_session;
  std::set<std::pair<db::Id, db::Id>> tried;  // a finalist that is measured again is not a second evaluation
  for (const db::TrialView& view : contest.trials) {
    if (!view.trial.session_id || view.trial.provenance != contest.provenance) continue;
    const db::Id session = *view.trial.session_id;
    if (!tried.emplace(session, view.trial.configuration_id).second) continue;
    Search& search = by_session[session];
    search.session = session;
    ++search.evaluations;
    if (!contest.compares(view)) continue;
    const double us = *view.time_us();
    if (search.steps.empty() || us < search.steps.back().best_us) {
      search.steps.push_back({.evaluations = search.evaluations, .best_us = us, .view = &view});
    }
  }
  std::vector<Search> found;
  for (auto& [id, search] : by_session) {
    if (!search.steps.empty()) found.push_back(std::move(search));
  }
  return found;
}

std::string Rival::name() const {
  std::string name = baseline->implementation;
  if (!baseline->idiom.empty()) name += " " + baseline->idiom;
  if (!baseline->knobs.empty()) name += baseline->is_default ? " (default)" : " (tuned)";
  return name;
}

bool Rival::has_tuned_sibling(const std::vector<Rival>& rivals) const {
  return baseline->is_default && std::ranges::any_of(rivals, [&](const Rival& other) {
           return !other.baseline->is_default && other.baseline->implementation == baseline->implementation &&
                  other.baseline->idiom == baseline->idiom;
         });
}

std::optional<double> Rival::ratio(const Contest& contest) const {
  if (comparison) return comparison->ratio;
  if (!baseline->median_us || !contest.best || !contest.best->winner.is_measured()) return std::nullopt;
  if (baseline->mode != contest.mode || !(contest.best->winner.time_us().value_or(0) > 0)) return std::nullopt;
  return *baseline->median_us / *contest.best->winner.time_us();
}

const Rival* fastest(const std::vector<Rival>& rivals, bool (*fits)(const db::Baseline&)) {
  const Rival* found = nullptr;
  for (const Rival& rival : rivals) {
    const db::Baseline& baseline = *rival.baseline;
    if (baseline.verdict != verdict::passed || !baseline.median_us || !fits(baseline)) continue;
    if (!found || *baseline.median_us < *found->baseline->median_us) found = &rival;
  }
  return found;
}

std::vector<Rival> rivals(const Contest& contest) {
  using Key = std::tuple<std::string, std::string, bool>;            // implementation, idiom, tuned
  std::map<Key, std::map<std::string, const db::Baseline*>> newest;  // the newest baseline for each choice of knobs
  for (const db::Baseline& baseline : contest.baselines) {
    const bool tuned = !baseline.knobs.empty() && !baseline.is_default;
    const db::Baseline*& known = newest[{baseline.implementation, baseline.idiom, tuned}][baseline.knobs];
    if (!known || known->created_at <= baseline.created_at) known = &baseline;
  }
  std::vector<Rival> found;
  for (const auto& [key, by_knobs] : newest) {
    const auto best = std::ranges::min_element(by_knobs, {}, [](const auto& entry) {
      const db::Baseline& baseline = *entry.second;
      return std::tuple(baseline.verdict != verdict::passed, baseline.median_us.value_or(1e300));
    });
    found.push_back({.baseline = best->second, .comparison = newest_comparison(contest, best->second->id)});
  }
  return found;
}

}  // namespace warpwright::reports

// Chooses which times of libraries are shown beside ours.
#include "db/query/libraries.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

// Of those with one of these baselines and one of our trials; null if there is none.
const Comparison* newest_comparison(const Trial& ours, const std::set<Id>& same,
                                    const std::map<Id, const Baseline*>& baselines,
                                    std::span<const Comparison> comparisons) {
  const auto order = [&](const Comparison& one) { return std::tuple(one.trial_id == ours.id, one.created_at, one.id); };
  const Comparison* best = nullptr;
  for (const Comparison& one : comparisons)
    if (baselines.contains(one.baseline_id) && same.contains(one.trial_id) && (!best || order(one) > order(*best)))
      best = &one;
  return best;
}

const Baseline* fastest_of_newest(const std::map<Id, const Baseline*>& baselines) {
  std::map<std::string, const Baseline*> newest;  // by knobs
  for (const auto& [id, baseline] : baselines) {
    const Baseline*& known = newest[baseline->knobs];
    if (!known || known->created_at <= baseline->created_at) known = baseline;
  }
  return std::ranges::min_element(newest, {},
                                  [](const auto& entry) {
                                    const Baseline& one = *entry.second;
                                    return std::tuple(one.verdict != verdict::passed,
                                                      one.median_us.value_or(std::numeric_limits<double>::max()));
                                  })
      ->second;
}

std::optional<double> ratio_of_medians(const Trial& ours, const Baseline& baseline) {
  const bool comparable = ours.provenance == provenance::measured && ours.median_us.value_or(0) > 0 &&
                          baseline.verdict == verdict::passed && baseline.median_us &&
                          time_kind(baseline.mode) == time_kind(ours.mode);
  return comparable ? std::optional(*baseline.median_us / *ours.median_us) : std::nullopt;
}

}  // namespace

bool is_tuned(const Baseline& baseline) {
  return !baseline.knobs.empty() && !baseline.is_default;
}

std::vector<LibraryBeside> libraries_beside(const Trial* ours, const std::set<Id>& same,
                                            std::span<const Baseline> baselines,
                                            std::span<const Comparison> comparisons) {
  std::map<std::tuple<std::string, std::string, bool>, std::map<Id, const Baseline*>> kinds;
  for (const Baseline& one : baselines) kinds[{one.implementation, one.idiom, is_tuned(one)}][one.id] = &one;
  std::vector<LibraryBeside> found;
  for (const auto& [kind, of_kind] : kinds) {
    LibraryBeside& library = found.emplace_back();
    if (ours) library.comparison = newest_comparison(*ours, same, of_kind, comparisons);
    library.baseline = library.comparison ? of_kind.at(library.comparison->baseline_id) : fastest_of_newest(of_kind);
    if (library.comparison)
      library.ratio = library.comparison->ratio;
    else if (ours)
      library.ratio = ratio_of_medians(*ours, *library.baseline);
  }
  return found;
}

}  // namespace warpwright::db

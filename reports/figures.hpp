// The numbers that sections and sentences show: ratios, medians, correlations, progress of a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/query/model_check.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

using db::rank_correlation;

// Global sectors per request; shared-memory transactions per request (1 means no bank conflict).
std::optional<double> sectors_per_request(const db::Access*);
std::optional<double> transactions_per_request(const db::Access*);

// The access counts of one launch; null if they are not known.
const db::Access* access_of_launch(const Row&, int number);

// The rows whose times the charts compare.
std::vector<const Row*> compared_rows(const Contest&);
// The row of the winner's configuration; null if there is no winner.
const Row* winning_row(const Contest&);

// The best time that a session had found after so many configurations.
struct Step {
  std::int64_t evaluations = 0;
  double best_us = 0;
  const db::TrialView* view = nullptr;
};
struct Search {
  db::Id session = 0;
  std::int64_t evaluations = 0;  // configurations tried, right or wrong
  std::vector<Step> steps{};     // one per improvement
};
// One search per session that timed anything, oldest first.
std::vector<Search> searches(const Contest&);

// A baseline to show. For each implementation and idiom there are its default and its fastest knobs, each by its newest
// time; baselines without a time come last.
struct Rival {
  const db::Baseline* baseline = nullptr;
  const db::Comparison* comparison = nullptr;  // the newest comparison with the winner's configuration; null if there
                                               // is none
  // "kokkos mdrange (default)", "cub".
  std::string name() const;
  // Whether this is a default and the same idiom also has a tuned baseline.
  bool has_tuned_sibling(const std::vector<Rival>&) const;
  // Its time divided by ours: the ratio of paired samples if there is one, else the ratio of the medians.
  std::optional<double> ratio(const Contest&) const;
};
std::vector<Rival> rivals(const Contest&);

inline bool any_library(const db::Baseline&) {
  return true;
}
inline bool is_kokkos(const db::Baseline& baseline) {
  return baseline.implementation == "kokkos";
}
inline bool is_vendor(const db::Baseline& baseline) {
  return !is_kokkos(baseline);
}

// The fastest correct baseline for which `fits` holds; null if there is none.
const Rival* fastest(const std::vector<Rival>& rivals, bool (*fits)(const db::Baseline&));

}  // namespace warpwright::reports

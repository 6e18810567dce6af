// Numbers that sections and their sentences are made of: ratios, medians, correlations, steps of a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/query/model_check.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

using db::median;
using db::rank_correlation;

// Sectors per global request, and shared-memory transactions per request (1: no conflict).
std::optional<double> sectors_per_request(const db::Access*);
std::optional<double> transactions_per_request(const db::Access*);

// What was counted of the launch of that number; null where nothing was.
const db::Access* access_of_launch(const Row&, int number);

// The contest's rows whose times the charts compare.
std::vector<const Row*> compared_rows(const Contest&);
// The row that the contest's winner is the newest trial of, or one of the same configuration; null without a winner.
const Row* winning_row(const Contest&);

// What a session had found after so many configurations of a contest.
struct Step {
  std::int64_t evaluations = 0;
  double best_us = 0;
  const db::TrialView* view = nullptr;
};
struct Search {
  db::Id session = 0;
  std::int64_t evaluations = 0;  // configurations tried, right or wrong
  std::vector<Step> steps{};     // each improvement
};
// One per session that timed anything, oldest first.
std::vector<Search> searches(const Contest&);

// Baselines that are shown: per implementation and idiom the default and the fastest, the newest of each; then those
// that have no time.
struct Rival {
  const db::Baseline* baseline = nullptr;
  const db::Comparison* comparison = nullptr;  // the newest with the winner's configuration; null where there is none
  // "kokkos mdrange (default)", "cub".
  std::string name() const;
  // Whether it is a default that stands beside a tuned one of the same idiom.
  bool has_tuned_sibling(const std::vector<Rival>&) const;
  // Its time over ours: the paired ratio, else the ratio of the medians.
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

// The fastest right one of the rivals that fit; null where there is none.
const Rival* fastest(const std::vector<Rival>& rivals, bool (*fits)(const db::Baseline&));

}  // namespace warpwright::reports

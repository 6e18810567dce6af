// Which times of libraries are shown beside ours, and how they compare: one choice for all programs.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// Whether a search chose a baseline's knobs.
bool is_tuned(const Baseline&);

// A library's time beside ours. Points into what it was chosen from.
struct LibraryBeside {
  const Baseline* baseline = nullptr;
  const Comparison* comparison = nullptr;  // measured in alternating rounds with ours; else null
  std::optional<double> ratio{};           // its time over ours: of the rounds, else of the medians if their modes are
                                           // the same. Nothing without a right time, or beside a prediction
};

// One for each implementation, idiom and choice of knobs (default or tuned), the default first. A baseline measured in
// alternating rounds with our configuration comes before all others, with our trial before other trials of it; else it
// is the fastest of the newest of each knobs. `ours` may be null; `same` are the trials of its configuration. All
// baselines are of the problem and board of ours.
std::vector<LibraryBeside> libraries_beside(const Trial* ours, const std::set<Id>& same,
                                            std::span<const Baseline> baselines,
                                            std::span<const Comparison> comparisons);

}  // namespace warpwright::db

// What `tune` prints at its end: the best settings that were found.
#pragma once

#include <string>
#include <vector>

#include "db/ceiling.hpp"
#include "db/query.hpp"

namespace warpwright::tuner {

/// The best settings of one problem as the store has them, and what its board reaches.
struct BestLine {
  db::Best best;
  db::Rates rates;

  db::Ceiling ceiling() const { return db::ceiling_of(best.winner.problem, rates); }
};
void print_best(const std::vector<BestLine>& lines);

/// Ours, the libraries with default and with tuned knobs, and the ceiling side by side; "" when there is nothing to
/// compare with.
std::string comparison_table(const BestLine& line);

}  // namespace warpwright::tuner

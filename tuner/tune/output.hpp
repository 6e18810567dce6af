// What `tune` prints at its end: the best settings that were found.
#pragma once

#include <string>
#include <vector>

#include "db/query.hpp"
#include "kernels/runtime/cuda/stopwatch.hpp"
#include "tuner/tune/request.hpp"

namespace warpwright::tuner {

/// The best settings of one problem as the store has them, with its rate against the ceiling where one was measured.
struct BestLine {
  db::Best best;
  Work work;
  gpu::Ceilings ceilings;
};
void print_best(const std::vector<BestLine>& lines);

/// Ours, the libraries with default and with tuned knobs, and the ceiling side by side; "" when there is nothing to
/// compare with.
std::string comparison_table(const BestLine& line);

}  // namespace warpwright::tuner

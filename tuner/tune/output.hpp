// What `tune` prints: what there is to tune, what would be done, and the best settings that were found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/query.hpp"
#include "kernels/runtime/cuda/stopwatch.hpp"
#include "tuner/tune/request.hpp"

namespace warpwright::tuner {

/// Patterns, kernels, axes, number of points, types, options, default sizes.
void print_list(const Catalogue& catalogue, const std::vector<std::string>& globs, const Device& device);

/// Configurations that a run does in a second, for estimates.
struct Rate {
  double per_second = 0;
  std::string basis;  ///< where the number comes from
};

/// That of the newest run on this target that `database` holds; an assumption, said to be one, where there is none.
Rate expected_rate(const std::filesystem::path& database, const std::string& target, bool measured);

/// Points, plans of the default params and an estimate of the time, without running anything.
void print_dry_run(const std::vector<TuneItem>& items, const TuneRequest& request, const Device& device,
                   const Rate& rate);

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

// Lists what can be tuned, and what a run would do, as text, CSV and JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/system/table.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Prints patterns, kernels, axes, number of points, types, options, default sizes, with the totals first.
void print_list(const Catalogue& catalogue, const std::vector<std::string>& globs, const Device& device, Form form);

/// Configurations per second, for estimates.
struct Rate {
  double per_second = 0;
  std::string basis;  ///< where the number comes from
};

/// The rate of the newest run on this target in `database`; without one, an assumed rate, which is said to be one.
Rate expected_rate(const std::filesystem::path& database, const std::string& target, bool measured);

/// Prints the number of points and a time estimate, totals first, without running anything. With `verbose` and in JSON,
/// also the plans of the default params.
void print_dry_run(const std::vector<TuningTask>& tasks, const TuningRequest& request, const Device& device,
                   const Rate& rate, Form form, bool verbose);

}  // namespace warpwright::tuner

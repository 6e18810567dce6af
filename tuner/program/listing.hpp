// What there is to tune, and what a run would do, as text, CSV and JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/system/table.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// Patterns, kernels, axes, number of points, types, options, default sizes; their counts first.
void print_list(const Catalogue& catalogue, const std::vector<std::string>& globs, const Device& device, Form form);

/// Configurations that a run does in a second, for estimates.
struct Rate {
  double per_second = 0;
  std::string basis;  ///< where the number comes from
};

/// That of the newest run on this target that `database` holds; an assumption, said to be one, where there is none.
Rate expected_rate(const std::filesystem::path& database, const std::string& target, bool measured);

/// Points, plans of the default params and an estimate of the time, without running anything; the counts first.
void print_dry_run(const std::vector<TuningTask>& tasks, const TuningRequest& request, const Device& device,
                   const Rate& rate, Form form);

}  // namespace warpwright::tuner

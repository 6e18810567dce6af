// The request of one run of `tune`, and the tasks that it selects.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/core/objective.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/shard.hpp"
#include "tuner/tasks/param_filter.hpp"
#include "tuner/tasks/progress.hpp"

namespace warpwright::tuner {

struct TuningRequest {
  std::vector<std::string> globs = {};  ///< of kernels; none: all
  std::vector<std::string> sizes =
      {};  ///< "2^26", "8192x8192" or "2^10..2^28:x4"; each for patterns with that many extents
  std::vector<std::string> types = {};  ///< "float", "unsigned int/float"; "all"
  std::vector<std::string> with = {};   ///< "op=sum,bins=256,data=zipf", one problem for each; "op=all": one for each
                                        ///< option
  std::string strategy = {};            ///< empty: exhaustive without a budget, gaussian_process with one
  double budget_seconds = 0;            ///< of the whole run; 0: none
  int budget_evaluations = 0;           ///< per kernel and problem; 0: none
  std::uint64_t seed = 1;
  bool remeasure = false;
  std::optional<double> max_error = {};   ///< in ulp: what is less accurate is no best configuration
  Objective objective = Objective::time;  ///< if it is not the time, each configuration's energy is measured
  std::string robust = {};  ///< what is least for one setting for all sizes (db/query/query.hpp); empty: none is asked
  ParamFilter params = {};
  Shard shard = {};  ///< the part of all work that this run does
  Shard slice = {};  ///< the part of every space that is searched

  std::string strategy_name() const;
};

/// A requested kernel that cannot solve the problem with any params.
struct LeftOut {
  const Kernel* kernel = nullptr;
  std::string reason;
};

/// A problem and the kernels that are tuned for it.
struct TuningTask {
  Problem problem;
  std::vector<const Kernel*> kernels;
  std::vector<LeftOut> left_out = {};
  std::size_t configurations = 0;  ///< of all kernels, that may be evaluated
  bool is_for_all_sizes = false;   ///< only what is known to be fast at other sizes is evaluated
  std::string title = {};          ///< "reduce 2^26 float"
  Progress* progress = nullptr;    ///< of the run, if it is shown
};

/// Valid points of the kernel's space that solve the problem on the device, in canonical order.
std::vector<Point> points_for(const Kernel& kernel, const Problem& problem, const Device& device,
                              const ParamFilter& params = {});

/// The tasks in the order of the catalogue; a task may have no kernels. Throws std::invalid_argument, with the valid
/// ones, for a pattern, type, setting, size or param that no chosen pattern has. Also for a size that exceeds the
/// device's memory.
std::vector<TuningTask> tuning_tasks(const Catalogue& catalogue, const TuningRequest& request, const Device& device);

/// The share of the remaining time for the first of these tasks: its weight divided by the sum of all weights. A weight
/// is the number of kernels plus log2 of the number of configurations; a fifth of that for a task for all sizes.
double share_of_first(std::span<const TuningTask> tasks);

/// The order in which tasks share a budget: few configurations first, so that the time that they do not need goes to
/// those with many. Tasks for all sizes stay last.
std::vector<std::size_t> smallest_first(std::span<const TuningTask> tasks);

/// Adds a task for each problem that has another size after it: then all its sizes have been tuned, and what is fast at
/// the later ones is evaluated at this one too. Throws std::invalid_argument if no problem has two sizes.
void add_tasks_for_all_sizes(std::vector<TuningTask>& tasks);

/// Keeps only the first problem of every pattern.
void keep_one_a_pattern(std::vector<TuningTask>& tasks);

/// The shapes of "2^26", or of "LOW..HIGH:xF": from LOW on, each extent multiplied by F (default 2), until one is above
/// HIGH. Throws std::invalid_argument.
std::vector<std::vector<std::int64_t>> parse_sizes(const std::string& text);

/// "10m", "90s", "1h", "30" (seconds) as seconds. Throws std::invalid_argument.
double parse_duration(const std::string& text);

}  // namespace warpwright::tuner

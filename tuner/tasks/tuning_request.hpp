// What one run of `tune` is asked for, and the problems and kernels that this means.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

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
  std::vector<std::string> with = {};  ///< "op=sum,bins=256,data=zipf", each a problem; "op=all" is one for each option
  std::string strategy = {};           ///< empty: exhaustive without a budget, smac with one
  double budget_seconds = 0;           ///< of the whole run; 0: none
  int budget_evaluations = 0;          ///< per kernel and problem; 0: none
  std::uint64_t seed = 1;
  bool remeasure = false;
  ParamFilter params = {};
  bool covers = false;  ///< a covering sample of each space comes before what the strategy wants
  Shard shard = {};     ///< of the whole, what this run is for
  Shard slice = {};     ///< of every space, what is looked at

  std::string strategy_name() const;
};

/// A kernel that was asked for and does not solve the problem with any of its params.
struct LeftOut {
  const Kernel* kernel = nullptr;
  std::string reason;
};

/// A problem and the kernels that are tuned for it.
struct TuningTask {
  Problem problem;
  std::vector<const Kernel*> kernels;
  std::vector<LeftOut> left_out = {};
  std::size_t configurations = 0;  ///< that may be asked for, of all kernels
  std::string title = {};          ///< for people: "reduce 2^26 float"
  Progress* progress = nullptr;    ///< of the run, if somebody is to see it
};

/// Valid points of the kernel's space that solve the problem on the device, in canonical order.
std::vector<Point> points_for(const Kernel& kernel, const Problem& problem, const Device& device,
                              const ParamFilter& params = {});

/// In the order of the catalogue; problems that no kernel is left for have none. Throws std::invalid_argument for a
/// pattern, type, setting, size or param that no chosen pattern has, naming what there is, and for a size that the
/// device's memory does not hold.
std::vector<TuningTask> tune_items(const Catalogue& catalogue, const TuningRequest& request, const Device& device);

/// What share of the time for all of them is the first one's: every kernel has the same.
double share_of_first(std::span<const TuningTask> tasks);

/// Leaves the first problem of every pattern.
void keep_one_a_pattern(std::vector<TuningTask>& tasks);

/// The shapes of "2^26", or of "LOW..HIGH:xF": from LOW by factors of F (2 without one), extent by extent, while none
/// is above HIGH. Throws std::invalid_argument.
std::vector<std::vector<std::int64_t>> parse_sizes(const std::string& text);

/// "10m", "90s", "1h", "30" (seconds) as seconds. Throws std::invalid_argument.
double parse_duration(const std::string& text);

}  // namespace warpwright::tuner

// One search over all kernels of a problem: chooses the configuration to evaluate next.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tuner/records/known_best.hpp"
#include "tuner/search/strategy.hpp"
#include "tuner/tasks/prepare.hpp"
#include "tuner/tasks/tuning_request.hpp"

namespace warpwright::tuner {

/// A configuration: a point of one of the kernels' spaces.
struct Choice {
  std::size_t kernel = 0, point = 0;
  friend auto operator<=>(const Choice&, const Choice&) = default;
};

/// First come the known finalists of the problem, also those that are outside of what the request asks for: of other
/// kernels, or with other values of params. Then, of each kernel, the default, configurations that are known to be fast
/// elsewhere, and the choices of its strategy.
/// Kernels without a time are in the order of what is known of them, then of the estimated time of their default.
/// Kernels take turns by stride scheduling (C. A. Waldspurger, W. E. Weihl, MIT/LCS/TM-528, 1995): the closer a kernel
/// is to the best time of all, the more turns it has. `only_known`: besides finalists and defaults only what is known.
///  If the strategy learns from times, no kernel is far ahead before
/// the costs of all defaults are known. Deterministic in the calls of ask and tell.
class Search {
 public:
  Search(std::span<const Kernel* const> kernels, const Problem& problem, const Device& device,
         const TuningRequest& request, std::span<const KnownBest> known = {}, bool only_known = false);

  /// The defaults of the kernels that have not been asked for yet.
  std::vector<Choice> ask_defaults();

  /// At most `at_most` new configurations. Empty if none is left, or if the costs of earlier ones must be told first.
  std::vector<Choice> ask(std::size_t at_most);

  /// Tells the cost of a configuration that was asked for, in any order; infinity if it cannot be used.
  void tell(Choice choice, double cost);

  const Kernel& kernel(Choice choice) const { return *searches_[choice.kernel].kernel; }
  const Point& params(Choice choice) const { return searches_[choice.kernel].set.points[choice.point]; }
  /// Its index among the configurations of all kernels, in the order of the catalogue.
  std::size_t order(Choice choice) const { return searches_[choice.kernel].first_order + choice.point; }
  bool is_sampled(Choice choice) const { return searches_[choice.kernel].sample.contains(choice.point); }

  /// The best time that is stored, or else that the model predicted; infinity without one, and for what it is known of.
  double known_us(Choice choice) const;
  /// Whether the cost of at least one configuration of every kernel is known.
  bool knows_every_kernel() const;
  /// Restricts that kernel to its default and known finalists.
  void only_default(const Kernel& kernel);

  /// The known result of a finalist; null for any other configuration.
  const KnownBest* finalist(Choice choice) const {
    const auto known = finalists_.find(choice);
    return known == finalists_.end() ? nullptr : &known->second;
  }

  /// The maximum number of configurations that it will ask for.
  std::size_t size() const;
  /// "grid_stride 12 of 96, tree 40 of 52": costs told, for the kernels that were searched in part.
  std::string searched() const;
  /// The number of configurations of each kernel, in all shards together.
  const std::map<const Kernel*, std::size_t>& spaces() const { return spaces_; }

 private:
  struct KernelSearch {
    const Kernel* kernel = nullptr;
    PointSet set;  ///< the points of the space, and finalists outside of it
    std::unique_ptr<Strategy> strategy;
    std::set<std::size_t> sample;           ///< its covering sample
    std::vector<std::size_t> first;         ///< points that come before the strategy's, the next one last
    std::map<std::size_t, bool> under_way;  ///< points of `first` asked for and not told; whether the strategy has
                                            ///< asked for them too
    std::size_t first_order = 0, own_finalists = 0, limit = 0, asked = 0, told = 0;
    std::pair<std::size_t, double> place;  ///< order among kernels without a time: rank of known results, estimated
                                           ///< time
    std::optional<double> best;
  };

  void add_finalist(std::size_t kernel, const KnownBest& known);
  double share(const KernelSearch& search) const;
  double next_slice(const KernelSearch& search) const;
  bool waits(const KernelSearch& search) const;
  std::optional<std::size_t> next_of(KernelSearch& search);

  std::vector<KernelSearch> searches_;
  std::map<const Kernel*, std::size_t> spaces_;
  std::map<Choice, KnownBest> finalists_;
  std::optional<std::pair<Choice, double>> predicted_;  ///< the model's best, and its time
  std::deque<Choice> finalists_to_ask_;
  bool is_guided_ = false;
  std::optional<double> best_;
};

}  // namespace warpwright::tuner

// One search over all kernels of a problem: which configuration is looked at next.
#pragma once

#include <cstdint>
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

/// Every kernel has its default looked at first, then the settings that are known from elsewhere, then (if asked for) a
/// covering sample, then what its strategy wants.
/// The kernels take turns: who is within reach of the best time of all has more of the time, after stride scheduling
/// (C. A. Waldspurger, W. E. Weihl, MIT/LCS/TM-528, 1995). Where a strategy is guided by times, nobody is far ahead
/// before every default is told. Deterministic in what it is asked and told.
class Search {
 public:
  Search(std::span<const Kernel* const> kernels, const Problem& problem, const Device& device,
         const TuningRequest& request, std::span<const KnownBest> known = {});

  /// The defaults of the kernels that were never asked for.
  std::vector<Choice> ask_defaults();

  /// Up to so many configurations that were never asked for. Empty when none is left, or when what was asked for must
  /// be told first.
  std::vector<Choice> ask(std::size_t at_most);

  /// What an asked one costs, in any order; infinity: it cannot be used.
  void tell(Choice choice, double cost);

  const Point& params(Choice choice) const { return searches_[choice.kernel].set.points[choice.point]; }
  /// Its place among the configurations of all kernels, in the order of the catalogue.
  std::size_t order(Choice choice) const { return searches_[choice.kernel].first_order + choice.point; }
  bool is_sampled(Choice choice) const { return searches_[choice.kernel].sample.contains(choice.point); }

  /// How many will be asked for at most.
  std::size_t size() const;
  /// "grid_stride 12 of 96, tree 40 of 52": what was told of kernels that were not searched wholly; empty if all were.
  std::string searched() const;
  /// How many configurations each kernel has, whatever part of them the request is for.
  const std::map<const Kernel*, std::size_t>& spaces() const { return spaces_; }

 private:
  struct KernelSearch {
    const Kernel* kernel = nullptr;
    PointSet set;
    std::unique_ptr<Strategy> strategy;
    std::set<std::size_t> sample;        ///< its covering sample
    std::vector<std::size_t> own;        ///< points that come before the strategy's, the next one last
    std::map<std::size_t, bool> on_way;  ///< of `own`, asked and not told; whether the strategy has asked too
    std::size_t first_order = 0, limit = 0, asked = 0, told = 0;
    std::optional<double> best;
  };

  double share(const KernelSearch& search) const;
  double next_turn(const KernelSearch& search) const;
  bool waits(const KernelSearch& search) const;
  std::optional<std::size_t> next_of(KernelSearch& search);

  std::vector<KernelSearch> searches_;
  std::map<const Kernel*, std::size_t> spaces_;
  bool is_guided_ = false;
  std::optional<double> best_;
};

}  // namespace warpwright::tuner

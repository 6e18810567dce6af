// Recorded search spaces, and scores of strategies replayed on them, for developing strategies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// A space whose every point was measured once.
struct RecordedSpace {
  SearchSpace space;
  std::vector<double> costs;                     ///< of each point, in milliseconds; infinity if it failed
  std::vector<double> seconds;                   ///< what compiling, checking and timing each point took
  std::vector<std::string> axes;                 ///< names
  std::vector<std::vector<std::string>> values;  ///< of each axis, as JSON

  /// Index of the axis with that name; throws std::out_of_range.
  std::size_t axis(const std::string& name) const;
};

/// Reads a Kernel Tuner cache file, plain JSON or gzipped. Throws std::runtime_error if it cannot be read or is not
/// such a file.
RecordedSpace read_kernel_tuner_cache(const std::string& path);

/// The fastest point of each of the `others`, as a point of `recorded`, without repetitions. A recording whose axes
/// have other names, or whose fastest point is not in this space, is left out.
std::vector<std::size_t> best_elsewhere(const RecordedSpace& recorded, std::span<const RecordedSpace* const> others);

/// Scores a strategy relative to the expected result of random search, after Willemsen et al., Future Generation
/// Computer Systems, 2024, doi 10.1016/j.future.2024.05.021 (for minimisation). M is the number of evaluations,
/// including failed ones.
class ReplayScore {
 public:
  /// `costs` of all points; infinite ones are ignored. Throws std::invalid_argument if fewer than two are finite.
  explicit ReplayScore(std::vector<double> costs);

  std::size_t valid() const { return ascending_.size(); }
  double optimum() const { return ascending_.front(); }
  double median() const;

  /// F(p): the number of evaluations after which random search has covered the share p of the distance from the median
  /// to the optimum.
  std::size_t cutoff(double p) const;

  /// B(M): the expected best cost of random search after M evaluations.
  double baseline(std::size_t evaluations) const;

  /// The average of P(M) = (B(M) - S(M)) / (B(M) - optimum) over M from F(0.01) to F(0.95). S(M) is the cost at the
  /// median (over runs) of the best rank so far. Random search scores 0; finding the optimum at once scores 1.
  /// `runs[r]` are the costs in order of evaluation; a run that ended early keeps its best. Throws if there are no
  /// runs.
  double score(const std::vector<std::vector<double>>& runs) const;

 private:
  std::vector<double> ascending_;
};

using StrategyMaker = std::function<std::unique_ptr<Strategy>(const SearchSpace&, std::uint64_t seed)>;

/// Runs a strategy until it has `evaluations` costs, and returns their points in order. The default point depends on
/// the seed. If there are `known` points, the default point and these are evaluated before the strategy is asked. Keeps
/// this many costs outstanding, and tells one of them at random.
std::vector<std::size_t> replay(const RecordedSpace& recorded, const StrategyMaker& maker, std::uint64_t seed,
                                std::size_t evaluations, std::size_t outstanding,
                                std::span<const std::size_t> known = {});

/// The score of a strategy over `repeats` runs with seeds 0, 1, ...
double replay_score(const RecordedSpace& recorded, const StrategyMaker& maker, int repeats, std::size_t outstanding);

}  // namespace warpwright::tuner

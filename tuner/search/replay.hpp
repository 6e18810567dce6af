// Recorded search spaces, and the score of a strategy that is replayed on one: how strategies are developed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// A space whose every point was measured once.
struct RecordedSpace {
  SearchSpace space;
  std::vector<double> costs;      ///< per point, milliseconds; infinity where it failed
  std::vector<std::string> axes;  ///< names

  /// Index of the axis of that name; throws std::out_of_range.
  std::size_t axis(const std::string& name) const;
};

/// Reads a Kernel Tuner cache file, plain JSON or gzipped. Throws std::runtime_error if it cannot be read or is none.
RecordedSpace read_kernel_tuner_cache(const std::string& path);

/// Scores against random search in closed form, after Willemsen et al., Future Generation Computer Systems, 2024,
/// doi 10.1016/j.future.2024.05.021 (their minimisation case). M counts evaluations, failed ones too.
class ReplayScore {
 public:
  /// `costs` of all points; those that are not finite are left out. Throws std::invalid_argument for fewer than two.
  explicit ReplayScore(std::vector<double> costs);

  std::size_t valid() const { return ascending_.size(); }
  double optimum() const { return ascending_.front(); }
  double median() const;

  /// F(p): evaluations after which random search has come the share p of the way from the median to the optimum.
  std::size_t cutoff(double p) const;

  /// B(M): the expected best of random search after M evaluations.
  double baseline(std::size_t evaluations) const;

  /// The average of P(M) = (B(M) - S(M)) / (B(M) - optimum) over M from F(0.01) to F(0.95), where S(M) is the value
  /// at the median over runs of the best rank so far. 0 is random search, 1 the optimum at once. `runs[r]` holds the
  /// costs in the order of evaluation; a run that ended early keeps its best. Throws for no runs.
  double score(const std::vector<std::vector<double>>& runs) const;

 private:
  std::vector<double> ascending_;
};

using StrategyMaker = std::function<std::unique_ptr<Strategy>(const SearchSpace&, std::uint64_t seed)>;

/// Runs a strategy for `evaluations` costs, asking for `batch` points at a time and telling each batch as a whole.
std::vector<double> replay(const RecordedSpace& recorded, const StrategyMaker& maker, std::uint64_t seed,
                           std::size_t evaluations, std::size_t batch);

/// The score of a strategy over `repeats` runs with seeds 0, 1, ..., each from another default point.
double replay_score(const RecordedSpace& recorded, const StrategyMaker& maker, int repeats, std::size_t batch);

}  // namespace warpwright::tuner

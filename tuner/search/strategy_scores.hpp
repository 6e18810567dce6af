// Runs strategies on recorded spaces: compares their best costs with the optimum and with random search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tuner/search/replay.hpp"

namespace warpwright::tuner {

/// The numbers of evaluations after which scores are taken. Failed points count as evaluations.
inline constexpr std::array<std::size_t, 5> scored_evaluations{25, 50, 100, 200, 400};
using ScoreValues = std::array<double, scored_evaluations.size()>;

/// The exact expectation of the least of `draws` costs, drawn without replacement. Infinite costs are drawn too; if
/// only these are drawn, the largest finite cost counts. Throws std::invalid_argument if no cost is finite.
double expected_best(std::vector<double> costs, std::size_t draws);

struct StrategyRun {
  ScoreValues scores = {};  ///< (expectation of random search - best) / (expectation of random search - optimum)
  ScoreValues ratios = {};  ///< best / optimum
  bool found_optimum = false;
  /// Until 95 % of the best speed is reached, that is, a time of optimum / 0.95; infinity if it never was. The seconds
  /// are those that the recording gives, one evaluation after another.
  double evaluations_to_95_percent = 0, seconds_to_95_percent = 0;
  double ms_per_evaluation = 0, longest_ask_ms = 0;  ///< time of the strategy alone

  /// The average of the scores: 0 is random search, 1 the optimum at once.
  double score() const;
};

/// A recorded space with precomputed values for scores.
class ScoredSpace {
 public:
  explicit ScoredSpace(RecordedSpace recorded);

  /// Runs a strategy to 400 evaluations, with this many costs outstanding, which are told in random order. `known`: as
  /// for replay.
  StrategyRun run(const StrategyMaker& maker, std::uint64_t seed, std::size_t outstanding,
                  std::span<const std::size_t> known = {}) const;

  const RecordedSpace& recorded() const { return recorded_; }

 private:
  RecordedSpace recorded_;
  double optimum_, slowest_;
  ScoreValues expected_ = {};
};

struct StrategySummary {
  double score = 0, standard_error = 0;                             ///< the mean over runs, and its standard error
  ScoreValues ratios = {};                                          ///< the means over runs
  double found_optimum = 0;                                         ///< share of the runs
  double evaluations_to_95_percent = 0, seconds_to_95_percent = 0;  ///< medians over the runs, see StrategyRun
  double ms_per_evaluation = 0, longest_ask_ms = 0;
};

/// Throws std::invalid_argument if there are no runs.
StrategySummary summary(const std::vector<StrategyRun>& runs);

}  // namespace warpwright::tuner

// Medians with confidence intervals, and which finalists are really faster than others.
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright {

/// The middle value, or the mean of the two middle values. Throws std::invalid_argument for no values or a NaN.
double median(std::vector<double> values);

/// A closed interval, and the probability that it contains the quantity.
struct Interval {
  double low = 0, high = 0;
  double coverage = 0;

  bool contains(double value) const { return low <= value && value <= high; }
  double width() const { return high - low; }
};

/// The narrowest symmetric pair of order statistics [x(j), x(n+1-j)] that contains the median with a probability of
/// `confidence` or more: coverage = 1 - 2 P(Binomial(n, 1/2) < j), whatever the distribution, for independent
/// values. Too few values for `confidence` give [smallest, largest] with the smaller coverage 1 - 2^(1-n).
/// Source: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003, section 7.1.
/// Throws std::invalid_argument for no values, a NaN, or a confidence outside (0, 1).
Interval median_interval(std::vector<double> values, double confidence = 0.95);

/// The median over rounds of first / second, with an interval as from median_interval.
struct PairedRatio {
  double median = 0;
  Interval interval;
};

/// `first[r]` and `second[r]` were measured in the same round. Throws std::invalid_argument for no rounds, different
/// lengths, or times <= 0.
PairedRatio paired_ratio(const std::vector<double>& first, const std::vector<double>& second);

/// One candidate in the final comparison.
struct Finalist {
  double median_us = 0;
  Interval ratio;     ///< of the median over rounds of time / time of the best in the same round; 1 for the best
  bool tied = false;  ///< the ratio's interval contains 1: it cannot be told apart from the best
};

struct FinalistRanking {
  std::vector<Finalist> finalists;  ///< in the order of the columns
  std::size_t best = 0;             ///< the column with the smallest median
  std::size_t winner = 0;           ///< the first tied column; the columns are in canonical order
  std::vector<std::size_t> tied;    ///< the columns that are tied, including the best
};

/// Compares finalists that were measured in interleaved rounds: `rounds[r][c]` is the time of candidate c in round r,
/// in microseconds. Each interval has a confidence of 1 - (1 - `confidence`) / (number of pairs of candidates). So the
/// probability that all candidates of equal speed are reported as tied is `confidence` or more (Bonferroni). With too
/// few rounds for such an interval, all candidates are tied: 6 rounds are needed for a pair, 11 for eight candidates.
/// Throws std::invalid_argument for no rounds, no candidates, rounds of different lengths, or times <= 0.
FinalistRanking rank_finalists(const std::vector<std::vector<double>>& rounds, double confidence = 0.95);

}  // namespace warpwright

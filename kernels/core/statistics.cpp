// Order statistics of samples, and ratios of times from the same round.
#include "kernels/core/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace warpwright {
namespace {

std::vector<double> sorted(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("statistics of no values");
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) {
    throw std::invalid_argument("statistics of values with a NaN");
  }
  std::sort(values.begin(), values.end());
  return values;
}

double middle(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  if (ascending.size() % 2 == 1) return ascending[half];
  return ascending[half - 1] + (ascending[half] - ascending[half - 1]) / 2;
}

double fair_binomial(std::size_t n, std::size_t k) {
  const auto trials = static_cast<double>(n);
  const auto hits = static_cast<double>(k);
  return std::exp(std::lgamma(trials + 1) - std::lgamma(hits + 1) - std::lgamma(trials - hits + 1) -
                  trials * std::log(2.0));
}

void check_rounds(const std::vector<std::vector<double>>& rounds) {
  if (rounds.empty() || rounds.front().empty()) throw std::invalid_argument("a final without rounds or candidates");
  for (const std::vector<double>& round : rounds) {
    if (round.size() != rounds.front().size()) throw std::invalid_argument("rounds of different lengths");
    for (const double us : round) {
      if (!(us > 0) || std::isinf(us)) throw std::invalid_argument(fmt::format("a time of {} us in a final", us));
    }
  }
}

std::vector<double> column(const std::vector<std::vector<double>>& rounds, std::size_t candidate) {
  std::vector<double> values;
  for (const std::vector<double>& round : rounds) values.push_back(round[candidate]);
  return values;
}

}  // namespace

double median(std::vector<double> values) {
  return middle(sorted(std::move(values)));
}

Interval median_interval(std::vector<double> values, double confidence) {
  if (!(confidence > 0 && confidence < 1)) {
    throw std::invalid_argument(fmt::format("a confidence of {}: it must lie between 0 and 1", confidence));
  }
  const std::vector<double> ascending = sorted(std::move(values));
  const std::size_t n = ascending.size();
  std::size_t rank = 1;
  double outside = fair_binomial(n, 0);
  while (rank < (n + 1) / 2) {
    const double next = outside + fair_binomial(n, rank);
    if (1 - 2 * next < confidence) break;
    outside = next;
    ++rank;
  }
  return {ascending[rank - 1], ascending[n - rank], std::max(0.0, 1 - 2 * outside)};
}

PairedRatio paired_ratio(const std::vector<double>& first, const std::vector<double>& second) {
  if (first.size() != second.size())
    throw std::invalid_argument(fmt::format("{} times paired with {}", first.size(), second.size()));
  std::vector<std::vector<double>> rounds;
  for (std::size_t r = 0; r < first.size(); ++r) rounds.push_back({first[r], second[r]});
  check_rounds(rounds);
  std::vector<double> ratios;
  for (const auto& round : rounds) ratios.push_back(round[0] / round[1]);
  const Interval interval = median_interval(ratios);
  return {.median = median(std::move(ratios)), .interval = interval};
}

FinalistRanking rank_finalists(const std::vector<std::vector<double>>& rounds, double confidence) {
  check_rounds(rounds);
  const std::size_t candidates = rounds.front().size();
  FinalistRanking ranking;
  ranking.finalists.resize(candidates);
  for (std::size_t c = 0; c < candidates; ++c) {
    ranking.finalists[c].median_us = median(column(rounds, c));
    if (ranking.finalists[c].median_us < ranking.finalists[ranking.best].median_us) ranking.best = c;
  }
  const std::size_t pairs = std::max<std::size_t>(1, candidates * (candidates - 1) / 2);
  const double each = 1 - (1 - confidence) / static_cast<double>(pairs);
  for (std::size_t c = 0; c < candidates; ++c) {
    std::vector<double> ratios;
    for (const std::vector<double>& round : rounds) ratios.push_back(round[c] / round[ranking.best]);
    Finalist& finalist = ranking.finalists[c];
    finalist.ratio = median_interval(std::move(ratios), each);
    finalist.tied = finalist.ratio.contains(1) || finalist.ratio.coverage < each;
    if (finalist.tied) ranking.tied.push_back(c);
  }
  ranking.winner = ranking.tied.front();
  return ranking;
}

}  // namespace warpwright

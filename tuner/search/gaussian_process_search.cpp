// Model-based search as an ask-and-tell strategy.
#include "tuner/search/gaussian_process_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>

#include "tuner/search/gaussian_process.hpp"
#include "tuner/search/search_support.hpp"
#include "tuner/search/strategy_base.hpp"

namespace warpwright::tuner {
namespace {

constexpr double not_told = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t initial_points = 3;
constexpr std::size_t fitted_points = 100;
constexpr std::size_t most_rows = 400;
constexpr double refit_growth = 1.5;
constexpr std::size_t random_candidates = 500;
constexpr std::size_t expanded_points = 5;

/// The logarithm of the expected improvement, if the predicted value is `z` deviations below the best one. Far above
/// the best, the difference of two nearly equal numbers is replaced by its asymptote.
double log_improvement(double z, double deviation) {
  const double log_density = -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi);
  if (z < -25) return std::log(deviation) + log_density - 2 * std::log(-z);
  return std::log(deviation) + std::log(z * 0.5 * std::erfc(-z / std::numbers::sqrt2) + std::exp(log_density));
}

class GaussianProcessSearch : public StrategyBase {
 public:
  GaussianProcessSearch(SearchSpace points, std::uint64_t seed)
      : StrategyBase(std::move(points)),
        random_(seed),
        index_(space()),
        pool_(space().points.size()),
        process_(space().axis_sizes, space().axis_values),
        costs_(space().points.size(), not_told),
        values_(space().points.size(), not_told),
        is_row_(space().points.size()),
        is_candidate_(space().points.size()) {}

 protected:
  std::size_t next() override {
    const std::size_t point = choose();
    waiting_.insert(point);
    if (fitted_rows_ > 0) add_row(point);
    return point;
  }

  void learn(std::size_t point, double cost) override {
    waiting_.erase(point);
    costs_[point] = cost;
    const auto is_less = [this](double value, std::size_t other) { return value < costs_[other]; };
    by_cost_.insert(std::upper_bound(by_cost_.begin(), by_cost_.end(), cost, is_less), point);
    news_.push_back(point);
  }

 private:
  struct Best {
    std::size_t point = none;
    double gain = 0, z = 0, deviation = 0;
  };

  std::size_t random_fresh() {
    return pool_.draw(random_, [this](std::size_t point) { return fresh(point); });
  }

  std::size_t choose() {
    if (by_cost_.empty() && fresh(space().default_point)) return space().default_point;
    if (by_cost_.size() < initial_points) return random_fresh();
    update();
    Best best;
    std::size_t considered = 0;
    while (considered < candidates_.size()) {
      const std::size_t before = best.point;
      const std::size_t end = candidates_.size();
      for (; considered < end; ++considered) consider(considered, best);
      if (best.point != before) add_neighbours(best.point);
    }
    return best.point == none ? random_fresh() : best.point;
  }

  void consider(std::size_t candidate, Best& best) const {
    if (!fresh(candidates_[candidate])) return;
    const double deviation = std::sqrt(std::max(process_.variance(candidate), 1e-9));
    const double z = (values_[by_cost_.front()] - process_.mean(candidate)) / deviation;
    if (best.point != none && z < best.z && deviation < best.deviation) return;
    const double gain = log_improvement(z, deviation);
    if (best.point == none || gain > best.gain) best = {candidates_[candidate], gain, z, deviation};
  }

  void add_row(std::size_t point) {
    rows_.push_back(point);
    is_row_[point] = true;
    process_.observe(space().points[point]);
  }

  void add_candidate(std::size_t point) {
    if (!fresh(point) || is_candidate_[point]) return;
    is_candidate_[point] = true;
    candidates_.push_back(point);
    process_.add_candidate(space().points[point]);
  }

  void add_neighbours(std::size_t point) {
    for (const std::size_t neighbour : index_.neighbours(point)) add_candidate(neighbour);
  }

  /// Passes new costs to the process.
  void update() {
    const bool fits = static_cast<double>(rows_.size()) >= refit_growth * static_cast<double>(fitted_rows_);
    if (news_.empty() && !fits) return;
    rank();
    if (fits) {
      fit();
    } else {
      for (const std::size_t point : news_)
        if (!is_row_[point]) add_row(point);
      add_neighbours(by_cost_.front());
    }
    news_.clear();
    std::vector<std::optional<double>> values;
    for (const std::size_t point : rows_)
      values.push_back(std::isnan(costs_[point]) ? std::nullopt : std::optional(values_[point]));
    process_.explain(values);
  }

  /// A point's value is the square root of the share of points that are faster, scaled to mean 0 and variance 1; equal
  /// costs have equal values. So it does not matter how slow slow points are, and the best ones lie furthest apart.
  void rank() {
    const auto n = static_cast<double>(by_cost_.size());
    double sum = 0, squares = 0;
    for (std::size_t first = 0, end = 0; first < by_cost_.size(); first = end) {
      while (end < by_cost_.size() && costs_[by_cost_[end]] == costs_[by_cost_[first]]) ++end;
      const double value = std::sqrt(static_cast<double>(first + end) / (2 * n));
      for (std::size_t i = first; i < end; ++i) {
        values_[by_cost_[i]] = value;
        sum += value;
        squares += value * value;
      }
    }
    const double mean = sum / n;
    const double deviation = std::sqrt(std::max(squares / n - mean * mean, 1e-12));
    for (const std::size_t point : by_cost_) values_[point] = (values_[point] - mean) / deviation;
  }

  void fit() {
    std::vector<const std::vector<int>*> points;
    std::vector<double> values;
    for (const std::size_t point : sample(fitted_points)) {
      points.push_back(&space().points[point]);
      values.push_back(values_[point]);
    }
    process_.fit(points, values);
    rows_.clear();
    is_row_.assign(is_row_.size(), false);
    for (const std::size_t point : sample(most_rows)) add_row(point);
    for (const std::size_t point : waiting_) add_row(point);
    fitted_rows_ = rows_.size();
    candidates_.clear();
    is_candidate_.assign(is_candidate_.size(), false);
    if (left() <= random_candidates)
      for (std::size_t point = 0; point < space().points.size(); ++point) add_candidate(point);
    else
      for (std::size_t i = 0; i < random_candidates; ++i) add_candidate(random_fresh());
    for (std::size_t i = 0; i < std::min(expanded_points, by_cost_.size()); ++i) add_neighbours(by_cost_[i]);
  }

  /// At most this many of the known points: the best ones, and as many random others.
  std::vector<std::size_t> sample(std::size_t at_most) {
    std::vector<std::size_t> points = by_cost_;
    if (points.size() <= at_most) return points;
    for (std::size_t i = at_most / 2; i < at_most; ++i)
      std::swap(points[i], points[i + random_.below(points.size() - i)]);
    points.resize(at_most);
    return points;
  }

  Random random_;
  PointIndex index_;
  FreshPool pool_;
  GaussianProcess process_;
  std::vector<double> costs_, values_;   ///< of each point of the space
  std::vector<std::size_t> by_cost_;     ///< the known points, the fastest first
  std::vector<std::size_t> news_;        ///< points whose costs became known since the last update
  std::set<std::size_t> waiting_;        ///< asked for and not told
  std::vector<std::size_t> rows_;        ///< what the process observed, in its order
  std::vector<std::size_t> candidates_;  ///< of the process, in its order
  std::vector<bool> is_row_, is_candidate_;
  std::size_t fitted_rows_ = 0;  ///< number of rows after the last fit
};

}  // namespace

std::unique_ptr<Strategy> make_gaussian_process_search(SearchSpace space, std::uint64_t seed) {
  return std::make_unique<GaussianProcessSearch>(std::move(space), seed);
}

}  // namespace warpwright::tuner

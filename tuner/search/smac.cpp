// Model-based search as an ask-and-tell strategy.
#include "tuner/search/smac.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "tuner/search/regression_forest.hpp"
#include "tuner/search/search_support.hpp"
#include "tuner/search/strategy_base.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::size_t initial_points = 8;
constexpr std::size_t min_costs = 3;
constexpr double random_share = 0.1;
constexpr double refit_growth = 1.05;
constexpr std::size_t random_candidates = 100;
constexpr std::size_t descended_points = 5;

class Smac : public StrategyBase {
 public:
  Smac(SearchSpace points, std::uint64_t seed)
      : StrategyBase(std::move(points)), random_(seed), index_(space()), pool_(space().points.size()) {}

 protected:
  std::size_t next() override {
    ++asked_;
    if (known_.empty() && fresh(space().default_point)) return space().default_point;
    if (known_.size() < min_costs || std::max(asked_, known_.size() + 1) <= initial_points ||
        random_.unit() < random_share) {
      return random_fresh();
    }
    if (!forest_ || static_cast<double>(known_.size()) >= refit_growth * static_cast<double>(fitted_)) fit();
    std::size_t best = none;
    double best_bound = std::numeric_limits<double>::infinity();
    for (const std::size_t point : candidates()) {
      const ForestPrediction prediction = forest_->predict(space().points[point]);
      const double bound = prediction.mean - prediction.deviation + 1e-9 * random_.unit();
      if (bound < best_bound) {
        best_bound = bound;
        best = point;
      }
    }
    return best;
  }

  void learn(std::size_t point, double cost) override {
    known_.push_back(point);
    costs_.push_back(cost);
  }

 private:
  std::size_t random_fresh() {
    return pool_.draw(random_, [this](std::size_t point) { return fresh(point); });
  }

  std::vector<std::size_t> by_cost() const {
    std::vector<std::size_t> order(known_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return costs_[a] < costs_[b]; });
    return order;
  }

  void fit() {
    const std::vector<std::size_t> order = by_cost();
    std::vector<double> values(known_.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const bool tie = rank > 0 && costs_[order[rank]] == costs_[order[rank - 1]];
      values[order[rank]] = tie ? values[order[rank - 1]] : std::log(1.0 + static_cast<double>(rank));
    }
    std::vector<const std::vector<int>*> points;
    for (const std::size_t point : known_) points.push_back(&space().points[point]);
    forest_.emplace(points, values, space().axis_sizes, random_);
    fitted_ = known_.size();
    best_.clear();
    for (std::size_t i = 0; i < std::min(descended_points, order.size()); ++i) best_.push_back(known_[order[i]]);
  }

  std::vector<std::size_t> candidates() {
    std::vector<std::size_t> result;
    for (const std::size_t point : best_) {
      for (const std::size_t neighbour : index_.neighbours(point)) {
        if (fresh(neighbour)) result.push_back(neighbour);
      }
    }
    for (std::size_t i = 0; i < random_candidates; ++i) result.push_back(random_fresh());
    return result;
  }

  Random random_;
  PointIndex index_;
  FreshPool pool_;
  std::vector<std::size_t> known_;
  std::vector<double> costs_;
  std::vector<std::size_t> best_;
  std::optional<RegressionForest> forest_;
  std::size_t fitted_ = 0;
  std::size_t asked_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_smac(SearchSpace space, std::uint64_t seed) {
  return std::make_unique<Smac>(std::move(space), seed);
}

}  // namespace warpwright::tuner

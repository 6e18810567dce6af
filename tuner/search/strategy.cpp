// The two simple strategies, the bookkeeping shared by all, and the list of their names.
#include "tuner/search/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "kernels/system/nearest.hpp"
#include "tuner/search/gaussian_process_search.hpp"
#include "tuner/search/local_search.hpp"
#include "tuner/search/strategy_base.hpp"

namespace warpwright::tuner {
namespace {

/// Proposes the points in an order fixed in advance.
class FixedOrder : public StrategyBase {
 public:
  FixedOrder(SearchSpace points, std::vector<std::size_t> order)
      : StrategyBase(std::move(points)), order_(std::move(order)) {}

 protected:
  std::size_t next() override {
    while (position_ < order_.size() && !fresh(order_[position_])) ++position_;
    return position_ < order_.size() ? order_[position_++] : none;
  }
  void learn(std::size_t, double) override {}

 private:
  std::vector<std::size_t> order_;
  std::size_t position_ = 0;
};

std::vector<std::size_t> canonical_order(const SearchSpace& space) {
  std::vector<std::size_t> order(space.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<std::size_t> random_order(const SearchSpace& space, std::uint64_t seed) {
  std::vector<std::size_t> order = canonical_order(space);
  if (order.empty()) return order;
  std::mt19937_64 engine(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[engine() % i]);
  std::iter_swap(order.begin(), std::find(order.begin(), order.end(), space.default_point));
  return order;
}

}  // namespace

void SearchSpace::check() const {
  std::set<std::vector<int>> seen;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::vector<int>& point = points[p];
    if (point.size() != axis_sizes.size()) {
      throw std::invalid_argument(fmt::format("point {} has {} axes of {}", p, point.size(), axis_sizes.size()));
    }
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      if (point[axis] < 0 || point[axis] >= axis_sizes[axis]) {
        throw std::invalid_argument(
            fmt::format("point {} has value {} on axis {} of {} values", p, point[axis], axis, axis_sizes[axis]));
      }
    }
    if (!seen.insert(point).second) throw std::invalid_argument(fmt::format("point {} occurs twice", p));
  }
  for (std::size_t axis = 0; axis < axis_values.size(); ++axis) {
    const std::size_t values = axis_values[axis].size();
    if (axis >= axis_sizes.size() || (values != 0 && values != static_cast<std::size_t>(axis_sizes[axis])))
      throw std::invalid_argument(fmt::format("axis {} has {} values, which is not its size", axis, values));
  }
  if (!points.empty() && default_point >= points.size()) {
    throw std::invalid_argument(fmt::format("default point {} of {} points", default_point, points.size()));
  }
}

StrategyBase::StrategyBase(SearchSpace space)
    : space_(std::move(space)), states_(space_.points.size(), State::fresh), left_(space_.points.size()) {
  space_.check();
}

std::vector<std::size_t> StrategyBase::ask(std::size_t at_most) {
  std::vector<std::size_t> asked;
  while (asked.size() < at_most && left_ > 0) {
    const std::size_t point = next();
    if (point == none) break;
    states_[point] = State::asked;
    --left_;
    ++outstanding_;
    asked.push_back(point);
  }
  return asked;
}

void StrategyBase::tell(std::size_t point, double cost) {
  if (point >= states_.size() || states_[point] != State::asked) {
    throw std::invalid_argument(fmt::format("the cost of point {}, which is not outstanding", point));
  }
  states_[point] = State::known;
  --outstanding_;
  learn(point, std::isnan(cost) ? std::numeric_limits<double>::infinity() : cost);
}

void StrategyBase::tell_known(std::size_t point, double cost) {
  if (point >= states_.size() || states_[point] != State::fresh) {
    throw std::invalid_argument(fmt::format("point {} was asked or known before", point));
  }
  states_[point] = State::known;
  --left_;
  learn(point, std::isnan(cost) ? std::numeric_limits<double>::infinity() : cost);
}

std::vector<std::string> strategy_names() {
  return {"exhaustive", "random", "local", "gaussian_process"};
}

void check_strategy(const std::string& name) {
  const std::vector<std::string> names = strategy_names();
  if (std::ranges::find(names, name) == names.end())
    throw std::invalid_argument(program::unknown("strategy", name, names));
}

bool is_guided(const std::string& name) {
  return name == "local" || name == "gaussian_process";
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, SearchSpace space, std::uint64_t seed) {
  check_strategy(name);
  space.check();
  if (name == "exhaustive") {
    std::vector<std::size_t> order = canonical_order(space);
    return std::make_unique<FixedOrder>(std::move(space), std::move(order));
  }
  if (name == "random") {
    std::vector<std::size_t> order = random_order(space, seed);
    return std::make_unique<FixedOrder>(std::move(space), std::move(order));
  }
  if (name == "local") return make_local_search(std::move(space), seed);
  if (name == "gaussian_process") return make_gaussian_process_search(std::move(space), seed);
  throw std::logic_error("no search is made for the strategy " + name);
}

}  // namespace warpwright::tuner

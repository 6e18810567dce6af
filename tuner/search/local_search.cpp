// Multi-start local search as an ask-and-tell strategy.
#include "tuner/search/local_search.hpp"

#include <limits>

#include "tuner/search/search_support.hpp"
#include "tuner/search/strategy_base.hpp"

namespace warpwright::tuner {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr int random_starts = 16;

class LocalSearch : public StrategyBase {
 public:
  LocalSearch(SearchSpace points, std::uint64_t seed)
      : StrategyBase(std::move(points)),
        random_(seed),
        index_(space()),
        pool_(space().points.size()),
        costs_(space().points.size(), unknown) {}

 protected:
  std::size_t next() override {
    if (!started_ && fresh(space().default_point)) return space().default_point;
    if (starts_ > 0) {
      --starts_;
      return random_fresh();
    }
    while (!neighbours_.empty()) {
      const std::size_t point = neighbours_.back();
      neighbours_.pop_back();
      if (fresh(point)) return point;
      if (costs_[point] < costs_[current_]) move_to(point);
    }
    if (outstanding() == 0) {
      current_ = none;
      starts_ = random_starts - 1;
    }
    return random_fresh();
  }

  void learn(std::size_t point, double cost) override {
    costs_[point] = cost;
    started_ = true;
    if (current_ == none || cost < costs_[current_]) move_to(point);
  }

 private:
  std::size_t random_fresh() {
    return pool_.draw(random_, [this](std::size_t point) { return fresh(point); });
  }

  void move_to(std::size_t point) {
    current_ = point;
    neighbours_ = index_.neighbours(point);
    random_.shuffle(neighbours_);
  }

  Random random_;
  PointIndex index_;
  FreshPool pool_;
  std::vector<double> costs_;
  std::vector<std::size_t> neighbours_;
  std::size_t current_ = none;
  bool started_ = false;
  int starts_ = random_starts;
};

}  // namespace

std::unique_ptr<Strategy> make_local_search(SearchSpace space, std::uint64_t seed) {
  return std::make_unique<LocalSearch>(std::move(space), seed);
}

}  // namespace warpwright::tuner

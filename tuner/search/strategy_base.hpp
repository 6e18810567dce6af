// Bookkeeping shared by all strategies: which points were asked for, which are outstanding, and their costs.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Implements the contract of Strategy; derived classes only choose the next point.
class StrategyBase : public Strategy {
 public:
  std::vector<std::size_t> ask(std::size_t at_most) final;
  void tell(std::size_t point, double cost) final;
  void tell_known(std::size_t point, double cost) final;

 protected:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Throws std::invalid_argument for an invalid space.
  explicit StrategyBase(SearchSpace space);

  /// The next point, for which fresh() must hold, or `none` to wait for outstanding costs. Must not return `none` if no
  /// cost is outstanding and a fresh point is left.
  virtual std::size_t next() = 0;

  /// Called with each new cost; NaN was replaced by infinity.
  virtual void learn(std::size_t point, double cost) = 0;

  const SearchSpace& space() const { return space_; }
  bool fresh(std::size_t point) const { return states_[point] == State::fresh; }
  std::size_t left() const { return left_; }
  std::size_t outstanding() const { return outstanding_; }

 private:
  enum class State : unsigned char { fresh, asked, known };

  SearchSpace space_;
  std::vector<State> states_;
  std::size_t left_;
  std::size_t outstanding_ = 0;
};

}  // namespace warpwright::tuner

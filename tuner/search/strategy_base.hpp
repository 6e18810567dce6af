// The bookkeeping that all strategies share: which points were asked, which are outstanding, what they cost.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/search/strategy.hpp"

namespace warpwright::tuner {

/// Keeps the promises of Strategy; a strategy only says which point comes next.
class StrategyBase : public Strategy {
 public:
  std::vector<std::size_t> ask(std::size_t at_most) final;
  void tell(std::size_t point, double cost) final;
  void tell_known(std::size_t point, double cost) final;

 protected:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Throws std::invalid_argument for a bad space.
  explicit StrategyBase(SearchSpace space);

  /// The next point, one that is fresh(); `none` to wait for outstanding costs, never while none is outstanding and
  /// a fresh point is left.
  virtual std::size_t next() = 0;

  /// A cost has become known; NaN has become infinity.
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

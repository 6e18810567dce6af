// Search strategies: choose the points of a space to evaluate next. They know only indices, coordinates and costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpwright::tuner {

/// The valid points of a kernel's space, in canonical order.
struct SearchSpace {
  std::vector<std::vector<int>> points;  ///< for each valid point, the value index on each axis
  std::vector<int> axis_sizes;           ///< number of values per axis
  std::size_t default_point = 0;         ///< index into points
  /// For each axis, its values; empty for one whose values are no numbers. May be left out for all axes.
  std::vector<std::vector<std::int64_t>> axis_values = {};

  /// Throws std::invalid_argument, with the reason, for a point of the wrong length or outside its axes, a point that
  /// occurs twice, an invalid default point, or values that do not fit the sizes of the axes.
  void check() const;
};

/// Ask-and-tell interface: ask for points, evaluate them, tell their costs, in any order and interleaving. Compiling
/// may run ahead of measuring, so asking again while costs are outstanding is allowed. Deterministic in (space, seed,
/// sequence of calls).
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Up to `at_most` points (indices into the space) that were never returned before. Empty if at_most is 0, if the
  /// space is exhausted, or if the strategy needs outstanding costs first. If nothing is outstanding, empty means
  /// exhausted.
  virtual std::vector<std::size_t> ask(std::size_t at_most) = 0;

  /// The cost of a point that was asked for; less is better. +infinity means that it did not compile, launch or pass;
  /// NaN counts as +infinity. Throws std::invalid_argument for a point that is not outstanding.
  virtual void tell(std::size_t point, double cost) = 0;

  /// Tells a cost known from elsewhere (a resumed session), as if the point had been asked for and told. Throws
  /// std::invalid_argument if the point was already asked for or known.
  virtual void tell_known(std::size_t point, double cost) = 0;
};

/// The names that make_strategy accepts.
std::vector<std::string> strategy_names();

/// Throws std::invalid_argument for another name; the message suggests one, or lists them.
void check_strategy(const std::string& name);

/// Whether the strategy uses the times of earlier points.
bool is_guided(const std::string& name);

/// The strategies:
/// - "exhaustive": every point in canonical order;
/// - "random": the default point, then all others in random order;
/// - "local": multi-start local search, see local_search.hpp;
/// - "gaussian_process": model-based search, the best one on recorded spaces, see gaussian_process_search.hpp and
///   docs/tuning.md.
/// Throws std::invalid_argument for an unknown name or an invalid space.
std::unique_ptr<Strategy> make_strategy(const std::string& name, SearchSpace space, std::uint64_t seed);

}  // namespace warpwright::tuner

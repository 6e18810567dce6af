// Search strategies: which points of a space to evaluate next. They see indices, coordinates and costs only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpwright::tuner {

/// The valid points of a kernel's space, in canonical order.
struct SearchSpace {
  std::vector<std::vector<int>> points;  ///< per valid point, the index of each axis' value
  std::vector<int> axis_sizes;           ///< values per axis
  std::size_t default_point = 0;         ///< index into points

  /// Throws std::invalid_argument, saying what is wrong, for a point of the wrong length or outside its axes, a
  /// point that occurs twice, or a default point that is none of the points.
  void check() const;
};

/// Ask for points, evaluate them, tell their costs, in any order and any interleaving: compiling may run ahead of
/// measuring, so asking again before all costs were told is legal. Deterministic in (space, seed, sequence of calls).
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Up to `at_most` points (indices into the space) that were never asked before. Empty if at_most is 0, if the
  /// space is exhausted, or if the strategy must be told outstanding costs first; where nothing is outstanding,
  /// empty means exhausted.
  virtual std::vector<std::size_t> ask(std::size_t at_most) = 0;

  /// The cost of an asked point, smaller is better; +infinity is a point that did not compile, launch or pass.
  /// NaN counts as +infinity. Throws std::invalid_argument for a point that is not outstanding.
  virtual void tell(std::size_t point, double cost) = 0;

  /// States that a point's cost is known from elsewhere (a resumed session): as if asked and told. Throws
  /// std::invalid_argument for a point that was asked or known before.
  virtual void tell_known(std::size_t point, double cost) = 0;
};

/// The names that make_strategy knows.
std::vector<std::string> strategy_names();

/// Whether the times of earlier points decide on later ones.
bool is_guided(const std::string& name);

/// - "exhaustive": every point in canonical order;
/// - "random": the default point, then every other point in a random order;
/// - "local": multi-start local search, see local_search.hpp;
/// - "smac": model-based search, the best of all on recorded spaces, see smac.hpp and docs/tuning.md.
/// Throws std::invalid_argument for an unknown name (the text lists the known ones) or a bad space.
std::unique_ptr<Strategy> make_strategy(const std::string& name, SearchSpace space, std::uint64_t seed);

}  // namespace warpwright::tuner

// Shapes at which kernels break, drawn with rapidcheck, as far as they are not too much work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::conformance {

/// Times the most steps of an ordinary problem that a larger one, the largest, and a kernel's edges may take.
inline constexpr double kLarger = 8, kLargest = 24, kReach = 64;

/// What is special about a shape.
struct Size {
  enum class Kind {
    drawn,          ///< nothing
    long_sum,       ///< one dimension is long, and well beyond the tile: eight times the work, or as large as any
    largest,        ///< as many tiles in every dimension as are not too much work
    greatest_edge,  ///< the one of the kernel's own edges, or several tiles, that is most work
    longest         ///< one dimension is as long as is not too much work
  } kind = Kind::drawn;
  std::size_t dimension = 0;  ///< that is long
};

/// Edges of a kernel that no case has, as they would be too much work.
struct CappedEdges {
  double reach = 0;                      ///< most steps of work that an edge may have
  std::vector<std::int64_t> least = {};  ///< the shape of the least of them; empty: there are none
  double least_steps = 0;
  double greatest_steps = 0;

  bool any() const { return !least.empty(); }
  void add(const CappedEdges& other);
};

/// Which edges were left out, and the --max-steps that would draw them.
std::string words_of(const CappedEdges& capped);

/// The shapes of one configuration on problems of one kind; their own shape is not looked at.
class Shapes {
 public:
  /// `problem` and the others outlive it. An ordinary problem has at most `max_steps` steps of work.
  Shapes(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem, double max_steps);

  /// An ordinary one, or one of eight times the work; or, one in eight, one of the kernel's own edges, of several tiles
  /// where it has none.
  std::vector<std::int64_t> draw(bool is_larger) const;
  /// A special one. What the kernel refused `refused` times is tried in whole tiles too, and smaller.
  std::vector<std::int64_t> draw(const Size& size, int refused) const;
  /// Edges that neither of them draws.
  const CappedEdges& capped() const { return capped_; }

 private:
  using Extents = std::vector<std::int64_t>;
  double steps_of(const Extents& shape) const;
  std::int64_t largest(double most_steps, Extents shape, std::size_t dimension) const;
  /// As many tiles in every dimension.
  Extents of_tiles(double most_steps) const;

  const Pattern& pattern_;
  const Kernel& kernel_;
  const Point& params_;
  const Problem& problem_;
  double max_steps_;
  Extents tile_;
  std::vector<Extents> edges_;  ///< the kernel's own, or several tiles where it names none; within reach
  double around_tile_ = 0;      ///< steps of a shape around the tile, where that is within reach
  CappedEdges capped_;
};

/// Extents at which kernels break, ascending: 0, 1, around warps, blocks and the tile, primes, several tiles; none
/// above `limit`.
std::vector<std::int64_t> edge_extents(std::int64_t tile, std::int64_t limit);

}  // namespace warpwright::conformance

// Draws shapes at which kernels tend to break, within limits on their work.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::conformance {

/// Factors by which a larger problem, a largest problem, and a kernel's edge shapes may exceed the work of an ordinary
/// problem.
inline constexpr double kLarger = 8, kLargest = 24, kReach = 64;
/// The same for the trace shape of a job, and for as many blocks as a board has multiprocessors.
inline constexpr double kLongReach = 16 * kReach;

/// A requirement on a shape.
struct Size {
  enum class Kind {
    drawn,          ///< none
    long_sum,       ///< one dimension is long, and much longer than the tile: eight times the work, or as large as
                    ///< allowed
    largest,        ///< as many tiles in every dimension as the limit allows
    greatest_edge,  ///< the kernel's edge shape with the most work, or several tiles
    traced,         ///< the pattern's trace shape
    longest,        ///< one dimension is as long as the limit allows
    blocks          ///< one dimension is so long that a launch has so many blocks
  } kind = Kind::drawn;
  std::size_t dimension = 0;  ///< the long dimension; for blocks, the first one to be tried
  double blocks = 0;
};

/// Edge shapes of a kernel that are omitted because they would be too much work.
struct CappedEdges {
  double reach = 0;                      ///< most steps of work that an edge shape may have
  std::vector<std::int64_t> least = {};  ///< the omitted shape with the least work; empty if there is none
  double least_steps = 0;
  double greatest_steps = 0;

  bool any() const { return !least.empty(); }
  void add(const CappedEdges& other);
};

/// Says which edge shapes were omitted, and which --max-steps would include them.
std::string describe(const CappedEdges& capped);

/// Draws this shape, which shrinks to lesser ones.
std::vector<std::int64_t> draw_exactly(const std::vector<std::int64_t>& shape);

/// The blocks of the largest launch for a shape; 0 if there is no plan for it.
using BlocksOf = std::function<double(const std::vector<std::int64_t>&)>;

/// Draws shapes for one configuration and problems of one kind. The shape of the given problem is not used.
class Shapes {
 public:
  /// The arguments must outlive this object. An ordinary problem has at most `max_steps` steps of work, of which each
  /// counts as `accesses_per_step`.
  Shapes(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem, double max_steps,
         double accesses_per_step = 1);

  /// An ordinary shape, or one of eight times the work if `is_larger`. One in eight is an edge shape of the kernel, or
  /// several tiles if it has none.
  std::vector<std::int64_t> draw(bool is_larger) const;
  /// A shape with a requirement. If the kernel refused it `refused` times, tries whole tiles too, and smaller shapes.
  std::vector<std::int64_t> draw(const Size& size, int refused) const;
  /// The same for Size::Kind::blocks: `blocks_of` counts the blocks of a shape's largest launch.
  std::vector<std::int64_t> draw_blocks(const Size& size, int refused, const BlocksOf& blocks_of) const;
  /// Edge shapes that neither overload draws.
  const CappedEdges& capped() const { return capped_; }

 private:
  using Extents = std::vector<std::int64_t>;
  double steps_of(const Extents& shape) const;
  std::int64_t largest(double most_steps, Extents shape, std::size_t dimension) const;
  void relate(Extents& shape, double limit) const;
  /// The shape with the same number of tiles in every dimension and at most this much work.
  Extents of_tiles(double most_steps) const;

  const Pattern& pattern_;
  const Kernel& kernel_;
  const Point& params_;
  const Problem& problem_;
  double max_steps_, accesses_per_step_;
  Extents tile_;
  std::vector<Extents> edges_;  ///< the kernel's own edge shapes, or several tiles if it names none; within reach
  double around_tile_ = 0;      ///< steps of work of a shape near the tile, if within reach
  CappedEdges capped_;
};

/// Extents at which kernels tend to break, in ascending order up to `limit`: 0, 1, near the sizes of warps, blocks and
/// the tile, primes, several tiles.
std::vector<std::int64_t> edge_extents(std::int64_t tile, std::int64_t limit);

}  // namespace warpwright::conformance

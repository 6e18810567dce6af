// Draws shapes with rapidcheck.
#include "conformance/properties/shapes.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/draw_below.hpp"

namespace warpwright::conformance {
namespace {

using Extents = std::vector<std::int64_t>;

/// Extents simpler than this one: the simplest ones, then a bisection towards 0.
rc::Seq<std::int64_t> simpler_extents(std::int64_t extent) {
  std::vector<std::int64_t> simplest;
  for (const std::int64_t simple : {0, 1, 2, 33})
    if (simple < extent) simplest.push_back(simple);
  return rc::seq::concat(rc::seq::fromContainer(std::move(simplest)), rc::shrink::towards<std::int64_t>(extent, 0));
}

/// Draws an index below `count` and returns `choose(index)`. Shrinks to any lesser extent, whether or not `choose`
/// returns it.
template <class Choose>
std::int64_t draw_extent(std::int64_t count, Choose choose) {
  const auto chosen = [=](const rc::Random& random, int size) {
    const std::int64_t extent = choose(rc::gen::inRange<std::int64_t>(0, count)(random, size).value());
    return rc::shrinkable::shrinkRecur(extent, &simpler_extents);
  };
  return *rc::gen::resize(rc::kNominalSize, rc::Gen<std::int64_t>(chosen));
}

/// Three in four extents are edges.
std::int64_t draw_extent_at_edges(std::int64_t tile, std::int64_t limit) {
  const Extents edges = edge_extents(tile, limit);
  const auto count = static_cast<std::int64_t>(edges.size());
  return draw_extent(4 * count * (limit + 1), [=](std::int64_t pick) {
    const std::int64_t rest = pick / 4;
    return pick % 4 != 3 ? edges[static_cast<std::size_t>(rest % count)] : rest / count;
  });
}

/// Shapes of several tiles in one dimension and one element in the others.
std::vector<Extents> several_tiles(const Extents& tile) {
  std::vector<Extents> shapes;
  for (std::size_t i = 0; i < tile.size(); ++i)
    for (const std::int64_t tiles : {2, 3, 5})
      for (const std::int64_t beside : {-1, 0, 1}) {
        shapes.emplace_back(tile.size(), 1);
        shapes.back()[i] = tiles * tile[i] + beside;
      }
  return shapes;
}

}  // namespace

Shapes::Shapes(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem,
               double max_steps, double accesses_per_step)
    : pattern_(pattern),
      kernel_(kernel),
      params_(params),
      problem_(problem),
      max_steps_(max_steps),
      accesses_per_step_(accesses_per_step),
      tile_(kernel.tile(params)),
      edges_(kernel.edges(params, problem)),
      capped_{.reach = max_steps * kReach} {
  const auto is_within = [&](const Extents& shape) {
    const double steps = steps_of(shape);
    if (steps > capped_.reach)
      capped_.add({.reach = capped_.reach, .least = shape, .least_steps = steps, .greatest_steps = steps});
    return steps <= capped_.reach;
  };
  Extents around = tile_;
  for (std::int64_t& extent : around) ++extent;
  if (is_within(around)) around_tile_ = steps_of(around);
  std::vector<Extents> several = several_tiles(tile_);
  const bool has_own = !edges_.empty();
  for (std::vector<Extents>* const shapes : {&several, &edges_})
    std::erase_if(*shapes, [&](const Extents& shape) { return !is_within(shape); });
  if (!has_own) edges_ = std::move(several);
}

/// The work of a shape; an extent of 0 counts as 1. Not less than the pattern's own: each element of a buffer is filled
/// and compared, although a kernel whose launch does not grow may access few of them.
double Shapes::steps_of(const Extents& shape) const {
  Problem problem = problem_;
  problem.shape = shape;
  for (std::int64_t& extent : problem.shape) extent = std::max<std::int64_t>(extent, 1);
  return std::max(most_steps_of(pattern_, kernel_, params_, problem) * accesses_per_step_,
                  pattern_.work(problem).steps);
}

/// The largest extent of that dimension with at most this much work.
std::int64_t Shapes::largest(double most_steps, Extents shape, std::size_t dimension) const {
  std::int64_t low = 1;
  auto high = static_cast<std::int64_t>(most_steps) + 1;
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    shape[dimension] = middle;
    (steps_of(shape) <= most_steps ? low : high) = middle;
  }
  return low;
}

Shapes::Extents Shapes::of_tiles(double most_steps) const {
  const auto shape_of = [&](double tiles) {
    Extents shape = tile_;
    for (std::int64_t& extent : shape)
      extent = std::max<std::int64_t>(std::llround(tiles * static_cast<double>(extent)), 1);
    return shape;
  };
  constexpr double kLeast = 1.0 / 4096, kExact = 64;
  double few = kLeast;
  while (few < most_steps && steps_of(shape_of(2 * few)) <= most_steps) few *= 2;
  double many = 2 * few;
  while (many - few > few / kExact) {
    const double middle = (few + many) / 2;
    (steps_of(shape_of(middle)) <= most_steps ? few : many) = middle;
  }
  return shape_of(few);
}

std::vector<std::int64_t> Shapes::draw(bool is_larger) const {
  const double limit = std::max(max_steps_ * (is_larger ? kLarger : 1), around_tile_);
  if (!edges_.empty() && draw_below(8) == 7) return edges_[draw_below(edges_.size())];
  Extents shape(tile_.size(), 1);
  for (std::size_t i = 0; i < tile_.size(); ++i) shape[i] = draw_extent_at_edges(tile_[i], largest(limit, shape, i));
  // Above, the first dimension could be the long one; half of the time it is exchanged with the last.
  if (shape.size() > 1 && draw_below(2) == 1) {
    std::swap(shape.front(), shape.back());
    if (steps_of(shape) > limit) std::swap(shape.front(), shape.back());
  }
  if (shape.size() > 1 && draw_below(8) == 7) relate(shape, limit);
  return shape;
}

/// Makes one extent equal to another one, to half of it, or to twice as much.
void Shapes::relate(Extents& shape, double limit) const {
  const std::size_t of = draw_below(shape.size());
  const std::size_t to = (of + 1 + draw_below(shape.size() - 1)) % shape.size();
  const std::size_t ratio = draw_below<std::size_t>(3);
  const auto related = [&](std::int64_t extent) {
    Extents made = shape;
    made[to] = extent;
    made[of] = std::array{extent, extent / 2, extent * 2}.at(ratio);
    return made;
  };
  constexpr std::int64_t kMost = 1 << 20;
  std::int64_t most = 1;
  while (most < kMost && steps_of(related(2 * most)) <= limit) most *= 2;
  shape = related(draw_extent_at_edges(tile_[to], most));
}

std::vector<std::int64_t> Shapes::draw(const Size& size, int refused) const {
  const bool in_tiles = refused % 2 == 1;
  const double most = max_steps_ * kLargest / (1 << (refused / 4));
  const auto near = [&](std::int64_t extent, std::size_t dimension) {
    const std::int64_t step = in_tiles ? std::min(tile_[dimension], extent) : 1;
    return draw_extent(extent / 4 + 1, [=](std::int64_t less) { return (extent - less) / step * step; });
  };
  Extents shape = in_tiles ? tile_ : Extents(tile_.size(), 1);
  if (size.kind == Size::Kind::largest) {
    shape = of_tiles(most);
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = near(shape[i], i);
  } else if (size.kind == Size::Kind::traced && steps_of(pattern_.trace_shape) <= max_steps_ * kLongReach) {
    shape = draw_exactly(pattern_.trace_shape);
  } else if (size.kind == Size::Kind::traced || size.kind == Size::Kind::greatest_edge) {
    if (edges_.empty()) return Extents(tile_.size(), 1);
    shape = draw_exactly(*std::ranges::max_element(edges_, {}, [&](const Extents& edge) { return steps_of(edge); }));
  } else {
    const std::size_t i = size.dimension;
    const double larger = max_steps_ * kLarger;
    // Much longer than a block's tile.
    shape[i] = 4 * tile_[i];
    const bool is_enough = size.kind == Size::Kind::long_sum && steps_of(shape) <= larger;
    shape[i] = near(largest(is_enough ? larger : most, shape, i), i);
  }
  return shape;
}

std::vector<std::int64_t> Shapes::draw_blocks(const Size& size, int refused, const BlocksOf& blocks_of) const {
  const bool in_tiles = refused % 2 == 1;
  constexpr std::int64_t kMost = std::int64_t{1} << 26;
  for (std::size_t k = 0; k < tile_.size(); ++k) {
    const std::size_t i = (size.dimension + k) % tile_.size();
    Extents shape = in_tiles ? tile_ : Extents(tile_.size(), 1);
    // The least extent with more than so many blocks.
    const auto least_above = [&](double blocks) {
      const auto is_above = [&](std::int64_t extent) {
        shape[i] = extent;
        return blocks_of(shape) > blocks;
      };
      std::int64_t low = 0;
      std::int64_t high = 1;
      while (high < kMost && !is_above(high)) low = std::exchange(high, 2 * high);
      while (low + 1 < high) {
        const std::int64_t middle = low + (high - low) / 2;
        (is_above(middle) ? high : low) = middle;
      }
      return high;
    };
    const std::int64_t least = least_above(size.blocks - 1);
    const std::int64_t most = std::max(least_above(size.blocks) - 1, least);
    shape[i] = least;
    if (least >= kMost || steps_of(shape) > max_steps_ * kLongReach) continue;
    const std::int64_t step = in_tiles ? std::min(tile_[i], most) : 1;
    shape[i] = draw_extent(4 * (most - least + 1), [=](std::int64_t pick) {
      const std::int64_t extent = pick % 4 == 0 ? least : pick % 4 == 1 ? most : least + pick / 4;
      return std::max(extent / step * step, step);
    });
    return shape;
  }
  return draw(true);
}

std::vector<std::int64_t> draw_exactly(const std::vector<std::int64_t>& shape) {
  Extents drawn;
  for (const std::int64_t extent : shape) drawn.push_back(draw_extent(1, [extent](std::int64_t) { return extent; }));
  return drawn;
}

void CappedEdges::add(const CappedEdges& other) {
  reach = std::max(reach, other.reach);
  if (!other.any()) return;
  greatest_steps = std::max(greatest_steps, other.greatest_steps);
  if (any() && least_steps <= other.least_steps) return;
  least = other.least;
  least_steps = other.least_steps;
}

std::string describe(const CappedEdges& capped) {
  return fmt::format(
      "large edge cases left out, from shape {} ({:.0f} steps of work) up; --max-steps {:.0f} includes all of them",
      shape_text(capped.least), capped.least_steps, std::ceil(capped.greatest_steps / kReach));
}

std::vector<std::int64_t> edge_extents(std::int64_t tile, std::int64_t limit) {
  std::set<std::int64_t> extents{0, 1, 2, 3, 31, 32, 33, 97, 127, 128, 129, 255, 256, 257, 521, 1021, 2053, limit};
  for (const std::int64_t tiles : {1, 2, 3, 5})
    for (const std::int64_t beside : {-1, 0, 1}) extents.insert(tiles * tile + beside);
  std::vector<std::int64_t> kept;
  for (const std::int64_t extent : extents)
    if (extent >= 0 && extent <= limit) kept.push_back(extent);
  return kept;
}

}  // namespace warpwright::conformance

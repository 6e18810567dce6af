// Chooses points of a space that together have many pairs of values, or all values.
#include "conformance/properties/sample_points.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <utility>

namespace warpwright::conformance {
namespace {

/// The pairs of values of two axes, and the values of single axes, that were drawn.
class PairsOfValues {
 public:
  /// How many pairs of this point were not drawn yet.
  int missing(const Point& point) const {
    int count = 0;
    for_each(point, [&](const Pair& pair) { count += drawn_.contains(pair) ? 0 : 1; });
    return count;
  }
  void add(const Point& point) {
    for_each(point, [&](const Pair& pair) { drawn_.insert(pair); });
  }

 private:
  using Pair = std::tuple<std::size_t, std::int64_t, std::size_t, std::int64_t>;

  template <class F>
  static void for_each(const Point& point, const F& visit) {
    for (std::size_t one = 0; one < point.size(); ++one)
      for (std::size_t other = one; other < point.size(); ++other) visit(Pair{one, point[one], other, point[other]});
  }

  std::set<Pair> drawn_;
};

/// Number of random candidates from which each next point is chosen.
constexpr std::size_t kCandidates = 64;

}  // namespace

std::vector<Point> sample_points(const Kernel& kernel, const Surroundings& surroundings, std::size_t count,
                                 std::uint64_t seed) {
  std::vector<Point> points = kernel.space.points(surroundings);
  std::erase(points, kernel.default_point);
  if (count == 0 || count > points.size()) {
    points.insert(points.begin(), kernel.default_point);
    return points;
  }
  std::ranges::shuffle(points, std::mt19937_64(seed));
  std::vector<Point> drawn{kernel.default_point};
  PairsOfValues pairs;
  pairs.add(drawn.front());
  while (drawn.size() < count) {
    std::size_t best = 0;
    int most = -1;
    for (std::size_t i = 0; i < std::min(points.size(), kCandidates); ++i)
      if (const int missing = pairs.missing(points[i]); missing > most) best = i, most = missing;
    pairs.add(points[best]);
    drawn.push_back(std::move(points[best]));
    std::swap(points[best], points.back());
    points.pop_back();
  }
  return drawn;
}

std::vector<Point> covering_points(const Kernel& kernel, const Surroundings& surroundings) {
  const std::vector<Point> points = kernel.space.points(surroundings);
  std::set<std::pair<std::size_t, std::int64_t>> seen;
  const auto news = [&](const Point& point) {
    int count = 0;
    for (std::size_t axis = 0; axis < point.size(); ++axis) count += seen.contains({axis, point[axis]}) ? 0 : 1;
    return count;
  };
  std::vector<Point> chosen;
  while (true) {
    const auto best = std::ranges::max_element(points, {}, news);
    if (best == points.end() || news(*best) == 0) return chosen;
    for (std::size_t axis = 0; axis < best->size(); ++axis) seen.insert({axis, (*best)[axis]});
    chosen.push_back(*best);
  }
}

}  // namespace warpwright::conformance

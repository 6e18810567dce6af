// Finds points by coordinates, and draws from the points not yet asked for.
#include "tuner/search/search_support.hpp"

#include <numeric>

namespace warpwright::tuner {

PointIndex::PointIndex(const SearchSpace& space) : space_(space) {
  for (std::size_t p = 0; p < space.points.size(); ++p) index_.emplace(space.points[p], p);
}

std::size_t PointIndex::find(const std::vector<int>& coordinates) const {
  const auto found = index_.find(coordinates);
  return found == index_.end() ? none : found->second;
}

std::vector<std::size_t> PointIndex::neighbours(std::size_t point) const {
  std::vector<std::size_t> result;
  std::vector<int> coordinates = space_.points[point];
  for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
    const int own = coordinates[axis];
    for (coordinates[axis] = 0; coordinates[axis] < space_.axis_sizes[axis]; ++coordinates[axis]) {
      if (coordinates[axis] == own) continue;
      if (const std::size_t neighbour = find(coordinates); neighbour != none) result.push_back(neighbour);
    }
    coordinates[axis] = own;
  }
  return result;
}

FreshPool::FreshPool(std::size_t points) : pool_(points) {
  std::iota(pool_.begin(), pool_.end(), std::size_t{0});
}

}  // namespace warpwright::tuner

// Computes neighbours of all pairs of bodies in integers.
#include "kernels/neighbor/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/model/elements.hpp"
#include "kernels/neighbor/geometry.hpp"
#include "kernels/neighbor/reference.cuh"
#include "kernels/runtime/storage.hpp"

namespace warpwright::neighbor {

std::vector<int> Bodies::neighbors_of(std::size_t body) const {
  std::vector<int> found;
  for (std::size_t other = 0; other < at.size(); ++other) {
    std::int64_t squared = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::int64_t apart = std::abs(at[body][axis] - at[other][axis]);
      if (periodic) apart = std::min(apart, side - apart);
      squared += apart * apart;
    }
    if (other != body && squared < cutoff * cutoff) found.push_back(static_cast<int>(other));
  }
  return found;
}

Bodies bodies_of(const Problem& problem, const Bytes& positions) {
  const auto count = static_cast<std::size_t>(problem.shape[0]);
  Bodies bodies{.at = std::vector<std::array<std::int64_t, 3>>(count),
                .side = side_of(problem),
                .cutoff = cutoff_of(problem),
                .periodic = problem.option("boundary") == "periodic"};
  with_type_of<float, double>(problem.type(), [&]<class T>(T coordinate) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dim_of(problem)); ++axis)
      for (std::size_t body = 0; body < count; ++body) {
        std::memcpy(&coordinate, &positions[(axis * count + body) * sizeof coordinate], sizeof coordinate);
        bodies.at[body][axis] = std::llround(coordinate * steps_per_angstrom);
      }
  });
  return bodies;
}

Bytes positions_of_bodies(const Problem& problem, const Bodies& bodies) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    std::vector<T> positions;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dim_of(problem)); ++axis)
      for (const auto& at : bodies.at) positions.push_back(static_cast<T>(at[axis]) / steps_per_angstrom);
    return bytes_of(positions);
  });
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const Bodies bodies = bodies_of(problem, inputs[0]);
  const auto capacity = static_cast<std::size_t>(problem.integer("capacity"));
  std::vector<int> rows;
  std::vector<int> length;
  int excess = 0;
  for (std::size_t body = 0; body < bodies.at.size(); ++body) {
    std::vector<int> row = bodies.neighbors_of(body);
    length.push_back(static_cast<int>(row.size()));
    if (row.size() > capacity) {
      excess = std::max(excess, length.back());
      row.assign(capacity, row_overflows);
    }
    row.resize(capacity, no_neighbor);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return {{.buffer = "rows", .values = bytes_of(rows)},
          {.buffer = "length", .values = bytes_of(length)},
          {.buffer = "excess", .values = bytes_of(std::vector<int>{excess})},
          {.buffer = "bad", .values = bytes_of(std::vector<int>{0})}};
}

}  // namespace warpwright::neighbor

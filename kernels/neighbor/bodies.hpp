// The oracle: bodies on the CPU with integer coordinates, all pairs, no rounding.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::neighbor {

struct Bodies {
  std::vector<std::array<std::int64_t, 3>> at;  ///< in grid steps; z is 0 in two dimensions
  std::int64_t side = 0;                        ///< in grid steps
  std::int64_t cutoff = 0;                      ///< in grid steps
  bool periodic = false;

  /// The neighbours of a body, in ascending order.
  std::vector<int> neighbors_of(std::size_t body) const;
};

/// Converts the problem's input buffer.
Bodies bodies_of(const Problem& problem, const Bytes& positions);

/// The inverse.
Bytes positions_of_bodies(const Problem& problem, const Bodies& bodies);

/// The expected observation: rows (ascending, then -1; all -2 if the row overflowed), length, excess, bad.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

}  // namespace warpwright::neighbor

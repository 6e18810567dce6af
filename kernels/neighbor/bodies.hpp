// Bodies as the CPU sees them: whole steps of the grid, all pairs, no rounding anywhere; and the oracle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::neighbor {

struct Bodies {
  std::vector<std::array<std::int64_t, 3>> at;  ///< steps of the grid; z is 0 in two dimensions
  std::int64_t side = 0;                        ///< steps
  std::int64_t cutoff = 0;                      ///< steps
  bool periodic = false;

  /// Ascending.
  std::vector<int> neighbors_of(std::size_t body) const;
};

/// `positions` is the problem's in buffer.
Bodies bodies_of(const Problem& problem, const Bytes& positions);

/// The inverse.
Bytes positions_of_bodies(const Problem& problem, const Bodies& bodies);

/// What the observation should hold: rows (ascending, then -1; -2 all along where a row overflows), length, excess,
/// bad.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

}  // namespace warpwright::neighbor

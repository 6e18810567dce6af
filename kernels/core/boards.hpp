// The table of known boards: peaks as their vendor publishes them, and where they were published.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/device.hpp"

namespace warpwright {

/// A board of the table: peaks as its vendor publishes them, and where they were published.
struct Board {
  Device device;
  std::string source;
};

/// All boards, by compute capability; the first of each is its default.
const std::vector<Board>& boards();

/// The boards of a compute capability (major * 10 + minor), the default first. Empty for an unknown one.
std::vector<Board> boards_of(int compute_capability);

/// Throws std::invalid_argument, listing the supported architectures, for an unknown compute capability.
const Board& default_board(int compute_capability);

/// The board of that name, case and "NVIDIA " ignored: the whole name, else the only name that contains it.
/// Throws std::invalid_argument that lists the matches (several) or the boards (none). `compute_capability` 0
/// looks at all boards.
const Board& find_board(std::string_view name, int compute_capability = 0);

/// Names of boards differ in what vendors put before them: "NVIDIA GeForce RTX 2070" is "rtx2070", as "RTX 2070" is.
std::string bare_model(std::string_view model);

}  // namespace warpwright

// The table of known boards (GPU models): their peak rates as the vendor publishes them, and the documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/device.hpp"

namespace warpwright {

/// One board of the table: peak rates as its vendor publishes them, and the document that says so.
struct Board {
  Device device;
  std::string source;
};

/// All boards, by compute capability. The first board of each one is its default.
const std::vector<Board>& boards();

/// Throws std::invalid_argument, listing the supported architectures, for an unknown compute capability.
const Board& default_board(int compute_capability);

/// The board with that name. Upper and lower case are the same, and "NVIDIA " is ignored. If no board has the name, it
/// is the only board whose name contains it, or the one that has the name without what vendors put before it. Throws
/// std::invalid_argument with the matches if there are several, or with all boards if there are none.
/// `compute_capability` 0 means any.
const Board& find_board(std::string_view name, int compute_capability = 0);

/// A board's name without what vendors put before it: "NVIDIA GeForce RTX 2070" and "RTX 2070" both give "rtx2070".
std::string bare_model(std::string_view model);

/// How far from each other two boards with these bandwidths per SM (in GB/s) are: 1, and 1 more for each doubling; so
/// no other board is as near as the same one, at 0. The largest number if one of them is not known.
double distance_in_bandwidth(std::optional<double> one, std::optional<double> other);

}  // namespace warpwright

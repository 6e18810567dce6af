// Host-side part shared by kernels that look back over tiles (kernels/block/look_back.cuh).
#pragma once

#include <cstdint>
#include <vector>

namespace warpwright {

/// Lengths at which a look-back with windows of this many tiles is likely to fail: the window of the last tile is full,
/// one short, or one over; and four windows of tiles.
inline std::vector<std::vector<std::int64_t>> look_back_edges(std::int64_t tile, std::int64_t window) {
  return {{(window + 1) * tile}, {window * tile}, {(window + 1) * tile + 1}, {(4 * window + 1) * tile}};
}

}  // namespace warpwright

// A tensor map: a matrix or tensor in global memory, and the boxes of it that bulk copies move to and from shared
// memory.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warpwright {

/// A dimension of a tensor beyond rows and columns.
struct TensorLayers {
  std::int64_t count = 1, pitch = 0;  ///< the elements from one to the next
  int box = 1;                        ///< how many a box has
  bool operator==(const TensorLayers&) const = default;
};

/// The parameters of a tensor map of one to five dimensions, in the terms of CUDA's driver API
/// (cuTensorMapEncodeTiled). Elements outside the tensor are read as zeros, and not written. One of a single dimension
/// has no rows: `rows`, `pitch` and `box_rows` are 0.
struct TensorMap {
  int element_bytes = 4;                 ///< 1, 2, 4 or 8
  std::int64_t columns = 0, rows = 0;    ///< of the matrix; neighbours in memory are columns of a row
  std::int64_t pitch = 0;                ///< elements from a row to the next
  int box_columns = 0, box_rows = 0;     ///< at most 256 each
  int swizzle = 0;                       ///< bytes of a row in shared memory: 32, 64 or 128; 0: rows are not swizzled
  std::vector<TensorLayers> outer = {};  ///< up to three further dimensions

  int dimensions() const { return rows == 0 ? 1 : 2 + static_cast<int>(outer.size()); }
  /// From the first element to the last one.
  std::int64_t bytes() const;
  std::int64_t box_bytes() const;
  bool operator==(const TensorMap&) const = default;
};

/// What is wrong with it on every GPU; empty if nothing is. Source of the limits: CUDA driver API, "Tensor Map Object
/// Management". Besides, rows that are shorter than their swizzle are refused: on an H200 they leave gaps in shared
/// memory.
std::string fault_of(const TensorMap& map);

void to_json(nlohmann::json& json, const TensorMap& map);
/// Throws nlohmann::json::exception.
void from_json(const nlohmann::json& json, TensorMap& map);

/// "boxes of 64x128 in 4096x1000 of 2 B, pitch 4096, swizzle 128 B": columns come first. Further dimensions follow:
/// "boxes of 64x8x4 in 96x20x7 of 2 B, pitch 96, 1920".
std::string describe(const TensorMap& map);

}  // namespace warpwright

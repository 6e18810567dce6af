// Stands in for the kernel that the header names: its params as they were.
#pragma once

namespace warpwright::transpose {

enum class tile_order { along_rows, along_columns };

struct tiled_params {
  int tile_dim = 32;
  int coarsening = 4;
  int bank_pad = 1;
  bool read_only = false;
  tile_order order = tile_order::along_rows;
  bool operator==(const tiled_params&) const = default;
};

}  // namespace warpwright::transpose

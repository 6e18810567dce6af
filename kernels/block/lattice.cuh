// Sites of the face-centred cubic lattice, where bodies start.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::block {

/// The coordinate of a site along an axis, in half edges of a cell. Cells are numbered along x first, `cells` in each
/// direction; each has four sites, or two in two dimensions.
__host__ __device__ constexpr long long fcc_site(long long site, int axis, int dim, long long cells) {
  const int in_cell = dim == 3 ? 4 : 2;
  const int basis = static_cast<int>(site % in_cell);
  long long cell = site / in_cell;
  for (int i = 0; i < axis; ++i) cell /= cells;
  const bool is_moved = dim == 3 ? basis != 0 && axis != 3 - basis : basis == 1;
  return cell % cells * 2 + (is_moved ? 1 : 0);
}

}  // namespace warpwright::block

// Which bin a key belongs to, as an argument of kernels.
#pragma once

#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::block {

/// Integer keys: bin k counts the keys equal to k. Floats: `bins` ranges of equal width divide [0, 1), and bin k counts
/// the keys whose product with `bins`, rounded once, has the integer part k. Keys outside, and NaN, are in no bin.
/// Total: every possible key has a bin, so nothing is compared.
template <class Key, bool Total>
struct binning {
  unsigned bins;

  /// The key's bin; `bins` or more if it has none.
  __host__ __device__ unsigned of(Key key) const {
    if constexpr (Key(0.5) > Key(0))
      return key >= Key(0) && key < Key(1) ? static_cast<unsigned>(key * static_cast<Key>(bins)) : bins;
    else
      return static_cast<unsigned>(key);
  }
  __host__ __device__ bool has(unsigned bin) const { return Total || bin < bins; }
};

}  // namespace warpwright::block

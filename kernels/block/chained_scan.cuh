// Prefixes of tiles that are passed on from neighbour to neighbour.
#pragma once

#include "kernels/block/look_back.cuh"

namespace warpwright::block {

/// Waits for the prefix of the tile before, combines it with the tile's own aggregate and passes that on. Called by one
/// thread of each of `tiles` blocks. Only the next tile reads a descriptor, and it sets it back to zero for the next
/// launch.
template <class Op, template <class> class Descriptor, class T>
__device__ __forceinline__ T chained_prefix(unsigned long long* descriptors, long long tile, long long tiles,
                                            T aggregate) {
  T before = Op::template identity<T>();
  if (tile > 0) {
    before = detail::known<Descriptor<T>>(descriptors, tile - 1).value;
    Descriptor<T>::publish(descriptors, tile - 1, tile_state::unknown, T(0));
  }
  if (tile + 1 != tiles) Descriptor<T>::publish(descriptors, tile, tile_state::prefix, Op::combine(before, aggregate));
  return before;
}

}  // namespace warpwright::block

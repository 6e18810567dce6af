// Decoupled look-back: finds the prefix of each tile in a single pass over the data, with one tile per block. Source:
// D. Merrill, M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA NVR-2016-002.
//
// Every tile has a descriptor with a state and a value, all zero at first. State and value share 64-bit words, so
// relaxed accesses suffice: a reader of the state also sees the value, and no other data depend on it. A ticket assigns
// tiles in the order in which blocks start, so a tile waits only for tiles whose blocks already run.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// What the value of a descriptor is.
enum class tile_state : unsigned {
  unknown = 0,
  aggregate = 1,  ///< the combination of the tile's own elements
  prefix = 2      ///< of all elements up to the end of the tile
};

/// What sets the descriptors of a grid to zero for the next run.
enum class restore {
  memset,     ///< a step of the plan before the launch
  last_block  ///< the block that finishes last
};

/// The state and value of a descriptor.
template <class T>
struct tile_descriptor {
  tile_state state;
  T value;
};

__device__ __forceinline__ tile_state state_of(unsigned long long word) {
  return static_cast<tile_state>(word & 3);
}

/// State and value in one word. T has 4 bytes, or is a 64-bit integer from -2^61 to 2^61 - 1.
template <class T>
struct short_descriptor {
  static constexpr int words = 1;

  static __device__ __forceinline__ void publish(unsigned long long* descriptors, long long tile, tile_state state,
                                                 T value) {
    if constexpr (sizeof(T) == 4)
      store_relaxed(descriptors + tile, static_cast<unsigned long long>(__builtin_bit_cast(unsigned, value)) << 32 |
                                            static_cast<unsigned>(state));
    else
      store_relaxed(descriptors + tile, static_cast<unsigned long long>(value) << 2 | static_cast<unsigned>(state));
  }

  static __device__ __forceinline__ tile_descriptor<T> read(const unsigned long long* descriptors, long long tile) {
    const unsigned long long word = load_relaxed(descriptors + tile);
    if constexpr (sizeof(T) == 4)
      return {state_of(word), __builtin_bit_cast(T, static_cast<unsigned>(word >> 32))};
    else
      return {state_of(word), static_cast<T>(static_cast<long long>(word) >> 2)};
  }
};

/// The tile of the calling block: each of 0, 1, 2, ... goes to one block of the grid. *ticket is 0 before and after the
/// launch. Contains one barrier.
__device__ __forceinline__ long long next_tile(unsigned* ticket) {
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) drawn = atomicInc(ticket, gridDim.x - 1);
  __syncthreads();
  return drawn;
}

namespace detail {

/// Waits until the state of a tile is known.
template <class Descriptor>
__device__ __forceinline__ auto known(const unsigned long long* descriptors, long long tile) {
  auto seen = Descriptor::read(descriptors, tile);
  while (seen.state == tile_state::unknown) seen = Descriptor::read(descriptors, tile);
  return seen;
}

/// Lane 0 gets the combination of the values of lanes Window - 1, ..., 1, 0, in this order.
template <class Op, int Window, class T>
__device__ __forceinline__ T combine_from_the_last(T value) {
#pragma unroll
  for (int delta = 1; delta != Window; delta *= 2)
    value = Op::combine(__shfl_down_sync(0xffffffffU, value, delta), value);
  return value;
}

/// One thread looks back, tile by tile.
template <class Op, class T, class Descriptor>
__device__ __forceinline__ T look_back_alone(const unsigned long long* descriptors, long long tile) {
  T before = Op::template identity<T>();
  for (long long at = tile - 1; at >= 0; --at) {
    const tile_descriptor<T> seen = known<Descriptor>(descriptors, at);
    before = Op::combine(seen.value, before);
    if (seen.state == tile_state::prefix) break;
  }
  return before;
}

/// A warp looks back over Window tiles at a time; lane 0 gets the result.
template <class Op, int Window, class T, class Descriptor>
__device__ __forceinline__ T look_back_together(const unsigned long long* descriptors, long long tile) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T before = Op::template identity<T>();
  for (long long nearest = tile - 1; nearest >= 0; nearest -= Window) {
    T value = Op::template identity<T>();
    bool is_prefix = false;
    if (lane < Window && nearest >= lane) {
      const tile_descriptor<T> seen = known<Descriptor>(descriptors, nearest - lane);
      value = seen.value;
      is_prefix = seen.state == tile_state::prefix;
    }
    const unsigned prefixes = __ballot_sync(0xffffffffU, is_prefix ? 1 : 0);
    // The nearest prefix includes all tiles before it.
    if (prefixes != 0 && lane >= __ffs(static_cast<int>(prefixes))) value = Op::template identity<T>();
    before = Op::combine(combine_from_the_last<Op, Window>(value), before);
    if (prefixes != 0) break;
  }
  return before;
}

}  // namespace detail

/// Publishes a tile's aggregate, looks back for the combination of all tiles before it, and publishes the tile's
/// prefix. Called by one whole warp of the tile's block; its lane 0 passes the aggregate and gets the combination.
/// Window: how many tiles are read together, a power of two up to 32. The chain of combinations has one link per tile.
template <class Op, int Window, template <class> class Descriptor = short_descriptor, class T>
__device__ __forceinline__ T look_back(unsigned long long* descriptors, long long tile, T aggregate) {
  static_assert(Window >= 1 && Window <= 32 && (Window & (Window - 1)) == 0, "one thread looks back, or a warp");
  const bool is_first_lane = threadIdx.x % 32 == 0;
  if (is_first_lane) Descriptor<T>::publish(descriptors, tile, tile_state::aggregate, aggregate);
  T before = Op::template identity<T>();
  if constexpr (Window > 1)
    before = detail::look_back_together<Op, Window, T, Descriptor<T>>(descriptors, tile);
  else if (is_first_lane)
    before = detail::look_back_alone<Op, T, Descriptor<T>>(descriptors, tile);
  if (is_first_lane) Descriptor<T>::publish(descriptors, tile, tile_state::prefix, Op::combine(before, aggregate));
  return before;
}

/// Declares that the calling block will read no more descriptors; returns how many blocks of the grid declared so
/// before. Called by the warp that looked back, after a barrier; its lane 0 gets the number. *departed is 0 before and
/// after the launch.
__device__ __forceinline__ unsigned depart(unsigned* departed) {
  if (threadIdx.x % 32 != 0) return 0;
  __threadfence();
  return atomicInc(departed, gridDim.x - 1);
}

/// If all other blocks had departed before, the same warp sets this many words of descriptors to zero for the next
/// launch.
__device__ __forceinline__ void zero_behind_last(unsigned departed_before, unsigned long long* descriptors,
                                                 long long words) {
  if (__any_sync(0xffffffffU, departed_before == gridDim.x - 1 ? 1 : 0) == 0) return;
  __threadfence();
  __syncwarp();
  for (long long i = threadIdx.x % 32; i < words; i += 32) descriptors[i] = 0;
}

/// The same if every block has one tile with a descriptor of one word.
__device__ __forceinline__ void zero_behind_last(unsigned departed_before, unsigned long long* descriptors) {
  zero_behind_last(departed_before, descriptors, gridDim.x);
}

}  // namespace warpwright::block

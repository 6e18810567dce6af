// Decoupled look-back: the prefix of a tile in a grid of which every block handles one, in a single pass over the data.
// Source: D. Merrill, M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA NVR-2016-002.
//
// Every tile has a descriptor, all zero at first: what is known of the tile, and a value. State and value share words
// of 64 bits, so relaxed accesses suffice: whoever sees the state sees the value, and no other data hang on it. Tiles
// are handed out by a ticket, in the order in which blocks start: a tile waits only for tiles whose blocks run.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// What a descriptor's value is.
enum class tile_state : unsigned {
  unknown = 0,
  aggregate = 1,  ///< the combination of the tile's own elements
  prefix = 2      ///< of all elements up to the end of the tile
};

/// What makes the descriptors of a grid zero for the next run.
enum class restore {
  memset,     ///< a step of the plan in front of the launch
  last_block  ///< the block that finishes last
};

/// What a descriptor says.
template <class T>
struct tile_knowledge {
  tile_state state;
  T value;
};

__device__ __forceinline__ tile_state state_of(unsigned long long word) {
  return static_cast<tile_state>(word & 3);
}

/// State and value in one word. T has 4 bytes, or is a 64-bit integer between -2^61 and 2^61 - 1.
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

  static __device__ __forceinline__ tile_knowledge<T> read(const unsigned long long* descriptors, long long tile) {
    const unsigned long long word = load_relaxed(descriptors + tile);
    if constexpr (sizeof(T) == 4)
      return {state_of(word), __builtin_bit_cast(T, static_cast<unsigned>(word >> 32))};
    else
      return {state_of(word), static_cast<T>(static_cast<long long>(word) >> 2)};
  }
};

/// The tile that the calling block handles: each of 0, 1, 2, ... goes to one block of the grid. *ticket is 0 before the
/// launch and after it. Contains one barrier.
__device__ __forceinline__ long long next_tile(unsigned* ticket) {
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) drawn = atomicInc(ticket, gridDim.x - 1);
  __syncthreads();
  return drawn;
}

namespace detail {

/// Waits until something is known of a tile.
template <class Descriptor>
__device__ __forceinline__ auto known(const unsigned long long* descriptors, long long tile) {
  auto seen = Descriptor::read(descriptors, tile);
  while (seen.state == tile_state::unknown) seen = Descriptor::read(descriptors, tile);
  return seen;
}

/// Lane 0 gets the combination of the values of the first Window lanes, the highest lane's first.
template <class Op, int Window, class T>
__device__ __forceinline__ T combine_from_the_last(T value) {
#pragma unroll
  for (int delta = 1; delta != Window; delta *= 2)
    value = Op::combine(__shfl_down_sync(0xffffffffU, value, delta), value);
  return value;
}

/// One thread goes back tile by tile.
template <class Op, class T, class Descriptor>
__device__ __forceinline__ T look_back_alone(const unsigned long long* descriptors, long long tile) {
  T before = Op::template identity<T>();
  for (long long at = tile - 1; at >= 0; --at) {
    const tile_knowledge<T> seen = known<Descriptor>(descriptors, at);
    before = Op::combine(seen.value, before);
    if (seen.state == tile_state::prefix) break;
  }
  return before;
}

/// A warp goes back Window tiles at a time; lane 0 gets the result.
template <class Op, int Window, class T, class Descriptor>
__device__ __forceinline__ T look_back_together(const unsigned long long* descriptors, long long tile) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T before = Op::template identity<T>();
  for (long long nearest = tile - 1; nearest >= 0; nearest -= Window) {
    T value = Op::template identity<T>();
    bool is_prefix = false;
    if (lane < Window && nearest >= lane) {
      const tile_knowledge<T> seen = known<Descriptor>(descriptors, nearest - lane);
      value = seen.value;
      is_prefix = seen.state == tile_state::prefix;
    }
    const unsigned prefixes = __ballot_sync(0xffffffffU, is_prefix ? 1 : 0);
    // What lies before the nearest prefix is part of it.
    if (prefixes != 0 && lane >= __ffs(static_cast<int>(prefixes))) value = Op::template identity<T>();
    before = Op::combine(combine_from_the_last<Op, Window>(value), before);
    if (prefixes != 0) break;
  }
  return before;
}

}  // namespace detail

/// Publishes a tile's aggregate, looks back for the combination of all tiles before it, and publishes what that makes
/// with the aggregate. Called by one whole warp of the tile's block; its lane 0 gives the aggregate and gets the
/// combination. Window: how many tiles are looked at together, a power of two up to 32. The chain of combinations has
/// one link for every tile.
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

/// Says that the calling block will read no descriptor any more; how many blocks of the grid have said so before.
/// Called by the warp that looked back, behind a barrier; its lane 0 gets the number. *departed is 0 before the launch
/// and after it.
__device__ __forceinline__ unsigned depart(unsigned* departed) {
  if (threadIdx.x % 32 != 0) return 0;
  __threadfence();
  return atomicInc(departed, gridDim.x - 1);
}

/// Where all other blocks had departed before, the same warp sets so many words of descriptors to zero, so that the
/// next launch finds what this one found.
__device__ __forceinline__ void zero_behind_last(unsigned departed_before, unsigned long long* descriptors,
                                                 long long words) {
  if (__any_sync(0xffffffffU, departed_before == gridDim.x - 1 ? 1 : 0) == 0) return;
  __threadfence();
  __syncwarp();
  for (long long i = threadIdx.x % 32; i < words; i += 32) descriptors[i] = 0;
}

/// The same where every block has a tile, with a descriptor of one word.
__device__ __forceinline__ void zero_behind_last(unsigned departed_before, unsigned long long* descriptors) {
  zero_behind_last(departed_before, descriptors, gridDim.x);
}

}  // namespace warpwright::block

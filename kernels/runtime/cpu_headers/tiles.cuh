// CUDA's groups of lanes in the simulator: tiles of a block, coalesced groups, and their partitions.
#pragma once

#include "kernels/runtime/cpu_headers/groups.cuh"

namespace cooperative_groups {

namespace details {

/// The lane with that rank among the lanes of the mask.
WARPWRIGHT_UNSEEN inline int lane_of(unsigned mask, unsigned rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return __builtin_ctz(mask);
}

/// The lane's value, of any size, in pieces of 8 bytes.
template <class T>
WARPWRIGHT_UNSEEN T exchange(unsigned mask, T value, int from, const void* site) {
  constexpr unsigned piece = 8;
  T given = value;
  for (unsigned at = 0; at < sizeof(T); at += piece) {
    const unsigned bytes = sizeof(T) - at < piece ? static_cast<unsigned>(sizeof(T)) - at : piece;
    unsigned long long bits = 0;
    (__builtin_memcpy)(&bits, reinterpret_cast<const char*>(&value) + at, bytes);
    bits = simulator::runtime->warp({simulator::WarpOperation::shuffle, mask, from, 32}, bits, site);
    (__builtin_memcpy)(reinterpret_cast<char*>(&given) + at, &bits, bytes);
  }
  return given;
}

/// Bit i of the result is the bit of the lane with rank i.
WARPWRIGHT_UNSEEN inline unsigned by_rank(unsigned mask, unsigned lanes) {
  unsigned ranks = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank) ranks |= (lanes >> __builtin_ctz(mask) & 1u) << rank;
  return ranks;
}

/// The value as bits, for comparing lanes; at most 8 bytes.
template <class T>
WARPWRIGHT_UNSEEN unsigned long long bits_of(T value) {
  static_assert(sizeof(T) <= 8, "lanes compare values of 8 bytes at most");
  unsigned long long bits = 0;
  (__builtin_memcpy)(&bits, &value, sizeof(T));
  return bits;
}

/// A group of lanes in one warp, given by a mask.
class lanes_group : public thread_group {
 public:
  WARPWRIGHT_UNSEEN void sync() const {
    wait_for(Kind::lanes, simulated_mask(), __builtin_return_address(0), __builtin_frame_address(0));
  }
  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(simulated_mask())); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return static_cast<unsigned>(__builtin_popcount(simulated_mask() & ((1u << lane()) - 1)));
  }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

  template <class T>
  WARPWRIGHT_UNSEEN T shfl(T value, unsigned rank) const {
    return exchange(simulated_mask(), value, lane_of(simulated_mask(), rank % size()), __builtin_return_address(0));
  }
  /// A thread beyond the first or last rank gets its own value.
  template <class T>
  WARPWRIGHT_UNSEEN T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return exchange(simulated_mask(), value, lane_of(simulated_mask(), delta <= rank ? rank - delta : rank),
                    __builtin_return_address(0));
  }
  template <class T>
  WARPWRIGHT_UNSEEN T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return exchange(simulated_mask(), value, lane_of(simulated_mask(), rank + delta < size() ? rank + delta : rank),
                    __builtin_return_address(0));
  }
  template <class T>
  WARPWRIGHT_UNSEEN T shfl_xor(T value, unsigned bits) const {
    const unsigned rank = thread_rank();
    const unsigned other = (rank ^ bits) < size() ? rank ^ bits : rank;
    return exchange(simulated_mask(), value, lane_of(simulated_mask(), other), __builtin_return_address(0));
  }

  WARPWRIGHT_UNSEEN int any(int predicate) const {
    return static_cast<int>(vote(simulator::WarpOperation::any, predicate != 0 ? 1u : 0u, __builtin_return_address(0)));
  }
  WARPWRIGHT_UNSEEN int all(int predicate) const {
    return static_cast<int>(vote(simulator::WarpOperation::all, predicate != 0 ? 1u : 0u, __builtin_return_address(0)));
  }
  /// Bit i belongs to the thread with rank i.
  WARPWRIGHT_UNSEEN unsigned ballot(int predicate) const {
    const auto lanes = vote(simulator::WarpOperation::ballot, predicate != 0 ? 1u : 0u, __builtin_return_address(0));
    return by_rank(simulated_mask(), static_cast<unsigned>(lanes));
  }
  template <class T>
  WARPWRIGHT_UNSEEN unsigned match_any(T value) const {
    const auto lanes = vote(simulator::WarpOperation::match_any, bits_of(value), __builtin_return_address(0));
    return by_rank(simulated_mask(), static_cast<unsigned>(lanes));
  }
  template <class T>
  WARPWRIGHT_UNSEEN unsigned match_all(T value, int& are_same) const {
    const auto lanes = vote(simulator::WarpOperation::match_all, bits_of(value), __builtin_return_address(0));
    are_same = lanes != 0 ? 1 : 0;
    return by_rank(simulated_mask(), static_cast<unsigned>(lanes));
  }

  /// Only for functions of this library: a warp operation on the values of the group's lanes.
  WARPWRIGHT_UNSEEN unsigned long long vote(simulator::WarpOperation operation, unsigned long long value,
                                            const void* site) const {
    return simulator::runtime->warp({operation, simulated_mask(), 0, 32}, value, site);
  }

 protected:
  explicit lanes_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(Kind::lanes, mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

 private:
  unsigned meta_rank_, meta_size_;
};

/// The lanes of the caller's part, if the lanes of the mask are divided into parts of that size.
WARPWRIGHT_UNSEEN inline unsigned part_of(unsigned mask, unsigned size) {
  const auto rank = static_cast<unsigned>(__builtin_popcount(mask & ((1u << lane()) - 1)));
  unsigned part = 0;
  const auto lanes = static_cast<unsigned>(__builtin_popcount(mask));
  for (unsigned i = rank / size * size; i < rank / size * size + size && i < lanes; ++i) part |= 1u << lane_of(mask, i);
  return part;
}

template <class Group>
WARPWRIGHT_UNSEEN unsigned lanes_in(const Group& group) {
  return group.simulated_kind() == Kind::lanes ? group.simulated_mask() : 0xffffffffu;
}

}  // namespace details

/// Lanes that were together when the group was made, or that a partition chose. The GPU decides which lanes run in
/// step. Here every thread is alone, the least that a program may rely on.
class coalesced_group : public details::lanes_group {
 public:
  explicit coalesced_group(unsigned lanes, unsigned meta_rank = 0, unsigned meta_size = 1)
      : lanes_group(lanes, meta_rank, meta_size) {}
};

WARPWRIGHT_UNSEEN inline coalesced_group coalesced_threads() {
  return coalesced_group(details::simulator::runtime->active_mask());
}

/// Size consecutive threads of a block; Size is a power of two up to 32.
template <unsigned Size, class Parent = void>
class thread_block_tile : public details::lanes_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads here");

 public:
  thread_block_tile(unsigned lanes, unsigned meta_rank, unsigned meta_size)
      : lanes_group(lanes, meta_rank, meta_size) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& other)
      : lanes_group(other.simulated_mask(), other.meta_group_rank(), other.meta_group_size()) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
};

template <unsigned Size, class Parent>
WARPWRIGHT_UNSEEN thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  const auto rank = static_cast<unsigned>(parent.thread_rank());
  const auto parts = static_cast<unsigned>((parent.size() + Size - 1) / Size);
  return {details::part_of(details::lanes_in(parent), Size), rank / Size, parts};
}

/// The same, with a size that is known only at run time.
template <class Parent>
WARPWRIGHT_UNSEEN coalesced_group tiled_partition(const Parent& parent, unsigned size) {
  const auto rank = static_cast<unsigned>(parent.thread_rank());
  return coalesced_group(details::part_of(details::lanes_in(parent), size), rank / size,
                         static_cast<unsigned>((parent.size() + size - 1) / size));
}

/// The threads of the group with the same label, or the same predicate.
template <class Group, class Label>
WARPWRIGHT_UNSEEN coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(static_cast<unsigned>(
      group.vote(details::simulator::WarpOperation::match_any, details::bits_of(label), __builtin_return_address(0))));
}
template <class Group>
WARPWRIGHT_UNSEEN coalesced_group binary_partition(const Group& group, bool predicate) {
  return coalesced_group(static_cast<unsigned>(
      group.vote(details::simulator::WarpOperation::match_any, predicate ? 1u : 0u, __builtin_return_address(0))));
}

/// One thread of the group calls the function. With `broadcast` all threads get its result.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) value{};
  if (group.thread_rank() == 0) value = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

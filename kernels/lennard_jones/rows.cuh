// Rows of lists: where the neighbours of an atom are stored, and how a row is filled and read.
#pragma once

#include "kernels/block/cache_hints.cuh"
#include "kernels/lennard_jones/pair.cuh"

namespace warpwright::lennard_jones {

/// Where slot number `slot` of an atom's row is in a list.
enum class rows {
  by_body,  ///< list[atom * capacity + slot]
  by_slot,  ///< list[slot * atoms + atom]
  by_four   ///< list[(slot / 4 * atoms + atom) * 4 + slot % 4]: four slots in one access, of 512 bytes for a warp
};

/// Slots of a group of rows by_four.
inline constexpr int kGroup = 4;

/// Numbers for which the list of this many atoms has room.
__host__ __device__ constexpr long long room_of(rows layout, long long atoms, int capacity) {
  return atoms * (layout == rows::by_four ? (capacity + kGroup - 1) / kGroup * kGroup : capacity);
}

/// The index of the first slot of an atom's row, and the distance from one slot (or one group of slots) to the next.
template <rows Layout>
__device__ __forceinline__ long long first_place(long long atom, int capacity) {
  return Layout == rows::by_body ? atom * capacity : Layout == rows::by_slot ? atom : kGroup * atom;
}
template <rows Layout>
__device__ __forceinline__ long long stride_of(long long atoms) {
  return Layout == rows::by_body ? 1 : Layout == rows::by_slot ? atoms : kGroup * atoms;
}

/// Fills the row of an atom: one number per slot up to the capacity. With rows::by_four, the atom itself fills the rest
/// of the last group.
template <rows Layout>
struct row_filler {
  int* next;         ///< where the next number goes
  long long stride;  ///< from one slot to the next
  int capacity;
  int held = 0;  ///< numbers so far, including those without a slot

  __device__ __forceinline__ void put(int other) {
    if (held < capacity) *next = other;
    next += stride;
    ++held;
  }
  __device__ __forceinline__ void finish(int) {}
};

/// A group is kept in registers until it is complete.
template <>
struct row_filler<rows::by_four> {
  int* next;         ///< where the next group goes
  long long stride;  ///< from one group to the next
  int capacity;
  int held = 0;
  vec<int, kGroup> group = {};  ///< the latest numbers, the newest last

  __device__ __forceinline__ void put(int other) {
    shift_in(other);
    ++held;
    if (held % kGroup != 0) return;
    if (held < capacity + kGroup) store_vector(next, group);
    next += stride;
  }
  __device__ __forceinline__ void finish(int atom) {
    const int rest = held % kGroup;
    if (rest == 0) return;
    for (int i = rest; i < kGroup; ++i) shift_in(atom);
    if (held - rest < capacity) store_vector(next, group);
  }

 private:
  __device__ __forceinline__ void shift_in(int other) {
#pragma unroll
    for (int i = 0; i + 1 < kGroup; ++i) group[i] = group[i + 1];
    group[kGroup - 1] = other;
  }
};

/// Calls look(other, there) for all atoms in the row of `atom`; `there` is the atom's position. Numbers are loaded
/// while the ones before them are processed; with rows::by_four, a group of four and their positions are loaded
/// together. One iteration of the loop has `Unroll` groups, or neighbours.
template <rows Layout, int Unroll, class T, class Look>
__device__ __forceinline__ void for_each_neighbor(const T* __restrict__ positions, const int* __restrict__ length,
                                                  const int* __restrict__ list, long long atom, long long atoms,
                                                  int capacity, const Look& look) {
  const int neighbors = length[atom];
  const int* row = list + first_place<Layout>(atom, capacity);
  const long long stride = stride_of<Layout>(atoms);
  if constexpr (Layout == rows::by_four) {
    const auto look_at = [&](const vec<int, kGroup>& others, int count) {
      block::point<T> there[kGroup];
#pragma unroll
      for (int i = 0; i < kGroup; ++i) there[i] = place_of(positions, others[i], atoms);
#pragma unroll
      for (int i = 0; i < kGroup; ++i)
        if (i < count) look(others[i], there[i]);
    };
    const auto read = [&] { return block::load_hinted<block::load_hint::streaming, kGroup>(row); };
    vec<int, kGroup> next{};
    if (neighbors > 0) next = read();
    int left = neighbors;
#pragma unroll Unroll
    for (; left >= kGroup; left -= kGroup) {
      const vec<int, kGroup> others = next;
      row += stride;
      if (left > kGroup) next = read();
      look_at(others, kGroup);
    }
    if (left != 0) look_at(next, left);
  } else {
    int next = neighbors > 0 ? *row : 0;
#pragma unroll Unroll
    for (int left = neighbors; left > 0; --left) {
      const int other = next;
      row += stride;
      if (left > 1) next = *row;
      look(other, place_of(positions, other, atoms));
    }
  }
}

}  // namespace warpwright::lennard_jones

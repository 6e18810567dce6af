// Reductions and scans by cooperative groups in the simulator.
#pragma once

#include "kernels/runtime/cpu_headers/tiles.cuh"

namespace cooperative_groups {

#define WARPWRIGHT_GROUP_OPERATION(name, expression)    \
  template <class T = void>                             \
  struct name {                                         \
    T operator()(T a, T b) const { return expression; } \
  };                                                    \
  template <>                                           \
  struct name<void> {                                   \
    template <class T>                                  \
    T operator()(T a, T b) const {                      \
      return expression;                                \
    }                                                   \
  };
WARPWRIGHT_GROUP_OPERATION(plus, a + b)
WARPWRIGHT_GROUP_OPERATION(less, b < a ? b : a)
WARPWRIGHT_GROUP_OPERATION(greater, a < b ? b : a)
WARPWRIGHT_GROUP_OPERATION(bit_and, a& b)
WARPWRIGHT_GROUP_OPERATION(bit_or, a | b)
WARPWRIGHT_GROUP_OPERATION(bit_xor, a ^ b)
#undef WARPWRIGHT_GROUP_OPERATION

namespace details {

/// An inclusive scan over the ranks, in steps of 1, 2, 4, ... ranks.
template <class Group, class T, class Operation>
WARPWRIGHT_UNSEEN T prefix(const Group& group, T value, Operation& operation, const void* site) {
  const unsigned mask = group.simulated_mask();
  const auto rank = static_cast<unsigned>(group.thread_rank());
  const auto size = static_cast<unsigned>(group.size());
  for (unsigned reach = 1; reach < size; reach *= 2) {
    const T before = exchange(mask, value, lane_of(mask, rank >= reach ? rank - reach : rank), site);
    if (rank >= reach) value = operation(before, value);
  }
  return value;
}

}  // namespace details

/// A reduction whose result every thread gets. If the number of threads is a power of two, it combines ranks that
/// differ in one bit, the highest bit first.
template <class Group, class T, class Operation>
WARPWRIGHT_UNSEEN T reduce(const Group& group, T value, Operation&& operation) {
  const void* const site = __builtin_return_address(0);
  const unsigned mask = group.simulated_mask();
  const auto size = static_cast<unsigned>(group.size());
  if ((size & (size - 1)) != 0) {
    value = details::prefix(group, value, operation, site);
    return details::exchange(mask, value, details::lane_of(mask, size - 1), site);
  }
  const auto rank = static_cast<unsigned>(group.thread_rank());
  for (unsigned bit = size / 2; bit > 0; bit /= 2) {
    const T other = details::exchange(mask, value, details::lane_of(mask, rank ^ bit), site);
    value = (rank & bit) == 0 ? operation(value, other) : operation(other, value);
  }
  return value;
}

template <class Group, class T, class Operation = plus<T>>
WARPWRIGHT_UNSEEN T inclusive_scan(const Group& group, T value, Operation operation = {}) {
  return details::prefix(group, value, operation, __builtin_return_address(0));
}

/// An exclusive scan. The first thread gets T{}.
template <class Group, class T, class Operation = plus<T>>
WARPWRIGHT_UNSEEN T exclusive_scan(const Group& group, T value, Operation operation = {}) {
  const void* const site = __builtin_return_address(0);
  const unsigned mask = group.simulated_mask();
  const auto rank = static_cast<unsigned>(group.thread_rank());
  const T all = details::prefix(group, value, operation, site);
  const T before = details::exchange(mask, all, details::lane_of(mask, rank > 0 ? rank - 1 : 0), site);
  return rank > 0 ? before : T{};
}

}  // namespace cooperative_groups

// CUDA's reductions and scans of groups of lanes on the SIMT executor.
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

/// The values of all ranks below this one, and its own, combined; a prefix of 1, 2, 4, ... ranks at a time.
template <class Group, class T, class Operation>
WARPWRIGHT_UNSEEN T prefix(const Group& group, T value, Operation& operation, const void* site) {
  const unsigned mask = group.judged_mask();
  const auto rank = static_cast<unsigned>(group.thread_rank());
  const auto size = static_cast<unsigned>(group.size());
  for (unsigned reach = 1; reach < size; reach *= 2) {
    const T before = exchange(mask, value, lane_of(mask, rank >= reach ? rank - reach : rank), site);
    if (rank >= reach) value = operation(before, value);
  }
  return value;
}

}  // namespace details

/// The values of all threads of the group, combined; every thread gets the result. Pairs of ranks that differ in one
/// bit are combined, the highest bit first, where the group has a power of two of threads.
template <class Group, class T, class Operation>
WARPWRIGHT_UNSEEN T reduce(const Group& group, T value, Operation&& operation) {
  const void* const site = __builtin_return_address(0);
  const unsigned mask = group.judged_mask();
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

/// Without the thread's own value; the first thread gets a T{}.
template <class Group, class T, class Operation = plus<T>>
WARPWRIGHT_UNSEEN T exclusive_scan(const Group& group, T value, Operation operation = {}) {
  const void* const site = __builtin_return_address(0);
  const unsigned mask = group.judged_mask();
  const auto rank = static_cast<unsigned>(group.thread_rank());
  const T all = details::prefix(group, value, operation, site);
  const T before = details::exchange(mask, all, details::lane_of(mask, rank > 0 ? rank - 1 : 0), site);
  return rank > 0 ? before : T{};
}

}  // namespace cooperative_groups

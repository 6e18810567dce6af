// The bits of a number as an unsigned integer of the same size, for atomics and comparisons of bits.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::block {

namespace detail {

template <int Bytes>
struct unsigned_integer;
template <>
struct unsigned_integer<4> {
  using type = unsigned int;
};
template <>
struct unsigned_integer<8> {
  using type = unsigned long long;
};

}  // namespace detail

/// The unsigned integer of the same size as T: 4 or 8 bytes.
template <class T>
using bits_of = typename detail::unsigned_integer<static_cast<int>(sizeof(T))>::type;

}  // namespace warpwright::block

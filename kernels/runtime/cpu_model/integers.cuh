// CUDA's integer and bit intrinsics for the CPU.
// Declares: __pop* __ffs* __clz* __brev* __byte_perm __funnelshift_* __fns __mul* __umul* __sad __usad __hadd
// Declares: __rhadd __uhadd __urhadd __dp4a __dp2a_*
#pragma once

#include "kernels/runtime/cpu_model/vector_types.cuh"

namespace warpwright::simulator {

__extension__ using Int128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

/// The sum of the products of N bytes each. Left and Right are the types that bytes are widened to.
template <class Sum, class Left, class Right>
constexpr Sum dot_of_bytes(unsigned a, unsigned b, Sum sum) {
  for (int k = 0; k < 4; ++k) {
    const Sum product =
        static_cast<Sum>(static_cast<Left>(a >> 8 * k)) * static_cast<Sum>(static_cast<Right>(b >> 8 * k));
    sum += product;
  }
  return sum;
}

/// The sum of two products, each of a 16-bit half of a and a byte of b; the lower pair of bytes comes first.
template <class Sum, class Left, class Right>
constexpr Sum dot_of_halves(unsigned a, unsigned b, Sum sum, int first_byte) {
  for (int k = 0; k < 2; ++k)
    sum += static_cast<Sum>(static_cast<Left>(a >> 16 * k)) *
           static_cast<Sum>(static_cast<Right>(b >> 8 * (first_byte + k)));
  return sum;
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

[[gnu::always_inline]] inline int __popc(unsigned value) {
  return __builtin_popcount(value);
}
[[gnu::always_inline]] inline int __popcll(unsigned long long value) {
  return __builtin_popcountll(value);
}
[[gnu::always_inline]] inline int __ffs(int value) {
  return __builtin_ffs(value);
}
[[gnu::always_inline]] inline int __ffsll(long long value) {
  return __builtin_ffsll(value);
}
[[gnu::always_inline]] inline int __clz(int value) {
  return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value));
}
[[gnu::always_inline]] inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}

inline unsigned long long __brevll(unsigned long long value) {
  unsigned long long result = 0;
  for (int bit = 0; bit < 64; ++bit) result |= ((value >> bit) & 1u) << (63 - bit);
  return result;
}
inline unsigned __brev(unsigned value) {
  return static_cast<unsigned>(__brevll(value) >> 32);
}

/// Selects four of the eight bytes of (high, low), each by the lower three bits of a digit of the selector.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
  unsigned result = 0;
  for (int k = 0; k < 4; ++k) result |= (static_cast<unsigned>(bytes >> 8 * (selector >> 4 * k & 7)) & 0xffu) << 8 * k;
  return result;
}

inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return shift >= 32 ? low : static_cast<unsigned>(both << shift >> 32);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return __funnelshift_lc(low, high, shift & 31);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift < 32 ? shift : 32));
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return __funnelshift_rc(low, high, shift & 31);
}

/// The position of the set bit number `offset`, counted upwards from bit `base`, which counts as 1; downwards if
/// `offset` is negative. 0 tests bit `base` itself. All bits are set if there is no such bit.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  int left = offset == 0 ? 1 : offset < 0 ? -offset : offset;
  const int step = offset < 0 ? -1 : 1;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1u) != 0 && --left == 0) return static_cast<unsigned>(bit);
    if (offset == 0) break;
  }
  return ~0u;
}

inline int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<simulator::Int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<simulator::Unsigned128>(a) * b >> 64);
}
/// The lower 32 bits of the product of the lower 24 bits.
inline int __mul24(int a, int b) {
  return (a << 8 >> 8) * (b << 8 >> 8);
}
inline unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}

inline unsigned __sad(int a, int b, unsigned sum) {
  const unsigned difference = static_cast<unsigned>(a) - static_cast<unsigned>(b);
  return sum + (a < b ? -difference : difference);
}
inline unsigned __usad(unsigned a, unsigned b, unsigned sum) {
  return sum + (a < b ? b - a : a - b);
}

inline int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
inline int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
inline unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

inline int __dp4a(int a, int b, int sum) {
  return simulator::dot_of_bytes<int, signed char, signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b),
                                                                sum);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  return simulator::dot_of_bytes<unsigned, unsigned char, unsigned char>(a, b, sum);
}
inline int __dp4a(char4 a, char4 b, int sum) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), sum);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned sum) {
  return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), sum);
}

#define WARPWRIGHT_DOT(name, first_byte)                                                                              \
  inline int name(int a, int b, int sum) {                                                                            \
    return simulator::dot_of_halves<int, short, signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), sum, \
                                                             first_byte);                                             \
  }                                                                                                                   \
  inline unsigned name(unsigned a, unsigned b, unsigned sum) {                                                        \
    return simulator::dot_of_halves<unsigned, unsigned short, unsigned char>(a, b, sum, first_byte);                  \
  }                                                                                                                   \
  inline int name(short2 a, char4 b, int sum) {                                                                       \
    return name(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), sum);                                         \
  }                                                                                                                   \
  inline unsigned name(ushort2 a, uchar4 b, unsigned sum) {                                                           \
    return name(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), sum);                               \
  }
WARPWRIGHT_DOT(__dp2a_lo, 0)
WARPWRIGHT_DOT(__dp2a_hi, 2)
#undef WARPWRIGHT_DOT

}  // namespace warpwright::cuda

// CUDA's half-precision types for the CPU: single numbers, pairs, and their operators.
#pragma once

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/cpu_model/vector_types.cuh"

namespace warpwright::cuda {

/// Every operation is rounded. Computing in double and rounding again is exact: a double has more than twice the digits
/// plus two (S. Figueroa, When is double rounding innocuous?, SIGNUM 1995), and no result underflows.
template <class Self>
struct HalfArithmetic {
  using hinted_by_cuda = Self;

  friend constexpr Self operator+(Self a, Self b) { return Self(wide(a) + wide(b)); }
  friend constexpr Self operator-(Self a, Self b) { return Self(wide(a) - wide(b)); }
  friend constexpr Self operator*(Self a, Self b) { return Self(wide(a) * wide(b)); }
  friend constexpr Self operator/(Self a, Self b) { return Self(wide(a) / wide(b)); }
  friend constexpr Self operator+(Self a) { return a; }
  friend constexpr Self operator-(Self a) {
    a.stored.bits ^= 0x8000;
    return a;
  }
  friend constexpr Self& operator+=(Self& a, Self b) { return a = a + b; }
  friend constexpr Self& operator-=(Self& a, Self b) { return a = a - b; }
  friend constexpr Self& operator*=(Self& a, Self b) { return a = a * b; }
  friend constexpr Self& operator/=(Self& a, Self b) { return a = a / b; }
  friend constexpr Self& operator++(Self& a) { return a += Self(1.0); }
  friend constexpr Self& operator--(Self& a) { return a -= Self(1.0); }
  friend constexpr Self operator++(Self& a, int) {
    const Self before = a;
    ++a;
    return before;
  }
  friend constexpr Self operator--(Self& a, int) {
    const Self before = a;
    --a;
    return before;
  }

 private:
  static constexpr double wide(Self a) { return static_cast<float>(a); }
};

struct __half_raw {
  unsigned short x;
};
struct __nv_bfloat16_raw {
  unsigned short x;
};

struct __half : HalfArithmetic<__half> {
  float16 stored;

  __half() = default;
  constexpr __half(double value) : stored(value) {}
  constexpr __half(__half_raw raw) : stored{} { stored.bits = raw.x; }
  constexpr operator float() const { return stored; }
  constexpr operator __half_raw() const { return {stored.bits}; }
};

struct __nv_bfloat16 : HalfArithmetic<__nv_bfloat16> {
  bfloat16 stored;

  __nv_bfloat16() = default;
  constexpr __nv_bfloat16(double value) : stored(value) {}
  constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : stored{} { stored.bits = raw.x; }
  constexpr operator float() const { return stored; }
  constexpr operator __nv_bfloat16_raw() const { return {stored.bits}; }
};

/// Two numbers. A comparison is true if it is true for both.
template <class Self, class One>
struct PairArithmetic {
  using hinted_by_cuda = Self;
  using one_type = One;

  friend constexpr Self operator+(Self a, Self b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Self operator-(Self a, Self b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Self operator*(Self a, Self b) { return {a.x * b.x, a.y * b.y}; }
  friend constexpr Self operator/(Self a, Self b) { return {a.x / b.x, a.y / b.y}; }
  friend constexpr Self operator+(Self a) { return a; }
  friend constexpr Self operator-(Self a) { return {-a.x, -a.y}; }
  friend constexpr Self& operator+=(Self& a, Self b) { return a = a + b; }
  friend constexpr Self& operator-=(Self& a, Self b) { return a = a - b; }
  friend constexpr Self& operator*=(Self& a, Self b) { return a = a * b; }
  friend constexpr Self& operator/=(Self& a, Self b) { return a = a / b; }
  friend constexpr bool operator==(Self a, Self b) { return number(a.x) == number(b.x) && number(a.y) == number(b.y); }
  friend constexpr bool operator!=(Self a, Self b) { return number(a.x) != number(b.x) && number(a.y) != number(b.y); }
  friend constexpr bool operator<(Self a, Self b) { return number(a.x) < number(b.x) && number(a.y) < number(b.y); }
  friend constexpr bool operator<=(Self a, Self b) { return number(a.x) <= number(b.x) && number(a.y) <= number(b.y); }
  friend constexpr bool operator>(Self a, Self b) { return b < a; }
  friend constexpr bool operator>=(Self a, Self b) { return b <= a; }

 private:
  static constexpr float number(One a) { return a; }
};

struct alignas(4) __half2 : PairArithmetic<__half2, __half> {
  __half x, y;

  __half2() = default;
  constexpr __half2(__half first, __half second) : x(first), y(second) {}
};
struct alignas(4) __nv_bfloat162 : PairArithmetic<__nv_bfloat162, __nv_bfloat16> {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  constexpr __nv_bfloat162(__nv_bfloat16 first, __nv_bfloat16 second) : x(first), y(second) {}
};

using half = __half;
using half2 = __half2;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

}  // namespace warpwright::cuda

namespace warpwright::simulator {

template <class T>
concept half_number = __is_same(T, cuda::__half) || __is_same(T, cuda::__nv_bfloat16);
template <class T>
concept half_pair = __is_same(T, cuda::__half2) || __is_same(T, cuda::__nv_bfloat162);

enum class Direction { nearest, to_zero, up, down };

template <half_number T>
constexpr T half_of_bits(int bits) {
  T made{};
  made.stored.bits = static_cast<unsigned short>(bits);
  return made;
}

/// `value` rounded to a half in that direction.
template <half_number T>
constexpr T half_toward(double value, Direction direction) {
  const T nearest(value);
  const double found = static_cast<float>(nearest);
  const unsigned short bits = nearest.stored.bits;
  const bool above = found > value, below = found < value, negative = bits >> 15 != 0;
  const bool shrinks = negative ? below : above;
  if (direction == Direction::to_zero) return shrinks ? half_of_bits<T>(bits - 1) : nearest;
  const bool moves = direction == Direction::up ? below : direction == Direction::down ? above : false;
  if (!moves) return nearest;
  if ((bits & 0x7fff) == 0) return half_of_bits<T>(direction == Direction::up ? 0x0001 : 0x8001);
  return half_of_bits<T>(shrinks ? bits - 1 : bits + 1);
}

/// a + b as a double, rounded to odd: its last bit is set if anything was lost, so a second rounding is correct (S.
/// Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, IEEE TC 2008).
constexpr double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double lost = (a - (sum - part)) + (b - part);
  if (!(lost < 0 || lost > 0) || __builtin_isinf(sum)) return sum;
  const auto bits = __builtin_bit_cast(unsigned long long, sum);
  if ((bits & 1) != 0) return sum;
  return __builtin_bit_cast(double, (lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// The pair of f(x, ...) for both numbers of pairs.
template <half_pair P, class F, class... Others>
constexpr P each_half(F f, P a, Others... others) {
  return {f(a.x, others.x...), f(a.y, others.y...)};
}

}  // namespace warpwright::simulator

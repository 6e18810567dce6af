// CUDA's conversions from floating-point numbers to integers, for the CPU.
// Declares: __float2int_r? __float2uint_r? __float2ll_r? __float2ull_r? __double2int_r? __double2uint_r?
// Declares: __double2ll_r? __double2ull_r? lrint* llrint* lround* llround*
#pragma once

namespace warpwright::simulator {

/// A rounded number as an integer of type To. Numbers out of range give the nearest To. A NaN gives 0, or only the top
/// bit if the source is a double or the result has 64 bits (PTX ISA, cvt).
template <class To, class From>
constexpr To saturated(From whole) {
  constexpr bool is_signed = static_cast<To>(-1) < To{};
  constexpr int digits = static_cast<int>(sizeof(To)) * 8 - (is_signed ? 1 : 0);
  constexpr To lowest = is_signed ? static_cast<To>(1ull << digits) : To{};
  constexpr From end = static_cast<From>(1ull << (digits - 1)) * 2;
  if (whole != whole)
    return sizeof(From) == 8 || sizeof(To) == 8 ? static_cast<To>(1ull << (sizeof(To) * 8 - 1)) : To{};
  if (whole >= end) return static_cast<To>(~lowest);
  return whole < static_cast<From>(lowest) ? lowest : static_cast<To>(whole);
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

#define WARPWRIGHT_CASTS(name, to, from, suffix)                       \
  inline to name##_rn(from a) {                                        \
    return simulator::saturated<to, from>(__builtin_rint##suffix(a));  \
  }                                                                    \
  inline to name##_rz(from a) {                                        \
    return simulator::saturated<to, from>(__builtin_trunc##suffix(a)); \
  }                                                                    \
  inline to name##_ru(from a) {                                        \
    return simulator::saturated<to, from>(__builtin_ceil##suffix(a));  \
  }                                                                    \
  inline to name##_rd(from a) {                                        \
    return simulator::saturated<to, from>(__builtin_floor##suffix(a)); \
  }
WARPWRIGHT_CASTS(__float2int, int, float, f)
WARPWRIGHT_CASTS(__float2uint, unsigned, float, f)
WARPWRIGHT_CASTS(__float2ll, long long, float, f)
WARPWRIGHT_CASTS(__float2ull, unsigned long long, float, f)
WARPWRIGHT_CASTS(__double2int, int, double, )
WARPWRIGHT_CASTS(__double2uint, unsigned, double, )
WARPWRIGHT_CASTS(__double2ll, long long, double, )
WARPWRIGHT_CASTS(__double2ull, unsigned long long, double, )
#undef WARPWRIGHT_CASTS

#define WARPWRIGHT_ROUNDED_TO(name, to)                             \
  inline to l##name##f(float a) {                                   \
    return simulator::saturated<to, float>(__builtin_##name##f(a)); \
  }                                                                 \
  inline to l##name(float a) {                                      \
    return simulator::saturated<to, float>(__builtin_##name##f(a)); \
  }                                                                 \
  inline to l##name(double a) {                                     \
    return simulator::saturated<to, double>(__builtin_##name(a));   \
  }
WARPWRIGHT_ROUNDED_TO(rint, long)
WARPWRIGHT_ROUNDED_TO(round, long)
#undef WARPWRIGHT_ROUNDED_TO
inline long long llrintf(float a) {
  return lrintf(a);
}
inline long long llrint(float a) {
  return lrint(a);
}
inline long long llrint(double a) {
  return lrint(a);
}
inline long long llroundf(float a) {
  return lroundf(a);
}
inline long long llround(float a) {
  return lround(a);
}
inline long long llround(double a) {
  return lround(a);
}

}  // namespace warpwright::cuda

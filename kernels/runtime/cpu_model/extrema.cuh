// CUDA's min, max and abs of all types, for the CPU.
// Declares: min max umin umax llmin llmax ullmin ullmax fmin* fmax* abs labs llabs fabs*
#pragma once

namespace warpwright::simulator {

/// The smaller number. NaN only if both are; -0 is smaller than +0 (PTX ISA, min).
template <class T>
constexpr T lesser(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}

/// The larger number. NaN only if both are; +0 is larger than -0 (PTX ISA, max).
template <class T>
constexpr T greater(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a < b ? b : a;
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

#define WARPWRIGHT_EXTREMA(type)       \
  constexpr type min(type a, type b) { \
    return b < a ? b : a;              \
  }                                    \
  constexpr type max(type a, type b) { \
    return a < b ? b : a;              \
  }
WARPWRIGHT_EXTREMA(int)
WARPWRIGHT_EXTREMA(unsigned)
WARPWRIGHT_EXTREMA(long)
WARPWRIGHT_EXTREMA(unsigned long)
WARPWRIGHT_EXTREMA(long long)
WARPWRIGHT_EXTREMA(unsigned long long)
#undef WARPWRIGHT_EXTREMA

#define WARPWRIGHT_MIXED_EXTREMA(type, left, right)         \
  constexpr type min(left a, right b) {                     \
    return min(static_cast<type>(a), static_cast<type>(b)); \
  }                                                         \
  constexpr type max(left a, right b) {                     \
    return max(static_cast<type>(a), static_cast<type>(b)); \
  }
WARPWRIGHT_MIXED_EXTREMA(unsigned, int, unsigned)
WARPWRIGHT_MIXED_EXTREMA(unsigned, unsigned, int)
WARPWRIGHT_MIXED_EXTREMA(unsigned long, long, unsigned long)
WARPWRIGHT_MIXED_EXTREMA(unsigned long, unsigned long, long)
WARPWRIGHT_MIXED_EXTREMA(unsigned long long, long long, unsigned long long)
WARPWRIGHT_MIXED_EXTREMA(unsigned long long, unsigned long long, long long)
#undef WARPWRIGHT_MIXED_EXTREMA

#define WARPWRIGHT_LESSER(name, type, left, right)                              \
  constexpr type name(left a, right b) {                                        \
    return simulator::lesser<type>(static_cast<type>(a), static_cast<type>(b)); \
  }
#define WARPWRIGHT_GREATER(name, type, left, right)                              \
  constexpr type name(left a, right b) {                                         \
    return simulator::greater<type>(static_cast<type>(a), static_cast<type>(b)); \
  }
WARPWRIGHT_LESSER(min, float, float, float)
WARPWRIGHT_LESSER(min, double, double, double)
WARPWRIGHT_LESSER(min, double, float, double)
WARPWRIGHT_LESSER(min, double, double, float)
WARPWRIGHT_LESSER(fmin, float, float, float)
WARPWRIGHT_LESSER(fmin, double, double, double)
WARPWRIGHT_LESSER(fminf, float, float, float)
WARPWRIGHT_GREATER(max, float, float, float)
WARPWRIGHT_GREATER(max, double, double, double)
WARPWRIGHT_GREATER(max, double, float, double)
WARPWRIGHT_GREATER(max, double, double, float)
WARPWRIGHT_GREATER(fmax, float, float, float)
WARPWRIGHT_GREATER(fmax, double, double, double)
WARPWRIGHT_GREATER(fmaxf, float, float, float)
#undef WARPWRIGHT_LESSER
#undef WARPWRIGHT_GREATER

constexpr unsigned umin(unsigned a, unsigned b) {
  return min(a, b);
}
constexpr unsigned umax(unsigned a, unsigned b) {
  return max(a, b);
}
constexpr long long llmin(long long a, long long b) {
  return min(a, b);
}
constexpr long long llmax(long long a, long long b) {
  return max(a, b);
}
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

constexpr int abs(int a) {
  return a < 0 ? -a : a;
}
constexpr long abs(long a) {
  return a < 0 ? -a : a;
}
constexpr long long abs(long long a) {
  return a < 0 ? -a : a;
}
constexpr long labs(long a) {
  return abs(a);
}
constexpr long long llabs(long long a) {
  return abs(a);
}
inline float abs(float a) {
  return __builtin_fabsf(a);
}
inline double abs(double a) {
  return __builtin_fabs(a);
}
inline float fabs(float a) {
  return __builtin_fabsf(a);
}
inline double fabs(double a) {
  return __builtin_fabs(a);
}
inline float fabsf(float a) {
  return __builtin_fabsf(a);
}

}  // namespace warpwright::cuda

// Names of the C library that device code uses, for compilers without its headers: fixed-width types, limits, infinity
// and NaN. They are the same as the library's, which may be included before or after.
#pragma once

using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
#if defined(__CUDACC_RTC__) && __has_include(<cuda/std/cstdint>)
// As libcu++ defines it for NVRTC, in case device code includes that.
using int64_t = long long;
using uint64_t = unsigned long long;
#else
using int64_t = long;
using uint64_t = unsigned long;
#endif
using intptr_t = int64_t;
using uintptr_t = uint64_t;

#if !defined(__CUDACC__)
using size_t = unsigned long;
using ptrdiff_t = long;
using clock_t = long;
#ifndef NULL
#define NULL __null
#endif
#ifndef INFINITY
#define INFINITY (__builtin_inff())
#endif
#ifndef NAN
#define NAN (__builtin_nanf(""))
#endif
#else
#ifndef INFINITY
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#endif
#ifndef NAN
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#endif
#endif

#ifndef INT_MAX
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 0x7fffffff
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 0xffffffffffffffffUL
#define LLONG_MAX 0x7fffffffffffffffLL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 0xffffffffffffffffULL
#endif
#ifndef FLT_MAX
#define FLT_MAX 0x1.fffffep127F
#define FLT_MIN 0x1p-126F
#define FLT_EPSILON 0x1p-23F
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1p-1022
#define DBL_EPSILON 0x1p-52
#endif

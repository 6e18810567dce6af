// Names that every plain .cu file may use without an include, as its host includes would define them. No header of the
// C library is read. The first line of the extracted source includes this file, for a GPU and for the simulator.
#pragma once

#include "kernels/runtime/device.cuh"
#include "kernels/runtime/standard_library.cuh"

#ifdef WARPWRIGHT_HOST_TARGET
#define WARPWRIGHT_TWO_TEXTS(branch) ::warpwright::simulator::no_model("two texts: " branch);
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
// Placement new.
inline void* operator new(size_t, void* place) noexcept {
  return place;
}
inline void* operator new[](size_t, void* place) noexcept {
  return place;
}
#else
#define WARPWRIGHT_TWO_TEXTS(branch)
#endif
#if defined(WARPWRIGHT_HOST_TARGET) || defined(__CUDACC_RTC__)
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#endif

#ifndef CHAR_BIT
#define CHAR_BIT 8
#endif
#ifndef FLT_MANT_DIG
#define FLT_MANT_DIG 24
#define DBL_MANT_DIG 53
#endif
#ifndef HUGE_VALF
#define HUGE_VALF INFINITY
#endif
#ifndef UINT8_MAX
#define INT8_MAX SCHAR_MAX
#define INT8_MIN SCHAR_MIN
#define UINT8_MAX UCHAR_MAX
#define INT16_MAX SHRT_MAX
#define INT16_MIN SHRT_MIN
#define UINT16_MAX USHRT_MAX
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LLONG_MAX
#define INT64_MIN LLONG_MIN
#define UINT64_MAX ULLONG_MAX
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif

// CUDA's vector types, with CUDA's alignment, and the functions that make them.
// Declares: make_* char[1-4]* uchar[1-4]* short[1-4]* ushort[1-4]* int[1-4]* uint[124]*
// Declares: float[1-4]* double[1-4]* long[1-4]* ulong[1-4]* longlong[1-4]* ulonglong[1-4]*
#pragma once

#include "kernels/runtime/cpu_model/index_types.cuh"

namespace warpwright::cuda {

#define WARPWRIGHT_OF_ONE(name, type)  \
  struct name {                        \
    type x;                            \
  };                                   \
  constexpr name make_##name(type x) { \
    return {x};                        \
  }
#define WARPWRIGHT_OF_TWO(name, type, alignment) \
  struct alignas(alignment) name {               \
    type x, y;                                   \
  };                                             \
  constexpr name make_##name(type x, type y) {   \
    return {x, y};                               \
  }
#define WARPWRIGHT_OF_THREE(name, type)                \
  struct name {                                        \
    type x, y, z;                                      \
  };                                                   \
  constexpr name make_##name(type x, type y, type z) { \
    return {x, y, z};                                  \
  }
#define WARPWRIGHT_OF_FOUR(name, type, alignment)              \
  struct alignas(alignment) name {                             \
    type x, y, z, w;                                           \
  };                                                           \
  constexpr name make_##name(type x, type y, type z, type w) { \
    return {x, y, z, w};                                       \
  }
// Vectors of 1, 2 and 4 elements, with the alignments of those of 2 and 4.
#define WARPWRIGHT_EVEN(name, type, two, four) \
  WARPWRIGHT_OF_ONE(name##1, type)             \
  WARPWRIGHT_OF_TWO(name##2, type, two)        \
  WARPWRIGHT_OF_FOUR(name##4, type, four)
#define WARPWRIGHT_VECTORS(name, type, two, four) \
  WARPWRIGHT_EVEN(name, type, two, four)          \
  WARPWRIGHT_OF_THREE(name##3, type)
#define WARPWRIGHT_WIDE_VECTORS(name, type) \
  WARPWRIGHT_VECTORS(name, type, 16, 16)    \
  WARPWRIGHT_OF_FOUR(name##4_16a, type, 16) \
  WARPWRIGHT_OF_FOUR(name##4_32a, type, 32)
WARPWRIGHT_VECTORS(char, signed char, 2, 4)
WARPWRIGHT_VECTORS(uchar, unsigned char, 2, 4)
WARPWRIGHT_VECTORS(short, short, 4, 8)
WARPWRIGHT_VECTORS(ushort, unsigned short, 4, 8)
WARPWRIGHT_VECTORS(int, int, 8, 16)
WARPWRIGHT_VECTORS(float, float, 8, 16)
WARPWRIGHT_WIDE_VECTORS(long, long)
WARPWRIGHT_WIDE_VECTORS(ulong, unsigned long)
WARPWRIGHT_WIDE_VECTORS(longlong, long long)
WARPWRIGHT_WIDE_VECTORS(ulonglong, unsigned long long)
WARPWRIGHT_WIDE_VECTORS(double, double)
WARPWRIGHT_EVEN(uint, unsigned, 8, 16)
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
  return {x, y, z};
}
#undef WARPWRIGHT_WIDE_VECTORS
#undef WARPWRIGHT_VECTORS
#undef WARPWRIGHT_EVEN
#undef WARPWRIGHT_OF_FOUR
#undef WARPWRIGHT_OF_THREE
#undef WARPWRIGHT_OF_TWO
#undef WARPWRIGHT_OF_ONE

}  // namespace warpwright::cuda

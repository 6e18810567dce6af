// CUDA's intrinsics for dynamic programming: sums and extrema of three numbers in one step, for the CPU.
// Declares: __vi*
#pragma once

#include "kernels/runtime/cpu_model/elementary.cuh"
#include "kernels/runtime/cpu_model/extrema.cuh"

namespace warpwright::simulator {

/// Applies f(x, y, z) to the two 16-bit integers in each of three words. Sums wrap at 16 bits.
template <class Lane, class F>
constexpr unsigned each_of_three(unsigned a, unsigned b, unsigned c, F f) {
  const auto low = static_cast<unsigned short>(f(static_cast<Lane>(a), static_cast<Lane>(b), static_cast<Lane>(c)));
  const auto high = static_cast<unsigned short>(
      f(static_cast<Lane>(a >> 16), static_cast<Lane>(b >> 16), static_cast<Lane>(c >> 16)));
  return static_cast<unsigned>(high) << 16 | low;
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

// Defines name_s32 or _u32 for words, and name_s16x2 or _u16x2 for halves. T: the type of one number in `expression`.
#define WARPWRIGHT_OF_THREE(word_name, halves_name, word, half, expression)                       \
  constexpr word word_name(word first, word second, word third) {                                 \
    using T = word;                                                                               \
    return [](T a, T b, T c) { return static_cast<T>(expression); }(first, second, third);        \
  }                                                                                               \
  constexpr unsigned halves_name(unsigned first, unsigned second, unsigned third) {               \
    using T = half;                                                                               \
    return simulator::each_of_three<T>(first, second, third,                                      \
                                       [](T a, T b, T c) { return static_cast<T>(expression); }); \
  }
#define WARPWRIGHT_SIGNS(name, expression)                                            \
  WARPWRIGHT_OF_THREE(name##_s32, name##_s16x2, int, short, expression)               \
  WARPWRIGHT_OF_THREE(name##_u32, name##_u16x2, unsigned, unsigned short, expression) \
  WARPWRIGHT_OF_THREE(name##_s32_relu, name##_s16x2_relu, int, short, max(0, static_cast<T>(expression)))
WARPWRIGHT_SIGNS(__viaddmax, max(static_cast<T>(a + b), c))
WARPWRIGHT_SIGNS(__viaddmin, min(static_cast<T>(a + b), c))
WARPWRIGHT_SIGNS(__vimax3, max(max(a, b), c))
WARPWRIGHT_SIGNS(__vimin3, min(min(a, b), c))
#undef WARPWRIGHT_SIGNS
#undef WARPWRIGHT_OF_THREE

constexpr int __vimax_s32_relu(int a, int b) {
  return max(max(a, b), 0);
}
constexpr int __vimin_s32_relu(int a, int b) {
  return max(min(a, b), 0);
}
constexpr unsigned __vimax_s16x2_relu(unsigned a, unsigned b) {
  return __vimax3_s16x2(a, b, 0);
}
constexpr unsigned __vimin_s16x2_relu(unsigned a, unsigned b) {
  return simulator::each_of_three<short>(a, b, 0, [](short x, short y, short) { return max(min(x, y), 0); });
}

// The extremum, and whether it is the first number. For halves, the upper pair's answer comes first.
#define WARPWRIGHT_CHOSEN(name, type, half, signs, comparison)                                                  \
  WARPWRIGHT_UNSEEN inline type name##_##signs##32(type a, type b, bool* is_first) {                            \
    const bool first = a comparison b;                                                                          \
    simulator::store_result(is_first, first, __builtin_return_address(0));                                      \
    return first ? a : b;                                                                                       \
  }                                                                                                             \
  WARPWRIGHT_UNSEEN inline unsigned name##_##signs##16x2(unsigned a, unsigned b, bool* is_high, bool* is_low) { \
    const bool high = static_cast<half>(a >> 16) comparison static_cast<half>(b >> 16);                         \
    const bool low = static_cast<half>(a) comparison static_cast<half>(b);                                      \
    simulator::store_result(is_high, high, __builtin_return_address(0));                                        \
    simulator::store_result(is_low, low, __builtin_return_address(0));                                          \
    return ((high ? a : b) & 0xffff0000u) | ((low ? a : b) & 0xffffu);                                          \
  }
WARPWRIGHT_CHOSEN(__vibmax, int, short, s, >=)
WARPWRIGHT_CHOSEN(__vibmax, unsigned, unsigned short, u, >=)
WARPWRIGHT_CHOSEN(__vibmin, int, short, s, <=)
WARPWRIGHT_CHOSEN(__vibmin, unsigned, unsigned short, u, <=)
#undef WARPWRIGHT_CHOSEN

}  // namespace warpwright::cuda

// CUDA's intrinsics on two 16-bit or four 8-bit integers in a word, for the CPU.
// Declares: __va* __vcmp* __vhaddu? __vm* __vn* __vs*
#pragma once

namespace warpwright::simulator {

/// Applies f(x) to each integer of type Lane in `a`. Results are cut to the size of Lane.
template <class Lane, class F>
constexpr unsigned each_lane(unsigned a, F f) {
  constexpr int bits = static_cast<int>(sizeof(Lane)) * 8;
  unsigned result = 0;
  for (int at = 0; at < 32; at += bits)
    result |= (static_cast<unsigned>(f(static_cast<Lane>(a >> at))) & ((1u << bits) - 1)) << at;
  return result;
}
/// Likewise f(x, y), for integers at the same position in `a` and `b`.
template <class Lane, class F>
constexpr unsigned each_pair(unsigned a, unsigned b, F f) {
  constexpr int bits = static_cast<int>(sizeof(Lane)) * 8;
  unsigned result = 0;
  for (int at = 0; at < 32; at += bits) {
    const int found = f(static_cast<Lane>(a >> at), static_cast<Lane>(b >> at));
    result |= (static_cast<unsigned>(found) & ((1u << bits) - 1)) << at;
  }
  return result;
}

constexpr int size_of(int value) {
  return value < 0 ? -value : value;
}
constexpr int between(int low, int value, int high) {
  return value < low ? low : value > high ? high : value;
}
/// Saturates to the range of signed or unsigned numbers of the size of Lane.
template <class Lane>
constexpr int within(int value) {
  constexpr int high = static_cast<Lane>(-1) < Lane{} ? (1 << (sizeof(Lane) * 8 - 1)) - 1 : static_cast<Lane>(-1);
  return between(static_cast<Lane>(-1) < Lane{} ? -high - 1 : 0, value, high);
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

#define WARPWRIGHT_EACH(name, lane, expression)                                        \
  constexpr unsigned name(unsigned first) {                                            \
    return simulator::each_lane<lane>(first, [](int a) -> int { return expression; }); \
  }
#define WARPWRIGHT_PAIRS(name, lane, expression)                                                      \
  constexpr unsigned name(unsigned first, unsigned second) {                                          \
    return simulator::each_pair<lane>(first, second, [](int a, int b) -> int { return expression; }); \
  }
// A comparison with the result 0 or 1, and with all bits of the lane set.
#define WARPWRIGHT_COMPARED(set, compare, lane, comparison) \
  WARPWRIGHT_PAIRS(set, lane, a comparison b ? 1 : 0)       \
  WARPWRIGHT_PAIRS(compare, lane, a comparison b ? -1 : 0)
#define WARPWRIGHT_SUM(name, lane)                                                                                \
  constexpr unsigned name(unsigned first, unsigned second) {                                                      \
    unsigned sum = 0;                                                                                             \
    simulator::each_pair<lane>(first, second,                                                                     \
                               [&](int a, int b) { return static_cast<int>(sum += simulator::size_of(a - b)); }); \
    return sum;                                                                                                   \
  }
#define WARPWRIGHT_PACKED(n, s, u)                                             \
  WARPWRIGHT_EACH(__vabs##n, s, simulator::size_of(a))                         \
  WARPWRIGHT_EACH(__vabsss##n, s, simulator::within<s>(simulator::size_of(a))) \
  WARPWRIGHT_EACH(__vneg##n, s, -a)                                            \
  WARPWRIGHT_EACH(__vnegss##n, s, simulator::within<s>(-a))                    \
  WARPWRIGHT_PAIRS(__vadd##n, s, a + b)                                        \
  WARPWRIGHT_PAIRS(__vaddss##n, s, simulator::within<s>(a + b))                \
  WARPWRIGHT_PAIRS(__vaddus##n, u, simulator::within<u>(a + b))                \
  WARPWRIGHT_PAIRS(__vsub##n, s, a - b)                                        \
  WARPWRIGHT_PAIRS(__vsubss##n, s, simulator::within<s>(a - b))                \
  WARPWRIGHT_PAIRS(__vsubus##n, u, simulator::within<u>(a - b))                \
  WARPWRIGHT_PAIRS(__vabsdiffs##n, s, simulator::size_of(a - b))               \
  WARPWRIGHT_PAIRS(__vabsdiffu##n, u, simulator::size_of(a - b))               \
  WARPWRIGHT_PAIRS(__vavgs##n, s, (a + b + (a + b < 0 ? 0 : 1)) >> 1)          \
  WARPWRIGHT_PAIRS(__vavgu##n, u, (a + b + 1) >> 1)                            \
  WARPWRIGHT_PAIRS(__vhaddu##n, u, (a + b) >> 1)                               \
  WARPWRIGHT_PAIRS(__vmaxs##n, s, a < b ? b : a)                               \
  WARPWRIGHT_PAIRS(__vmaxu##n, u, a < b ? b : a)                               \
  WARPWRIGHT_PAIRS(__vmins##n, s, b < a ? b : a)                               \
  WARPWRIGHT_PAIRS(__vminu##n, u, b < a ? b : a)                               \
  WARPWRIGHT_COMPARED(__vseteq##n, __vcmpeq##n, s, ==)                         \
  WARPWRIGHT_COMPARED(__vsetne##n, __vcmpne##n, s, !=)                         \
  WARPWRIGHT_COMPARED(__vsetges##n, __vcmpges##n, s, >=)                       \
  WARPWRIGHT_COMPARED(__vsetgeu##n, __vcmpgeu##n, u, >=)                       \
  WARPWRIGHT_COMPARED(__vsetgts##n, __vcmpgts##n, s, >)                        \
  WARPWRIGHT_COMPARED(__vsetgtu##n, __vcmpgtu##n, u, >)                        \
  WARPWRIGHT_COMPARED(__vsetles##n, __vcmples##n, s, <=)                       \
  WARPWRIGHT_COMPARED(__vsetleu##n, __vcmpleu##n, u, <=)                       \
  WARPWRIGHT_COMPARED(__vsetlts##n, __vcmplts##n, s, <)                        \
  WARPWRIGHT_COMPARED(__vsetltu##n, __vcmpltu##n, u, <)                        \
  WARPWRIGHT_SUM(__vsads##n, s)                                                \
  WARPWRIGHT_SUM(__vsadu##n, u)
WARPWRIGHT_PACKED(2, short, unsigned short)
WARPWRIGHT_PACKED(4, signed char, unsigned char)
#undef WARPWRIGHT_PACKED
#undef WARPWRIGHT_SUM
#undef WARPWRIGHT_COMPARED
#undef WARPWRIGHT_PAIRS
#undef WARPWRIGHT_EACH

}  // namespace warpwright::cuda

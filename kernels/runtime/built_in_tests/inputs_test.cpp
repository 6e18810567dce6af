// Makes the arguments that built-ins are tested with, and tests them.
#include "kernels/runtime/built_in_tests/inputs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernels/runtime/generate.cuh"

namespace warpwright::built_ins {
namespace {

const std::vector<double> kSpecial = {0.0,    -0.0,    1.0,    -1.0,  0.5,   -0.5,  1.5,    2.5,     -2.5,
                                      3.0,    0.75,    10.0,   88.7,  100.0, -15.5, 0x1p31, -0x1p31, 0x1p32,
                                      0x1p63, -0x1p63, 0x1p64, 1e-20, 0.1,   -0.1,  1e10,   40.0,    0x1.fffffep-1};
const std::vector<std::uint64_t> kWhole = {0,          1,          2,          3,          31,         32,
                                           33,         0x7f,       0x80,       0xff,       0x7fff,     0x8000,
                                           0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x7fffffff,
                                           0x80000000, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x01ff7f80, 0x80007fff,
                                           ~0ULL,      1ULL << 63, ~0ULL >> 1, 1ULL << 32, 0x5555aaaa, 0xff00ff00};

/// Special values of this type only, after those of all types.
template <class T>
std::vector<T> specials() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> found = {Limits::infinity(), -Limits::infinity(),   Limits::quiet_NaN(), Limits::denorm_min(),
                          Limits::max(),      -Limits::denorm_min(), Limits::min(),       Limits::lowest()};
  for (const double value : kSpecial) found.push_back(static_cast<T>(value));
  return found;
}

std::uint64_t drawn(int kind, int place, int item) {
  return generate::bits_at(static_cast<unsigned long long>(kind * 3 + place + 1), item);
}

/// The index of the special value for an argument position, chosen so that all pairs for the first two positions occur.
std::size_t turn(int place, int item, std::size_t count) {
  const auto at = static_cast<std::size_t>(item);
  return (place == 0 ? at : place == 1 ? at / count : at * 7 / 3) % count;
}

template <class T, class Bits>
std::uint64_t any_number(int kind, int place, int item) {
  static const std::vector<T> special = specials<T>();
  const std::uint64_t bits = drawn(kind, place, item);
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
  T value;
  if (static_cast<std::size_t>(item) < special.size() * special.size())
    value = special[turn(place, item, special.size())];
  else if (item % 3 == 0)
    return static_cast<Bits>(bits);
  else
    value = static_cast<T>(item % 3 == 1 ? unit * 20 - 10 : std::ldexp(unit * 2 - 1, static_cast<int>(bits % 60) - 30));
  return std::bit_cast<Bits>(value);
}

std::uint64_t within(double value, bool is_double) {
  return is_double ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::uint64_t half_bits(int kind, int place, int item, bool of_bfloat) {
  static const std::vector<std::uint64_t> special[2] = {{0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001,
                                                         0x7bff, 0xfbff, 0x0400, 0x3800, 0x3e00, 0x4100, 0x5800},
                                                        {0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 1, 0x8001,
                                                         0x7f7f, 0xff7f, 0x0080, 0x3f00, 0x3fc0, 0x4020, 0x4300}};
  const auto& list = special[of_bfloat ? 1 : 0];
  if (item < 256) return list[turn(place, item, list.size())];
  const std::uint64_t bits = drawn(kind, place, item);
  // Half of the others are near 1, so that sums and products do not overflow.
  if (item % 2 == 0) return bits & 0xffff;
  const std::uint64_t one = of_bfloat ? 0x3f80 : 0x3c00;
  return (bits & 0x8000) | (one - (of_bfloat ? 0x200 : 0x1000) + bits % (of_bfloat ? 0x400 : 0x2000));
}

std::uint64_t word(char letter, int kind, int place, int item) {
  const std::uint64_t bits = drawn(kind, place, item);
  const double unit = static_cast<double>((bits >> 11) + 1) * 0x1p-53;
  switch (letter) {
    case 'f':
      return any_number<float, std::uint32_t>(kind, place, item);
    case 'd':
      return any_number<double, std::uint64_t>(kind, place, item);
    case 's':
    case 'S':
      return within(unit * 6 - 3, letter == 'S');
    case 'p':
    case 'P':
      return within(std::pow(10.0, unit * 6 - 3), letter == 'P');
    case 't':
    case 'T':
      return within(item % 4 == 0 ? std::pow(2.0, -100 * unit) : std::min(unit, 0x1.fffffep-1), letter == 'T');
    case 'n':
      return bits % 10;
    case 'h':
    case 'b':
      return half_bits(kind, place, item, letter == 'b');
    case 'H':
    case 'B':
      return half_bits(kind, place, item, letter == 'B') | half_bits(kind, 2 - place, kCases - 1 - item, letter == 'B')
                                                               << 16;
    default: {
      const std::uint64_t value = item < 900 ? kWhole[turn(place, item, kWhole.size())] : bits >> (item % 4 * 8);
      return letter == 'i' || letter == 'u'   ? value & 0xffffffff
             : letter == 'z' || letter == 'Z' ? value & 0xffff
                                              : value;
    }
  }
}

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list = {
      {'i', "int"},    {'u', "unsigned"},      {'l', "long long"},      {'U', "unsigned long long"},
      {'L', "long"},   {'z', "short"},         {'Z', "unsigned short"}, {'n', "int"},
      {'f', "float"},  {'d', "double"},        {'s', "float"},          {'p', "float"},
      {'t', "float"},  {'S', "double"},        {'P', "double"},         {'T', "double"},
      {'h', "__half"}, {'b', "__nv_bfloat16"}, {'H', "__half2"},        {'B', "__nv_bfloat162"}};
  return list;
}

int kind_of(char letter) {
  for (std::size_t k = 0; k < kinds().size(); ++k)
    if (kinds()[k].letter == letter) return static_cast<int>(k);
  throw std::invalid_argument(std::string("no kind of argument ") + letter);
}

std::size_t input_at(int kind, int place, int item) {
  return (static_cast<std::size_t>(kind * 3 + place) * kCases + static_cast<std::size_t>(item)) * kWords;
}

std::vector<std::uint64_t> inputs() {
  std::vector<std::uint64_t> words(input_at(static_cast<int>(kinds().size()), 0, 0));
  for (std::size_t kind = 0; kind < kinds().size(); ++kind)
    for (int place = 0; place < 3; ++place)
      for (int item = 0; item < kCases; ++item)
        words[input_at(static_cast<int>(kind), place, item)] =
            word(kinds()[kind].letter, static_cast<int>(kind), place, item);
  return words;
}

}  // namespace warpwright::built_ins

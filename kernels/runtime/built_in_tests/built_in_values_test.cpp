// Compares results of the table of built-ins with references, and with each other.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "kernels/runtime/built_in_tests/inputs.hpp"
#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/common/half.cuh"

namespace warpwright::built_ins {
namespace {

/// A floating-point format: its number of digits and its smallest exponent.
struct Format {
  int bytes, digits, lowest;
  Wide largest;
};

/// The format of a type, or of the numbers in a pair; 0 bytes for other types.
Format format_of(std::string type) {
  if (type.ends_with("&")) type.pop_back();
  if (type == "float") return {4, 24, -149, 0x1.fffffep127L};
  if (type == "double") return {8, 53, -1074, 0x1.fffffffffffffp1023L};
  if (type.starts_with("__half")) return {2, 11, -24, 65504};
  if (type.starts_with("__nv_bfloat")) return {2, 8, -133, 0x1.fep127L};
  return {0, 0, 0, 0};
}

bool is_pair(const std::string& type) {
  return type.starts_with("__half2") || type.starts_with("__nv_bfloat162");
}

Wide number(const Format& format, const std::uint64_t* words, int place) {
  const std::uint64_t bits = words[0] >> (place * format.bytes * 8);
  if (format.bytes == 8) return static_cast<Wide>(std::bit_cast<double>(bits));
  if (format.bytes == 4) return static_cast<Wide>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const auto half = static_cast<unsigned short>(bits);
  return format.digits == 11 ? detail::widened<5, 10>(half) : detail::widened<8, 7>(half);
}

/// The distance of a and b in units in the last place of b.
Wide distance(const Format& format, Wide a, Wide b, double absolute) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : INFINITY;
  if (a == b) return 0;
  // One step above the largest number represents everything beyond it.
  const Wide end = format.largest + std::ldexp(1.0L, std::ilogb(format.largest) - format.digits + 1);
  const auto within = [&](Wide value) { return std::fabs(value) > end ? std::copysign(end, value) : value; };
  const Wide apart = std::fabs(within(a) - within(b));
  if (apart <= absolute) return 0;
  const int exponent = b == 0 ? format.lowest : std::max(std::ilogb(within(b)) - format.digits + 1, format.lowest);
  return apart / std::ldexp(1.0L, exponent);
}

Wide argument(char letter, const std::uint64_t* words) {
  switch (letter) {
    case 'i':
    case 'n':
      return static_cast<std::int32_t>(words[0]);
    case 'd':
    case 'S':
    case 'P':
    case 'T':
      return std::bit_cast<double>(words[0]);
    default:
      return std::bit_cast<float>(static_cast<std::uint32_t>(words[0]));
  }
}

}  // namespace

std::string difference(const Row& row, const std::uint64_t* a, const std::uint64_t* b) {
  if (a[0] == b[0] && a[1] == b[1]) return "";
  const Format format = format_of(row.result);
  if (format.bytes != 0) {
    // Each of the two results may have the documented error.
    const double allowed = row.ulps < 0 ? 0 : 2 * row.ulps + 1;
    bool is_well = true;
    for (int place = 0; place < (is_pair(row.result) ? 2 : 1); ++place) {
      const Wide x = number(format, a, place), y = number(format, b, place);
      const bool same_zero = x != 0 || y != 0 || row.ulps >= 0 || std::signbit(x) == std::signbit(y);
      is_well = is_well && same_zero && distance(format, x, y, 2 * row.absolute) <= allowed;
    }
    if (is_well) return "";
  }
  return fmt::format("{:#x} {:#x} and {:#x} {:#x}", a[0], a[1], b[0], b[1]);
}

std::string error(const Row& row, const std::uint64_t* result, const std::vector<std::uint64_t>& inputs, int item) {
  if (!row.reference) return "";
  Wide arguments[3] = {};
  for (std::size_t place = 0; place < row.arguments.size(); ++place)
    arguments[place] =
        argument(row.arguments[place], &inputs[input_at(kind_of(row.arguments[place]), static_cast<int>(place), item)]);
  const Wide expected = row.reference(arguments[0], arguments[1], arguments[2]);
  if (expected == unknown) return "";
  const Format format = format_of(row.result);
  const Wide found = number(format, result, 0);
  const Wide off = distance(format, found, expected, row.absolute);
  // Half a unit more, since documented errors are relative to rounded references.
  if (off <= row.ulps + 0.5) return "";
  return fmt::format("{} instead of {}, off by {} units in the last place", static_cast<double>(found),
                     static_cast<double>(expected), static_cast<double>(off));
}

std::string describe(const Row& row, const std::vector<std::uint64_t>& inputs, int item) {
  std::string text = row.call + " of " + row.result;
  for (std::size_t place = 0; place < row.arguments.size(); ++place) {
    const char letter = row.arguments[place];
    const std::uint64_t* words = &inputs[input_at(kind_of(letter), static_cast<int>(place), item)];
    text += fmt::format(", {} = {:#x}", static_cast<char>('a' + place), words[0]);
    if (std::string_view("fdsptSPT").find(letter) != std::string_view::npos)
      text += fmt::format(" ({})", static_cast<double>(argument(letter, words)));
  }
  return text;
}

}  // namespace warpwright::built_ins

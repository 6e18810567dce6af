// Parses, prints and compares shapes.
#include "kernels/core/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace warpwright {
namespace {

// The value of a text that is one decimal number and nothing else.
std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// The product of `factor` and `count` factors `base`.
std::optional<std::int64_t> with_factors(std::int64_t factor, std::int64_t base, std::int64_t count) {
  constexpr std::int64_t bits = 63;  // no extent has more factors than this
  if (count > bits) return std::nullopt;
  for (std::int64_t i = 0; i < count; ++i)
    if (__builtin_mul_overflow(factor, base, &factor)) return std::nullopt;
  return factor;
}

// The value of "1e6" or "1.5e9", if it is a whole number.
std::optional<std::int64_t> scientific(std::string_view mantissa, std::string_view power) {
  const std::size_t dot = mantissa.find('.');
  std::string digits(mantissa.substr(0, dot));
  std::int64_t decimals = 0;
  if (dot != std::string_view::npos) {
    std::string_view behind = mantissa.substr(dot + 1);
    if (digits.empty() || behind.empty()) return std::nullopt;
    while (behind.ends_with('0')) behind.remove_suffix(1);
    decimals = static_cast<std::int64_t>(behind.size());
    digits += behind;
  }
  const auto value = whole_number(digits), tens = whole_number(power);
  if (!value || !tens || *tens < decimals) return std::nullopt;
  return with_factors(*value, 10, *tens - decimals);
}

// The value of "8192", "2^13" or "1e6".
std::optional<std::int64_t> extent_of(std::string_view text) {
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos)
    return scientific(text.substr(0, e), text.substr(e + 1));
  const std::size_t hat = text.find('^');
  const auto base = whole_number(text.substr(0, hat));
  if (!base || hat == std::string_view::npos) return base;
  const auto exponent = whole_number(text.substr(hat + 1));
  return exponent ? with_factors(1, *base, *exponent) : std::nullopt;
}

}  // namespace

Shape parse_shape(std::string_view text) {
  Shape shape;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find('x');
    const auto extent = extent_of(rest.substr(0, end));
    if (!extent)
      throw std::invalid_argument(
          fmt::format("'{}' is not a size: write 1024, 2^20, 1e6 or, with one number a dimension, 8192x8192", text));
    shape.push_back(*extent);
    if (end == std::string_view::npos) return shape;
    rest.remove_prefix(end + 1);
  }
}

std::string shape_text(const Shape& shape) {
  return fmt::format("{}", fmt::join(shape, "x"));
}

std::string short_shape(std::string_view shape) {
  constexpr std::uint64_t plain_below = 1 << 16;
  std::string text;
  while (!shape.empty()) {
    const std::string_view extent = shape.substr(0, shape.find('x'));
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), count);
    const bool is_count = error == std::errc() && end == extent.data() + extent.size();
    if (is_count && count >= plain_below && std::has_single_bit(count))
      text += fmt::format("2^{}", std::countr_zero(count));
    else
      text += extent;
    shape.remove_prefix(extent.size());
    if (shape.empty()) break;
    text += 'x';
    shape.remove_prefix(1);
  }
  return text;
}

double shape_distance(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return no_distance;
  double distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    distance += std::abs(std::log2(static_cast<double>(a[i]) + 1) - std::log2(static_cast<double>(b[i]) + 1));
  return distance;
}

}  // namespace warpwright

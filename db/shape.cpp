// Extents read from text, written and compared.
#include "db/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace warpwright::db {
namespace {

// The number that all of a text is.
std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// Of "8192" or "2^13".
std::optional<std::int64_t> extent_of(std::string_view text) {
  const std::size_t hat = text.find('^');
  const auto base = whole_number(text.substr(0, hat));
  if (!base || hat == std::string_view::npos) return base;
  const auto exponent = whole_number(text.substr(hat + 1));
  constexpr std::int64_t bits = 63;  // more factors than bits are needed by no extent
  if (!exponent || *exponent > bits) return std::nullopt;
  std::int64_t product = 1;
  for (std::int64_t i = 0; i < *exponent; ++i)
    if (__builtin_mul_overflow(product, *base, &product)) return std::nullopt;
  return product;
}

}  // namespace

Shape parse_shape(std::string_view text) {
  Shape shape;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find('x');
    const auto extent = extent_of(rest.substr(0, end));
    if (!extent)
      throw std::invalid_argument(
          fmt::format("'{}' is not a size. Write a number a dimension: 8192x8192, 67108864 or 2^20x4.", text));
    shape.push_back(*extent);
    if (end == std::string_view::npos) return shape;
    rest.remove_prefix(end + 1);
  }
}

std::string shape_text(const Shape& shape) {
  return fmt::format("{}", fmt::join(shape, "x"));
}

double shape_distance(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return no_distance;
  double distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    distance += std::abs(std::log2(static_cast<double>(a[i]) + 1) - std::log2(static_cast<double>(b[i]) + 1));
  return distance;
}

}  // namespace warpwright::db

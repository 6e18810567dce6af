// Draws the largest error of a kernel as a dot on a logarithmic axis that ends at the bound or beyond.
#include "reports/charts/error_strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr int smallest_shown = -9;
constexpr int largest_shown = 6;

// "0.1", "10": a power of ten, in % of the bound.
std::string percent_of_bound(int exponent) {
  return tick(100 * std::pow(10, exponent));
}

}  // namespace

double ErrorAxis::at(double error) const {
  const double log = std::clamp(std::log10(error), static_cast<double>(smallest), static_cast<double>(largest));
  return 100 * (log - smallest) / (largest - smallest);
}

ErrorAxis error_axis(const std::vector<std::optional<double>>& errors) {
  ErrorAxis axis;
  for (const std::optional<double>& error : errors) {
    if (!error || !(*error > 0)) continue;
    const double log = std::isfinite(*error) ? std::log10(*error) : largest_shown;
    axis.smallest = std::max(smallest_shown, std::min(axis.smallest, static_cast<int>(std::floor(log))));
    axis.largest = std::min(largest_shown, std::max(axis.largest, static_cast<int>(std::ceil(log))));
  }
  return axis;
}

std::string error_header(const ErrorAxis& axis) {
  std::string svg = "<svg class='error-axis' aria-hidden='true'>";
  const int stride = (axis.largest - axis.smallest + 4) / 5;
  for (int exponent = axis.smallest; exponent <= axis.largest; ++exponent) {
    // Ticks are counted from the bound, which always has one.
    if (exponent % stride != 0) continue;
    const bool ends = exponent == axis.smallest || exponent == axis.largest;
    const std::string side = !ends ? "middle" : exponent == axis.smallest ? "first" : "last";
    svg += fmt::format("<text class='{}' x='{}%' y='.9em'>{}{}</text>", side, place(axis.at(std::pow(10, exponent))),
                       percent_of_bound(exponent), exponent == 0 ? " %" : "");
  }
  return svg + "</svg>";
}

std::string error_strip(std::optional<double> error, const ErrorAxis& axis) {
  if (!error) return "<span class='no-error'>not known</span>";
  if (*error == 0) return "<span class='no-error'>exact</span>";
  std::string svg;
  for (int exponent = axis.smallest; exponent <= axis.largest; ++exponent) {
    svg += upright(exponent == 0 ? "ceiling" : "grid", axis.at(std::pow(10, exponent)));
  }
  return fmt::format("<svg class='error' aria-hidden='true'>{}<circle class='dot{}' cx='{}%' cy='50%'/></svg>", svg,
                     *error > 1 ? " bad" : "", place(axis.at(*error)));
}

}  // namespace warpwright::reports::charts

// Draws the speeds of libraries beside ours, on one axis for all rows of a table.
#include "reports/charts/speed_strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr int slowest_shown = -6;  // 1/64
constexpr int fastest_shown = 3;   // 8 times ours
constexpr double margin = 0.35;    // in octaves, on both sides

struct Speed {
  Whose whose;
  std::string name;
  double speed;
};

// The known speeds, in the order in which they are drawn: the vendor's on top.
std::vector<Speed> speeds_of(const SpeedStrip& strip) {
  std::vector<Speed> speeds;
  const auto add = [&](Whose whose, const std::string& name, const std::optional<double>& speed) {
    if (strip.measured && speed && *speed > 0) speeds.push_back({whose, name, *speed});
  };
  add(Whose::kokkos_default, "Kokkos default", strip.kokkos_default);
  add(Whose::kokkos_tuned, "Kokkos tuned", strip.kokkos_tuned);
  add(Whose::vendor, strip.vendor_name.empty() ? "vendor" : strip.vendor_name, strip.vendor);
  return speeds;
}

std::string power_of_two(int exponent) {
  return exponent < 0 ? fmt::format("1/{}", 1 << -exponent) : std::to_string(1 << exponent);
}

}  // namespace

double StripAxis::at(double speed) const {
  return 100 * (std::log2(speed) - slowest + margin) / (fastest - slowest + 2 * margin);
}

StripAxis strip_axis(const std::vector<SpeedStrip>& rows) {
  StripAxis axis;
  for (const SpeedStrip& row : rows) {
    for (const Speed& one : speeds_of(row)) {
      const double log = std::log2(one.speed);
      axis.slowest = std::max(slowest_shown, std::min(axis.slowest, static_cast<int>(std::floor(log + margin))));
      axis.fastest = std::min(fastest_shown, std::max(axis.fastest, static_cast<int>(std::ceil(log - margin))));
    }
  }
  return axis;
}

std::string strip_grid(const StripAxis& axis) {
  const double one = axis.at(1);
  std::string svg = fmt::format(
      "<svg class='definitions' width='0' height='0' aria-hidden='true'><defs><g id='strip-grid'>"
      "<rect class='strip-faster' x='{}%' width='{}%' height='100%'/>",
      place(one), place(100 - one));
  for (int exponent = axis.slowest; exponent <= axis.fastest; ++exponent) {
    if (exponent != 0) svg += upright("grid", axis.at(std::exp2(exponent)));
  }
  return svg + upright("one", one) + mark(Whose::ours, one) + "</g></defs></svg>\n";
}

std::string strip_header(const StripAxis& axis) {
  std::string svg = "<svg class='strip-axis' aria-hidden='true'>";
  const int stride = axis.fastest - axis.slowest > 7 ? 2 : 1;
  for (int exponent = axis.slowest; exponent <= axis.fastest; ++exponent) {
    if (exponent % stride != 0) continue;
    svg += fmt::format("<text class='middle{}' x='{}%' y='.9em'>{}</text>", exponent == 0 ? " one" : "",
                       place(axis.at(std::exp2(exponent))), power_of_two(exponent));
  }
  return svg + "</svg>";
}

std::string speed_strip(const SpeedStrip& strip, const StripAxis& axis) {
  const std::vector<Speed> speeds = speeds_of(strip);
  if (!strip.measured) return "<svg class='strip' aria-hidden='true'></svg>";
  if (speeds.empty()) return "<svg class='strip' aria-hidden='true'><use href='#strip-grid'/></svg>";
  std::string words;
  std::string marks;
  double from = axis.at(1);
  double to = from;
  for (const Speed& one : speeds) {
    words = fmt::format(", {} {}", one.name, ratio(one.speed)) + words;
    const double x = axis.at(one.speed);
    const double shown = std::clamp(x, 1.5, 98.5);
    marks += mark(one.whose, shown, 50);
    if (x < 0) marks += mark("slower", 0, 50);
    if (x > 100) marks += mark("faster", 100, 50);
    from = std::min(from, shown);
    to = std::max(to, shown);
  }
  return fmt::format(
      "<svg class='strip' role='img'><title>Speed, ours = 1: {}</title><use href='#strip-grid'/>"
      "<line class='reach' x1='{}%' x2='{}%' y1='50%' y2='50%'/>{}</svg>",
      escape(words.substr(2)), place(from), place(to), marks);
}

}  // namespace warpwright::reports::charts

// Draws kernels below the roof of a board, zoomed to the kernels, and the whole roof as an inset.
#include "reports/charts/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr Taken inset{2, 2, 37, 33};

// Where the slope meets the flat roof.
std::optional<double> ridge_of(const Roofline& chart) {
  if (!chart.memory_gbs || !chart.peak_gops) return std::nullopt;
  return *chart.peak_gops / *chart.memory_gbs;
}

// The whole roof is shown in an inset if the plot does not show it.
bool has_inset(const Roofline& chart, const Scale& across) {
  const std::optional<double> ridge = ridge_of(chart);
  return ridge && !across.holds(*ridge);
}

Scale roofline_across(const Roofline& chart) {
  std::vector<double> values;
  for (const RooflineDot& dot : chart.dots) values.push_back(dot.operations_per_byte.value_or(0));
  if (chart.least_bytes_at) values.push_back(*chart.least_bytes_at);
  const Scale axis = around(values, 4, 0.1);
  const std::optional<double> ridge = ridge_of(chart);
  // Extends the axis to a ridge that is near.
  if (!ridge || *ridge < axis.low() / 4 || *ridge > axis.high() * 4) return axis;
  values.push_back(*ridge);
  return around(values, 4, 0.1);
}

// The vertical axis includes the dots and the roof above them, and leaves the corner of the inset free.
Scale roofline_up(const Roofline& chart, const Scale& across) {
  std::vector<double> values;
  double in_corner = 0;  // the highest dot below the inset
  const double corner = across.low() * std::pow(across.high() / across.low(), inset.right / 100 + 0.02);
  for (const RooflineDot& dot : chart.dots) {
    values.push_back(dot.gops);
    if (dot.operations_per_byte.value_or(0) < corner) in_corner = std::max(in_corner, dot.gops);
  }
  for (const double x : {across.low(), across.high()}) values.push_back(roof_at(chart, x));
  if (std::isfinite(roof_at(chart, corner))) in_corner = std::max(in_corner, roof_at(chart, corner));
  const Scale axis = around(values, 4, 0.08);
  if (!has_inset(chart, across) || !(in_corner > 0)) return axis;
  const double high = axis.low() * std::pow(in_corner / axis.low(), 100 / (96 - inset.bottom));
  return {Growth::logarithmic, axis.low(), std::max(axis.high(), high)};
}

// The roof as a line from edge to edge.
Points roof_line(const Roofline& chart, const Scale& across, const Scale& up) {
  Points points;
  const auto add = [&](double x) {
    if (std::isfinite(roof_at(chart, x))) points.push_back(Point{across.at(x), 100 - up.at(roof_at(chart, x))});
  };
  add(across.low());
  const std::optional<double> ridge = ridge_of(chart);
  if (ridge && across.holds(*ridge)) add(*ridge);
  add(across.high());
  return points;
}

// Boxes along the roof, where no label may be.
std::vector<Taken> along(const Points& roof) {
  std::vector<Taken> taken;
  for (std::size_t i = 1; i < roof.size(); ++i) {
    for (int step = 0; step <= 30; ++step) {
      const double x = std::lerp(roof[i - 1]->x, roof[i]->x, step / 30.0);
      const double y = std::lerp(roof[i - 1]->y, roof[i]->y, step / 30.0);
      taken.push_back({x - 1, y - 0.5, x + 1, y + 0.5});
    }
  }
  return taken;
}

// The whole roof, with the zoomed part as a frame.
std::string whole_roof(const Roofline& chart, const Scale& across, const Scale& up) {
  const std::optional<double> ridge = ridge_of(chart);
  if (!has_inset(chart, across)) return "";
  const Scale x = around({across.low(), across.high(), *ridge / 4, *ridge * 4}, 4, 0);
  const Scale y = around({up.low(), up.high(), *chart.peak_gops, roof_at(chart, x.low())}, 4, 0.05);
  const double left = x.clamped(across.low());
  const double top = 100 - y.clamped(up.high());
  return fmt::format(
      "<svg class='inset' x='{}%' y='{}%' width='{}%' height='{}%'><rect class='frame' width='100%' height='100%'/>{}"
      "<rect class='zoomed' x='{}%' y='{}%' width='{}%' height='{}%'/>{}</svg>",
      place(inset.left), place(inset.top), place(inset.right - inset.left), place(inset.bottom - inset.top),
      lines(path("ceiling", path_data(roof_line(chart, x, y)))), place(left), place(top),
      place(x.clamped(across.high()) - left), place(100 - y.clamped(up.low()) - top),
      text("note full edge", 97, 99, chart.peak_name));
}

// A roof's name; what follows its comma is left out on a phone.
std::string roof_name(const std::string& classes, double x, double y, const std::string& name) {
  const std::size_t comma = std::min(name.find(", "), name.size());
  const std::string rest = name.substr(comma);
  return fmt::format("<text class='note {}' x='{}%' y='{}%'>{}{}</text>", classes, place(x), place(y),
                     escape(name.substr(0, comma)),
                     rest.empty() ? "" : "<tspan class='full'>" + escape(rest) + "</tspan>");
}

std::string roofline_sentence(const Roofline& chart) {
  const auto best = std::ranges::min_element(chart.dots, {}, [](const RooflineDot& dot) { return dot.kernel.rank; });
  std::string words =
      fmt::format("Roofline of {} kernels; {} at {} Gop/s", chart.dots.size(), best->kernel.name, rate_gbs(best->gops));
  if (!best->operations_per_byte) return words + ", its bytes are not known";
  words += fmt::format(" and {:.3g} operations a byte", *best->operations_per_byte);
  const double roof = roof_at(chart, *best->operations_per_byte);
  if (!std::isfinite(roof)) return words + ", no roof";
  return words + fmt::format(", {} a roof of {} Gop/s", best->gops > roof ? "above" : "below", rate_gbs(roof));
}

}  // namespace

double roof_at(const Roofline& chart, double operations_per_byte) {
  const double none = std::numeric_limits<double>::infinity();
  const double slope = chart.memory_gbs ? *chart.memory_gbs * operations_per_byte : none;
  return std::min(slope, chart.peak_gops.value_or(none));
}

std::string roofline(const Roofline& chart) {
  if (chart.dots.empty()) return instead("No kernel was timed, so there is no roofline.");
  const Scale across = roofline_across(chart);
  const Scale up = roofline_up(chart, across);
  const Points roof = roof_line(chart, across, up);
  std::vector<Taken> taken = along(roof);
  Plot plot("tall", roofline_sentence(chart));
  plot.across(across, Plot::ticks_of(across), "operations a byte moved");
  plot.up(up, Plot::ticks_of(up), "Gop/s");
  if (chart.least_bytes_at) {
    const double x = across.at(*chart.least_bytes_at);
    const double width = 2.6 * static_cast<double>(chart.least_bytes_name.size());  // on a phone
    bool before = x > width + 2;
    const Taken low = before ? Taken{x - width, 91, x, 100} : Taken{x, 90, x + width, 98};
    const bool is_free = std::ranges::none_of(chart.dots, [&](const RooflineDot& dot) {
      const double at = dot.operations_per_byte ? across.at(*dot.operations_per_byte) : 0;
      return at > low.left - 2 && at < low.right + 2 && 100 - up.at(dot.gops) > low.top - 2;
    });
    const double y = is_free ? 98 : 6;  // at the foot of the line, or at its head, but not on the inset
    if (!is_free && has_inset(chart, across)) before = x > inset.right + width;
    plot.add(upright("least", x) + text(before ? "note before" : "note over-left", x, y, chart.least_bytes_name));
    taken.push_back(is_free ? low : Taken{before ? x - width : x, 0, before ? x : x + width, 8});
  }
  plot.add(lines(path("ceiling", path_data(roof))));
  const std::optional<double> ridge = ridge_of(chart);
  const bool flat = chart.peak_gops && (!ridge || *ridge < across.high());
  const bool sloped = chart.memory_gbs && (!ridge || *ridge > across.low());
  if (flat) {
    const double y = 100 - up.at(*chart.peak_gops);
    plot.add(roof_name("over", 99, y, chart.peak_name));
    taken.push_back({60, y - 7, 100, y});
  }
  if (sloped && !flat) {
    const double y = roof.back()->y;
    plot.add(roof_name("over", 99, y, chart.memory_name));
    taken.push_back({50, y - 7, 100, y});
  } else if (sloped) {
    const double on_slope = std::max(*ridge / 3, across.low());
    const double x = across.at(on_slope);
    const double y = 100 - up.at(roof_at(chart, on_slope));
    const double width = 1.4 * static_cast<double>(chart.memory_name.size());
    plot.add(roof_name(x > width ? "over" : "under", x, y, chart.memory_name));
    taken.push_back(x > width ? Taken{x - width, y - 7, x, y} : Taken{x, y, x + width + 2, y + 8});
  }
  if (const std::string whole = whole_roof(chart, across, up); !whole.empty()) {
    plot.add(whole);
    taken.push_back(inset);
  }
  std::vector<KernelDot> dots;  // those whose bytes are not known are marks on the upright axis
  for (const RooflineDot& dot : chart.dots) {
    const bool traced = dot.operations_per_byte.has_value();
    dots.push_back({.kernel = dot.kernel,
                    .at = {traced ? across.at(*dot.operations_per_byte) : 0, 100 - up.at(dot.gops)},
                    .hollow = dot.predicted,
                    .tooltip = fmt::format(
                        "{} {}: {} Gop/s, {}, {} {}", dot.kernel.rank, dot.kernel.name, rate_gbs(dot.gops),
                        traced ? fmt::format("{:.3g} operations a byte", *dot.operations_per_byte) : "bytes not traced",
                        time_us(dot.us), micro_seconds),
                    .untraced = !traced});
  }
  taken.push_back({-5, -5, 0.5, 105});  // the ticks
  plot.add(std::move(dots), taken);
  return plot.html();
}

}  // namespace warpwright::reports::charts

// Draws predicted times over measured ones, with the line where both agree.
#include "reports/charts/model_scatter.hpp"

#include <fmt/format.h>

#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

// The band around the diagonal, as a polygon that ends at the plot's edges.
std::string equal_band(const Scale& axis, double band) {
  const double width = axis.at(axis.low() * (1 + band));
  const double rest = 100 - width;
  return fmt::format("M0 {1} {1} 0 100 0 100 {0} {0} 100 0 100z", place(width), place(rest));
}

}  // namespace

std::string model_scatter(const ModelScatter& chart) {
  if (chart.dots.empty()) return instead("No kernel has both a measured and a predicted time.");
  std::vector<double> times;
  for (const ModelDot& dot : chart.dots) times.insert(times.end(), {dot.measured_us, dot.predicted_us});
  const Scale axis = around(times, 4);
  Plot plot("tall", fmt::format("Predicted over measured best times of {} kernels, from {} to {} {}", chart.dots.size(),
                                time_us(axis.low()), time_us(axis.high()), micro_seconds));
  const std::string unit = std::string(", ") + micro_seconds;
  plot.across(axis, Plot::ticks_of(axis), "measured best" + unit);
  plot.up(axis, Plot::ticks_of(axis), "predicted best" + unit);
  plot.add(lines((chart.band > 0 ? path("equal", equal_band(axis, chart.band)) : "") + path("same", "M0 100 100 0")));
  std::vector<KernelDot> dots;
  std::vector<Taken> diagonal;
  for (int at = 0; at <= 100; at += 2) diagonal.push_back({at - 1.0, 99.0 - at, at + 1.0, 101.0 - at});
  for (const ModelDot& dot : chart.dots) {
    dots.push_back({dot.kernel,
                    {axis.at(dot.measured_us), 100 - axis.at(dot.predicted_us)},
                    false,
                    fmt::format("{} {}: predicted {}, measured {} {}", dot.kernel.rank, dot.kernel.name,
                                time_us(dot.predicted_us), time_us(dot.measured_us), micro_seconds)});
  }
  plot.add(std::move(dots), diagonal);
  return plot.html();
}

}  // namespace warpwright::reports::charts

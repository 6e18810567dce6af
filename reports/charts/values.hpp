// Shared by several charts: whose a time is, its confidence interval, and how a kernel is named.
#pragma once

#include <optional>
#include <string>

// Every chart is a function from plain values to markup: SVG, within HTML where words stand beside it. Times are in us
// (microseconds), rates in GB/s, shares are fractions (0.5 is half). An unknown value is std::nullopt, never 0; a chart
// then draws a gap or says in words what is missing. All names are plain text: the charts escape them. The page has
// charts.css in its styles, and definitions() (svg.hpp) once, before the first chart.
namespace warpwright::reports::charts {

// Whose time it is. It decides the colour and the shape of the mark.
enum class Whose { ours, vendor, kokkos_tuned, kokkos_default, ceiling };

// A confidence interval: of a time in us, or of a ratio.
struct Interval {
  double low = 0;
  double high = 0;
};

// A kernel as charts name it. Its rank in the ladder (1 is the best) names it in every chart of a problem.
struct Kernel {
  int rank = 0;  // 0: it has no time, so it has no rank
  std::string name{};

  bool best() const { return rank == 1; }
};

}  // namespace warpwright::reports::charts

// Speed strip: the speeds of libraries relative to ours, on one logarithmic axis for all rows of a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

// Speeds relative to ours: our time divided by theirs, so 2 is twice as fast as ours. Empty: not measured.
struct SpeedStrip {
  std::optional<double> vendor{};
  std::string vendor_name{};  // "CUB"; empty: "vendor"
  std::optional<double> kokkos_tuned{};
  std::optional<double> kokkos_default{};
  bool measured = true;  // whether our time is measured; a predicted one is not compared, and the strip is empty
};

// The range of speeds in all rows of a table, as powers of two, such as 1/32 to 2. Speeds outside are drawn as arrows
// at the edge.
struct StripAxis {
  int slowest = -3;  // log2 of the slowest speed
  int fastest = 1;   // log2 of the fastest speed, at least 1

  // The position of a speed, in percent of the strip's width.
  double at(double speed) const;
};
StripAxis strip_axis(const std::vector<SpeedStrip>& rows);

// The grid of all strips with this axis, as a hidden <svg> with an id that the strips use: once per page, before them.
std::string strip_grid(const StripAxis&);
// The header of the column: 1/32 ... 1 ... 2. The page puts legend() beside it.
std::string strip_header(const StripAxis&);
// An <svg class="strip">.
std::string speed_strip(const SpeedStrip&, const StripAxis&);

}  // namespace warpwright::reports::charts

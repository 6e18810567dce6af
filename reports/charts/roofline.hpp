// Roofline: whether memory or arithmetic limits each kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

struct RooflineDot {
  Kernel kernel{};
  std::optional<double> operations_per_byte{};  // for the bytes that the simulator traced; empty: not traced
  double gops = 0;                              // 10^9 operations per second
  double us = 0;
  bool predicted = false;  // a hollow dot
};

struct Roofline {
  std::vector<RooflineDot> dots{};
  std::optional<double> memory_gbs{};      // rate of a copy or read; empty: no slope is drawn
  std::string memory_name{};               // "memory: 4,291 GB/s, a copy"
  std::optional<double> peak_gops{};       // of the arithmetic; empty: no flat roof is drawn
  std::string peak_name{};                 // "28.2 Tadd/s"
  std::optional<double> least_bytes_at{};  // operations per byte of a kernel that moves the least bytes
  std::string least_bytes_name{};          // "least bytes: 8 an element"
};

// The height of the roof in Gop/s; infinite without one.
double roof_at(const Roofline&, double operations_per_byte);

// A <div class="plot tall">: zoomed to the kernels, the whole roof as an inset. A kernel that was not traced is a mark
// on the vertical axis. A sentence if there is nothing to draw.
std::string roofline(const Roofline&);

}  // namespace warpwright::reports::charts

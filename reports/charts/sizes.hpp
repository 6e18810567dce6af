// Sizes: time, rate and ratio over the size of a problem, and the fastest kernel at each size.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

struct SizePoint {
  double size = 0;             // elements
  std::optional<double> us{};  // empty: not timed at this size, a gap in the line
  std::optional<double> gbs{};
};

struct SizeSeries {
  Whose whose = Whose::ours;
  Kernel kernel{};                  // a library has rank 0
  bool overall = false;             // the best of all our kernels at each size: the thick blue line
  bool predicted = false;           // a dashed line
  std::vector<SizePoint> points{};  // by ascending size
};

// The ratios of a vendor's library.
struct SizeRatio {
  std::string name{};                                              // "CUB"
  std::vector<std::pair<double, std::optional<double>>> points{};  // size, and its time divided by ours
};

// The kernel that is the fastest at a size.
struct SizeWinner {
  double size = 0;
  Kernel kernel{};
};

struct Sizes {
  std::vector<SizeSeries> series{};
  std::vector<SizeRatio> ratios{};
  std::vector<SizeWinner> winners{};  // by ascending size
  std::optional<double> ceiling_gbs{};
  std::string ceiling_name{};  // "a copy, 4,291 GB/s"
};

// Each is a <div class="plot">, or a sentence if there is nothing to draw. All have the same axis of sizes.
std::string size_times(const Sizes&);   // log-log
std::string size_rates(const Sizes&);   // GB/s, linear from 0
std::string size_ratios(const Sizes&);  // times divided by ours, logarithmic, with a line at 1
// A <div class="winners">: the fastest kernel from size to size, hatched between sizes with different ones. It fits
// under size_times. Empty for fewer than two sizes.
std::string size_winners(const Sizes&);

}  // namespace warpwright::reports::charts

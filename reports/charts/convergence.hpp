// Convergence: the best time that a search had found, over configurations or seconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

// A configuration that the search tried.
struct SearchTrial {
  double configurations = 0;        // its number, from 1
  std::optional<double> seconds{};  // since the search began
  double us = 0;
};

// The search over one kernel.
struct SearchCourse {
  Kernel kernel{};
  bool predicted = false;             // a dashed line
  std::vector<SearchTrial> trials{};  // with a time, in order; the line is the best so far
  double configurations = 0;          // total number tried, with or without a time: the end of the line
  std::optional<double> seconds{};    // duration of the search
};

enum class SearchAxis { configurations, seconds };

struct Convergence {
  std::vector<SearchCourse> courses{};  // of all kernels; the three of the best ranks have a line
  SearchAxis axis = SearchAxis::configurations;
  double equal_within = 0;  // times this close to the best are tied with it: a tinted band. 0.1 is 10 %; 0: no band
};

// A <div class="plot">: steps of the best so far, all trials as faint dots (at most 2,000, every n-th), and below it
// what the dots and the band are. Trials over five times the best lie on the edge, and words say so. A sentence if
// nothing was tried, or if no seconds are known.
std::string convergence(const Convergence&);

}  // namespace warpwright::reports::charts

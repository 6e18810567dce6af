// What the charts' SVG has in common: the definitions that a page holds once, marks, lines, frames and axes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

// The marks and hatchings that charts refer to: one hidden <svg>. A page has it once, before its first chart.
std::string definitions();

// A legend's entry: the mark, then the words ("ours", "vendor", "Kokkos tuned", "default").
std::string legend_mark(Whose);
std::string legend(const std::vector<std::pair<Whose, std::string>>& entries);

}  // namespace warpwright::reports::charts

// Share bar: the share of the ceiling that the best kernel reaches.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

struct ShareBar {
  std::optional<double> share{};  // of the ceiling, 0.5 for half. Empty: there is no ceiling, a dashed box is drawn
  std::vector<double> others{};   // shares of other problems, in any order: one tick each
  bool predicted = false;         // a hatched bar
};

// An <svg class="share"> as wide as its box; the page puts the number beside it. It ends at 100 %; an arrow marks a
// larger share.
std::string share_bar(const ShareBar&);
// The header of the column: 0, 50 and 100 %.
std::string share_axis();

}  // namespace warpwright::reports::charts

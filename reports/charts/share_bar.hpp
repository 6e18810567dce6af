// Share bar: how much of the ceiling a best kernel reaches.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

struct ShareBar {
  std::optional<double> share{};  // of the ceiling, 0.5 for half. Nothing: there is no ceiling, a dashed box is drawn
  std::vector<double> others{};   // shares of other problems, in any order: a tick each
  bool predicted = false;         // a hatched bar
};

// An <svg class="share"> as wide as its box; the number stands beside it in the page's own words. It ends at 100 %; an
// arrow says that a share lies beyond.
std::string share_bar(const ShareBar&);
// The head of the column: 0, 50 and 100 %.
std::string share_axis();

}  // namespace warpwright::reports::charts

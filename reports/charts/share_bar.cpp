// Draws the bar of a share, with ticks for other problems.
#include "reports/charts/share_bar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

double in_percent(double share) {
  return std::clamp(100 * share, 0.0, 100.0);
}

std::string sentence_about(const ShareBar& bar) {
  std::string words = bar.share ? share_text(*bar.share) + " of the ceiling" : "no ceiling";
  if (bar.predicted && bar.share) words += ", predicted";
  if (bar.others.empty()) return words;
  const auto [least, most] = std::ranges::minmax(bar.others);
  return words + (bar.others.size() == 1 ? "; 1 other problem: " + share_text(least)
                                         : fmt::format("; {} other problems: {} to {}", bar.others.size(),
                                                       share_text(least), share_text(most)));
}

}  // namespace

std::string share_bar(const ShareBar& bar) {
  std::string svg = fmt::format("<svg class='share{}' role='img'><title>{}</title><rect class='track' width='100%'/>",
                                bar.share ? "" : " unknown", escape(sentence_about(bar)));
  if (bar.share) {
    svg += fmt::format("<rect class='{}' width='{}%'/>", bar.predicted ? "hatched" : "fill",
                       place(in_percent(*bar.share)));
  }
  for (const double share : bar.others) svg += upright("tick", in_percent(share));
  if (bar.share && *bar.share > 1.0005) svg += mark("faster", 100, 50);
  return svg + "</svg>";
}

std::string share_axis() {
  return "<svg class='share-axis' aria-hidden='true'><text class='first' x='0%' y='.9em'>0</text>"
         "<text class='middle' x='50%' y='.9em'>50</text><text class='last' x='100%' y='.9em'>100</text></svg>";
}

}  // namespace warpwright::reports::charts

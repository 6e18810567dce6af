// Draws how much of a space was tried.
#include "reports/charts/searched_bar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"

namespace warpwright::reports::charts {

std::string searched_bar(const SearchedBar& bar) {
  std::string svg;
  if (bar.share)
    svg = fmt::format("<svg aria-hidden='true'><rect class='track' width='100%'/><rect class='{}' width='{}%'/></svg>",
                      bar.predicted ? "hatched" : "fill", place(100 * std::clamp(*bar.share, 0.0, 1.0)));
  return fmt::format("<span class='searched' title='{}{}'>{}<span>{}</span></span>", escape(bar.sentence),
                     bar.predicted ? ", on the model" : "", svg, escape(bar.words));
}

}  // namespace warpwright::reports::charts

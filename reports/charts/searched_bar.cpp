// Draws how much of a space was tried, and says it in words.
#include "reports/charts/searched_bar.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/text.hpp"
#include "reports/charts/numbers.hpp"

namespace warpwright::reports::charts {
namespace {

// Whole percent from 1; nothing that is not all is "100 %".
std::string words_of_part(double part) {
  if (part >= 1) return "100 %";
  if (part < 0.00095) return fmt::format("{:.1g} %", 100 * part);
  if (part < 0.0095) return share_text(part);
  return fmt::format("{:.0f} %", std::min(99.0, 100 * part));
}

}  // namespace

std::string searched_bar(const SearchedBar& bar) {
  if (!bar.space || *bar.space <= 0) {
    return fmt::format("<span class='searched' title='the size of the space is not known'>{} tried</span>",
                       grouped(bar.tried));
  }
  const double part = std::min(1.0, static_cast<double>(bar.tried) / static_cast<double>(*bar.space));
  return fmt::format(
      "<span class='searched' title='{} of {}{}'><svg aria-hidden='true'><rect class='track' width='100%'/>"
      "<rect class='{}' width='{}%'/></svg><span>{}</span></span>",
      grouped(bar.tried), counted(*bar.space, "configuration"), bar.predicted ? ", on the model" : "",
      bar.predicted ? "hatched" : "fill", place(100 * part), words_of_part(part));
}

}  // namespace warpwright::reports::charts

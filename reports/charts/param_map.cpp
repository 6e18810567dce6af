// Draws the best times over the values of two params, and the variance that each param explains.
#include "reports/charts/param_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

std::string map_cell(const ParamCell& cell, double best, bool is_best) {
  if (!cell.best_us) return "<td class='none' aria-label='not tried'></td>";
  const double blue = std::max(0.0, 1 - std::log2(*cell.best_us / best));
  return fmt::format("<td{} style='--c:{}%'><span>{}</span><small>{} {}</small></td>", is_best ? " class='best'" : "",
                     place(std::round(4 + 48 * blue)), time_us(*cell.best_us), is_best ? "best of" : "of", cell.count);
}

}  // namespace

std::string param_map(const ParamMap& map) {
  double best = std::numeric_limits<double>::infinity();
  for (const std::vector<ParamCell>& row : map.cells) {
    for (const ParamCell& cell : row) best = std::min(best, cell.best_us.value_or(best));
  }
  if (!std::isfinite(best)) return instead("No configuration with these params has a time.");
  const std::string down = map.down.empty() ? "" : ", " + escape(map.down) + " down";
  std::string html = fmt::format("<div class='map'><table><caption>{} across{}; {}</caption><thead><tr><td></td>",
                                 escape(map.across), down, micro_seconds);
  for (const std::string& value : map.across_values) html += "<th scope='col'>" + escape(value) + "</th>";
  html += "</tr></thead><tbody>\n";
  bool marked = false;  // only one of several equal cells is marked as the best
  for (std::size_t row = 0; row < map.cells.size(); ++row) {
    html += "<tr><th scope='row'>" + escape(map.down_values.at(row)) + "</th>";
    for (const ParamCell& cell : map.cells[row]) {
      const bool is_best = !marked && cell.best_us == best;
      marked = marked || is_best;
      html += map_cell(cell, best, is_best);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string effect_bars(const std::vector<ParamEffect>& effects) {
  std::string html = "<ul class='effects'>\n";
  for (const ParamEffect& effect : effects) {
    html += fmt::format(
        "<li{}><span title='{}'>{}</span><svg aria-hidden='true'><rect class='track' width='100%'/><rect class='fill' "
        "width='{}%'/></svg><b>{:.0f}\u00A0%</b></li>\n",
        effect.mapped ? " class='mapped'" : "", escape(effect.name), escape(effect.name),
        place(std::clamp(100 * effect.share, 0.0, 100.0)), 100 * effect.share);
  }
  return html + "</ul>\n";
}

}  // namespace warpwright::reports::charts

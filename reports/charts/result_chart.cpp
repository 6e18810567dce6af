// Draws our best kernel between its ceiling and the libraries, one row each.
#include "reports/charts/result_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

// The first row of this kind that has a time.
const ResultRow* timed_row(const ResultChart& chart, Whose whose) {
  const auto found = std::ranges::find_if(chart.rows, [&](const ResultRow& r) { return r.whose == whose && r.us; });
  return found == chart.rows.end() ? nullptr : &*found;
}

Scale result_axis(const ResultChart& chart) {
  std::vector<double> values;
  for (const ResultRow& row : chart.rows) {
    if (row.us) values.push_back(*row.us);
    if (row.us && row.interval_us) values.insert(values.end(), {row.interval_us->low, row.interval_us->high});
  }
  return around(values, 2, 0.08);
}

// The background of all rows: the grid, the range that no kernel can reach, our time.
std::string result_ground(const ResultChart& chart, const Scale& axis) {
  std::string svg;
  for (const double value : axis.ticks(4)) svg += upright("grid", axis.at(value));
  if (const ResultRow* ceiling = timed_row(chart, Whose::ceiling)) {
    const double x = axis.at(*ceiling->us);
    svg += fmt::format("<rect class='beyond' width='{}%' height='100%'/>", place(x)) + upright("ceiling", x);
  }
  if (const ResultRow* ours = timed_row(chart, Whose::ours)) svg += upright("one", axis.at(*ours->us));
  return svg;
}

std::string result_marks(const ResultRow& row, const Scale& axis, bool predicted) {
  if (!row.us || row.whose == Whose::ceiling) return "";
  std::string svg;
  if (row.interval_us) {
    const auto [low, high] = *row.interval_us;
    const std::string ends = place(axis.clamped(low)) + "%' x2='" + place(axis.clamped(high));
    svg += fmt::format("<line class='interval' x1='{}%' y1='50%' y2='50%'/>", ends);
    for (const double end : {low, high}) {
      svg += fmt::format("<line class='interval' x1='{0}%' x2='{0}%' y1='25%' y2='75%'/>", place(axis.clamped(end)));
    }
  }
  const bool guessed = predicted && row.whose == Whose::ours;
  return svg + mark(guessed ? "guess" : mark_id(row.whose), axis.at(*row.us), 50);
}

std::string result_numbers(const ResultRow& row) {
  if (!row.us) return "<td class='n why' colspan='2'>" + escape(row.why.empty() ? "not timed" : row.why) + "</td>";
  const bool apart = !row.ratio_interval && row.whose != Whose::ours && row.whose != Whose::ceiling;
  std::string over = row.ratio ? row.whose == Whose::ours ? "1" : (apart ? "~" : "") + ratio(*row.ratio) : "";
  if (row.ratio && row.ratio_interval) {
    over += fmt::format(" <small>[{}, {}]</small>", ratio(row.ratio_interval->low), ratio(row.ratio_interval->high));
  }
  return fmt::format("<td class='n'>{}</td><td class='n'>{}</td>", time_us(*row.us), over);
}

}  // namespace

std::string result_chart(const ResultChart& chart) {
  const Scale axis = result_axis(chart);
  const std::string ground = result_ground(chart, axis);
  std::string html =
      "<table class='result' aria-label='Times of the ceiling, of ours and of libraries'><thead><tr><td></td><td "
      "class='strip-cell'><svg class='result-axis' aria-hidden='true'>";
  for (const double value : axis.ticks(4)) html += text("middle", axis.at(value), 80, tick(value));
  html += fmt::format(
      "</svg></td><th scope='col' class='n'>{}</th><th scope='col' class='n'>time over ours</th></tr></thead><tbody>\n",
      micro_seconds);
  for (const ResultRow& row : chart.rows) {
    html += fmt::format(
        "<tr{}><th scope='row' title='{}'>{}</th><td class='strip-cell'><svg "
        "aria-hidden='true'>{}{}</svg></td>{}</tr>\n",
        row.whose == Whose::ours ? " class='ours'" : "", escape(row.name), breakable(row.name), ground,
        result_marks(row, axis, chart.predicted), result_numbers(row));
  }
  return html + "</tbody></table>\n";
}

}  // namespace warpwright::reports::charts

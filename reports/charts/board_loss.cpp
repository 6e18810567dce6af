// Draws the loss of one board's best configuration on another board.
#include "reports/charts/board_loss.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr double least_axis = 1.5;
constexpr double loses = 1.01;  // rows are marked from this factor on

// From 1, with a little room for the dots there.
Scale axis_of_losses(const std::vector<BoardLoss>& losses) {
  double largest = least_axis;
  for (const BoardLoss& one : losses) largest = std::max(largest, one.factor.value_or(1));
  return {Growth::logarithmic, 1, largest};
}

std::string moved_params(const BoardLoss& one) {
  std::string words;
  for (const MovedParam& param : one.moved) {
    words += fmt::format("{}{} <b>{}</b> \xE2\x86\x92 <b>{}</b>", words.empty() ? "" : ", ", escape(param.name),
                         escape(param.from), escape(param.to));
  }
  return words.empty() ? "none" : words;
}

std::string loss_cells(const BoardLoss& one, const Scale& axis) {
  if (!one.factor)
    return fmt::format("<td class='why' colspan='3'>{}</td>", escape(one.why.empty() ? "not known" : one.why));
  const double x = axis.clamped(*one.factor);
  std::string svg;
  for (const double value : axis.ticks(4)) svg += upright("grid", axis.at(value));
  svg += upright("one", 0);
  svg += fmt::format("<line class='reach' x2='{0}%' y1='50%' y2='50%'/><circle class='dot{1}' cx='{0}%' cy='50%'/>",
                     place(x), *one.factor >= loses ? " loses" : "");
  return fmt::format(
      "<td class='strip-cell'><svg aria-hidden='true'>{}</svg></td><td class='n'>{}</td><td class='moved'>{}</td>", svg,
      ratio(*one.factor, 3), moved_params(one));
}

}  // namespace

std::string board_losses(const std::vector<BoardLoss>& losses) {
  if (losses.empty()) return instead("No problem was timed on two boards.");
  const Scale axis = axis_of_losses(losses);
  std::string html =
      "<table class='losses' aria-label='Losses on other boards'><thead><tr><th scope='col'>problem</th><th "
      "scope='col'>best of, run on</th>"
      "<td class='strip-cell'><svg class='result-axis' aria-hidden='true'>";
  for (const double value : axis.ticks(4)) html += text("middle", axis.at(value), 80, tick(value));
  html +=
      "</svg></td><th scope='col' class='n'>time over the best there</th><th scope='col'>params that "
      "move</th></tr></thead><tbody>\n";
  std::string before;
  for (const BoardLoss& one : losses) {
    // Rows of one problem show its name only once.
    const std::string name = one.problem == before ? "<span class='again'>" + escape(one.problem) + "</span>"
                             : one.href.empty()
                                 ? escape(one.problem)
                                 : fmt::format("<a href='{}'>{}</a>", escape(one.href), escape(one.problem));
    before = one.problem;
    html += fmt::format("<tr><th scope='row'>{}</th><td class='way'>{} \xE2\x86\x92 {}</td>{}</tr>\n", name,
                        escape(one.from), escape(one.to), loss_cells(one, axis));
  }
  return html + "</tbody></table>\n";
}

}  // namespace warpwright::reports::charts

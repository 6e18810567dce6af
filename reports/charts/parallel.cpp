// Draws configurations as lines through the values of their params.
#include "reports/charts/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/core/text.hpp"
#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr std::size_t few_lines = 12;  // a low chart does for them

constexpr std::size_t top_lines = 10;
constexpr double spread = 5;  // percent by which the lines through one value are spread, by rank

// The height of a value from the foot of its axis.
double height_of(const ParallelAxis& axis, std::size_t value) {
  if (axis.values.size() < 2) return 50;
  return 6 + 88 * static_cast<double>(value) / static_cast<double>(axis.values.size() - 1);
}

// The fastest time is at the top.
Scale scale_of_times(const std::vector<ParallelLine>& lines) {
  const auto [fastest, slowest] = std::ranges::minmax(lines, {}, &ParallelLine::us);
  return {Growth::logarithmic, fastest.us, std::max(slowest.us, fastest.us * 1.05)};
}

// One configuration; `rank` is its rank among the `drawn` lines.
std::string parallel_line(const Parallel& chart, const ParallelLine& line, const Scale& times, std::size_t rank,
                          std::size_t drawn) {
  std::string data;
  std::string values;
  const double axes = static_cast<double>(chart.axes.size());
  const double offset = (0.5 - static_cast<double>(rank) / static_cast<double>(drawn)) * spread;
  for (std::size_t i = 0; i < chart.axes.size(); ++i) {
    const double height = height_of(chart.axes[i], line.values.at(i)) + offset;
    data += fmt::format("{}{:.4g} {:.4g}", i == 0 ? "M" : " ", 100 * static_cast<double>(i) / axes, 100 - height);
    values += fmt::format("{}{}", i == 0 ? "" : ",", line.values[i]);
  }
  data += fmt::format(" 100 {:.4g}", times.at(line.us));
  // In steps, so that colours are classes: 0 for the fastest, 4 for all that take at least twice as long.
  const double slower = std::log2(line.us / times.low());
  const int tint = std::clamp(static_cast<int>(std::ceil(4 * slower)), 0, 4);
  return fmt::format("<path class='line t{}{}' data-v='{}' data-us='{}' d='{}'/>\n", tint,
                     rank < top_lines ? " top" : "", values, script_us(line.us), data);
}

std::string axis_of_param(const ParallelAxis& axis, std::size_t number, double at) {
  std::string html =
      fmt::format("<div class='axis' role='group' aria-label='{}' data-axis='{}' style='--at:{}%'><b>{}</b>",
                  escape(axis.name), number, place(at), escape(axis.name));
  for (std::size_t value = 0; value < axis.values.size(); ++value) {
    html += fmt::format("<button disabled aria-pressed='false' data-value='{}' style='--v:{}%'>{}</button>", value,
                        place(height_of(axis, value)), escape(axis.values[value]));
  }
  return html + "</div>\n";
}

std::string axis_of_times(const Scale& times) {
  std::string html = fmt::format("<div class='axis time' style='--at:100%'><b>time, {}</b>", micro_seconds);
  for (const double us : {times.low(), std::sqrt(times.low() * times.high()), times.high()}) {
    html += fmt::format("<span class='tick' style='--v:{}%'>{}</span>", place(100 - times.at(us)), time_us(us));
  }
  return html + "</div>\n";
}

}  // namespace

std::vector<std::size_t> drawn_lines(const std::vector<ParallelLine>& lines, std::size_t most) {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto time = [&](std::size_t i) { return lines[i].us; };
  std::ranges::stable_sort(order, {}, time);
  if (order.size() <= most) return order;
  const std::size_t best = most / 2;
  const std::size_t stride = (order.size() - best + (most - best) - 1) / (most - best);
  std::vector<std::size_t> drawn(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best));
  for (std::size_t i = best; i < order.size(); i += stride) drawn.push_back(order[i]);
  return drawn;
}

std::string parallel(const Parallel& chart) {
  if (chart.lines.empty() || chart.axes.empty())
    return instead("No configuration of this kernel has a time and a param.");
  const std::vector<std::size_t> drawn = drawn_lines(chart.lines, chart.most);
  const Scale times = scale_of_times(chart.lines);
  std::string html = fmt::format(
      "<div class='parallel{}'><svg viewBox='0 0 100 100' preserveAspectRatio='none' role='img' aria-label='{} of {}, "
      "the "
      "fastest with {} {}'><g>\n",
      chart.lines.size() <= few_lines ? " few" : "",
      counted(static_cast<std::int64_t>(chart.lines.size()), "configuration"), escape(chart.kernel),
      time_us(times.low()), micro_seconds);
  for (std::size_t rank = drawn.size(); rank-- > 0;) {
    html += parallel_line(chart, chart.lines[drawn[rank]], times, rank, drawn.size());
  }
  html += "</g></svg>\n";
  for (std::size_t i = 0; i < chart.axes.size(); ++i) {
    html += axis_of_param(chart.axes[i], i, 100 * static_cast<double>(i) / static_cast<double>(chart.axes.size()));
  }
  html += axis_of_times(times) + "</div>\n";
  if (drawn.size() == chart.lines.size()) return html;
  const std::int64_t best = static_cast<std::int64_t>(chart.most / 2);
  return html + fmt::format("<p class='sampled'>{} of {} lines are drawn: the best {}, and a sample of the rest.</p>\n",
                            grouped(static_cast<std::int64_t>(drawn.size())),
                            grouped(static_cast<std::int64_t>(chart.lines.size())), grouped(best));
}

}  // namespace warpwright::reports::charts

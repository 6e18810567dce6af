// Draws times, rates and ratios over the sizes of a problem.
#include "reports/charts/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr double narrowest_strip = 50;  // characters

// The axis of sizes that all charts share.
Scale axis_of_sizes(const Sizes& chart, Plot::Ticks* ticks) {
  std::set<double> sizes;
  for (const SizeSeries& series : chart.series) {
    for (const SizePoint& point : series.points) sizes.insert(point.size);
  }
  for (const SizeRatio& one : chart.ratios) {
    for (const auto& point : one.points) sizes.insert(point.first);
  }
  Scale axis = around({sizes.begin(), sizes.end()}, 4, 0.03);
  double last = -100;
  for (const double size : sizes) {
    if (axis.at(size) - last < 13) continue;
    last = axis.at(size);
    ticks->emplace_back(size, size_tick(size));
  }
  return axis;
}

std::string series_classes(const SizeSeries& series) {
  std::string classes = "line";
  if (series.whose == Whose::vendor) classes += " vendor";
  if (series.overall) classes += " overall";
  if (series.kernel.best() && !series.overall) classes += " best";
  return classes + (series.predicted ? " dashed" : "");
}

std::string series_name(const SizeSeries& series) {
  if (series.overall || series.kernel.rank == 0) return series.kernel.name;
  return fmt::format("{} {}", series.kernel.rank, series.kernel.name);
}

using Value = std::optional<double> SizePoint::*;

// Ranks at the ends of lines; those that would hide each other share a label. A kernel without a rank has its name.
std::string line_names(const std::vector<KernelDot>& ends) {
  std::string names;
  for (const DotGroup& group : groups_of(ends)) {
    const Kernel& kernel = group.front()->kernel;
    const Point at = middle_of(group);
    if (kernel.rank == 0) {
      names += fmt::format("<text class='name above' x='{}%' y='{}%'><tspan class='full'>{}</tspan></text>",
                           place(at.x), place(at.y), escape(kernel.name));
      continue;
    }
    const std::string words = ranks_of(group);
    const std::size_t kept = words.size() > 7 ? words.find(',') : words.size();  // on a phone there is no room for more
    names += fmt::format("<text class='name right{}' x='{}%' y='{}%'>{}<tspan class='full'>{}</tspan></text>",
                         kernel.best() ? " best" : "", place(at.x), place(at.y), words.substr(0, kept),
                         words.substr(std::min(kept, words.size())));
  }
  return names;
}

// Lines, marks and ranks of all series, the thick line on top.
void draw_series(Plot& plot, const Sizes& chart, const Scale& x, const Scale& y, Value value, const std::string& unit) {
  std::vector<const SizeSeries*> order;
  for (const SizeSeries& series : chart.series) order.push_back(&series);
  std::ranges::stable_sort(order, {}, [](const SizeSeries* series) {
    return series->overall ? 2 : series->whose == Whose::ours ? 0 : 1;
  });
  std::string paths;
  std::string marks;
  std::vector<KernelDot> ends;
  for (const SizeSeries* series : order) {
    Points points;
    for (const SizePoint& point : series->points) {
      points.emplace_back();
      if (!(point.*value)) continue;
      points.back() = {x.at(point.size), 100 - y.at(*(point.*value))};
      const std::string words =
          fmt::format("{}, {}: {} {}", series_name(*series), size_tick(point.size),
                      unit == "GB/s" ? rate_gbs(*(point.*value)) : time_us(*(point.*value)), unit);
      if (series->overall) marks += dot("dot best", points.back()->x, points.back()->y, words);
      if (series->whose != Whose::ours)
        marks += "<g>" + mark(series->whose, points.back()->x, points.back()->y) + "<title>" + escape(words) +
                 "</title></g>";
    }
    paths += path(series_classes(*series), path_data(points));
    const auto last =
        std::ranges::find_if(points.rbegin(), points.rend(), [](const auto& point) { return point.has_value(); });
    if (last != points.rend() && !series->overall && series->whose == Whose::ours)
      ends.push_back({.kernel = series->kernel, .at = **last, .line_end = true});
  }
  plot.add(lines(paths) + marks + line_names(ends));
}

// All values that are known.
std::vector<double> values_of(const Sizes& chart, Value value) {
  std::vector<double> values;
  for (const SizeSeries& series : chart.series) {
    for (const SizePoint& point : series.points) {
      if (point.*value) values.push_back(*(point.*value));
    }
  }
  return values;
}

// "from 2^12 to 2^28"
std::string from_to(const Plot::Ticks& ticks) {
  return ticks.front().second + " to " + ticks.back().second;
}

}  // namespace

std::string size_times(const Sizes& chart) {
  const std::vector<double> times = values_of(chart, &SizePoint::us);
  if (times.empty()) return instead("No size was timed.");
  Plot::Ticks ticks;
  const Scale x = axis_of_sizes(chart, &ticks);
  const Scale y = around(times, 4);
  Plot plot("", fmt::format("Time over size, {} elements: from {} to {} {}", from_to(ticks),
                            time_us(std::ranges::min(times)), time_us(std::ranges::max(times)), micro_seconds));
  plot.across(x, ticks, "elements");
  plot.up(y, Plot::ticks_of(y), micro_seconds);
  draw_series(plot, chart, x, y, &SizePoint::us, micro_seconds);
  return plot.html();
}

std::string size_rates(const Sizes& chart) {
  const std::vector<double> rates = values_of(chart, &SizePoint::gbs);
  if (rates.empty()) return instead("The bytes of this problem are not known, so there are no rates.");
  Plot::Ticks ticks;
  const Scale x = axis_of_sizes(chart, &ticks);
  const double highest = std::ranges::max(rates);
  const Scale y = from_zero(std::max(highest, chart.ceiling_gbs.value_or(0)));
  Plot plot("", fmt::format("Rate over size, {} elements: up to {} GB/s", from_to(ticks), rate_gbs(highest)));
  plot.across(x, ticks, "elements");
  plot.up(y, Plot::ticks_of(y), "GB/s");
  if (chart.ceiling_gbs) {
    const double at = 100 - y.at(*chart.ceiling_gbs);
    plot.add(level("ceiling", at) + text("note over-left", 0, at, chart.ceiling_name));
  }
  draw_series(plot, chart, x, y, &SizePoint::gbs, "GB/s");
  return plot.html();
}

std::string size_ratios(const Sizes& chart) {
  std::vector<double> values;
  for (const SizeRatio& one : chart.ratios) {
    for (const auto& [size, value] : one.points) {
      if (value) values.push_back(*value);
    }
  }
  if (values.empty()) return instead("No library was timed at these sizes.");
  Plot::Ticks ticks;
  const Scale x = axis_of_sizes(chart, &ticks);
  values.push_back(1);
  const Scale y = around(values, 1.5, 0.12);
  Plot plot("", fmt::format("Times of libraries over ours, {} elements", from_to(ticks)));
  plot.across(x, ticks, "elements");
  plot.up(y, Plot::ticks_of(y), "time over ours");
  const double one_at = 100 - y.at(1);
  // The words are placed where the lines are farther from 1.
  const auto distance = [&](bool last) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const SizeRatio& one : chart.ratios) {
      if (one.points.empty()) continue;
      const auto& end = last ? one.points.back() : one.points.front();
      nearest = std::min(nearest, std::abs(std::log(end.second.value_or(1e9))));
    }
    return nearest;
  };
  const bool left = distance(false) > distance(true);
  plot.add(level("one", one_at) +
           text(left ? "note under-left" : "note under-right", left ? 0 : 100, one_at, "below 1: faster than ours"));
  std::string paths;
  std::string marks;
  for (const SizeRatio& one : chart.ratios) {
    Points points;
    for (const auto& [size, value] : one.points) {
      points.emplace_back();
      if (!value) continue;
      points.back() = {x.at(size), 100 - y.at(*value)};
      marks +=
          fmt::format("<g>{}<title>{}, {}: {}</title></g>", mark(Whose::vendor, points.back()->x, points.back()->y),
                      escape(one.name), size_tick(size), ratio(*value));
      if (chart.ratios.size() == 1) marks += text("value", points.back()->x, points.back()->y, ratio(*value, 2));
    }
    paths += path("line vendor", path_data(points));
  }
  plot.add(lines(paths) + marks);
  return plot.html();
}

std::string size_winners(const Sizes& chart) {
  if (chart.winners.size() < 2) return "";
  Plot::Ticks ticks;
  const Scale x = axis_of_sizes(chart, &ticks);
  std::string html;
  const auto span = [&](double from, double to, const std::string& classes, const std::string& markup,
                        const std::string& title) {
    if (to - from < 0.01) return;
    html += fmt::format("<span class='{}' style='left:{}%;width:{}%' title='{}'>{}</span>", classes, place(from),
                        place(to - from), escape(title), markup);
  };
  // A ranked kernel's name follows its rank if there is room in the narrowest strip that shows names.
  const auto label = [](const Kernel& kernel, double width) {
    if (kernel.rank == 0) return escape(kernel.name);
    const bool fits = narrowest_strip / 100 * width > static_cast<double>(kernel.name.size()) + 4;
    return std::to_string(kernel.rank) + (fits ? "<i class='full'> " + escape(kernel.name) + "</i>" : "");
  };
  std::string all;
  for (std::size_t i = 0; i < chart.winners.size();) {
    std::size_t end = i;
    while (end + 1 < chart.winners.size() && chart.winners[end + 1].kernel.name == chart.winners[i].kernel.name) ++end;
    const Kernel& kernel = chart.winners[i].kernel;
    const std::string name = kernel.rank > 0 ? fmt::format("{} {}", kernel.rank, kernel.name) : kernel.name;
    // A kernel that wins at one size only gets a little width, so that it is visible.
    const double from = x.at(chart.winners[i].size) - (i == 0 ? 1.5 : 1);
    const double to = x.at(chart.winners[end].size) + (end + 1 == chart.winners.size() ? 1.5 : 1);
    const std::string where = i == end ? size_tick(chart.winners[i].size)
                                       : size_tick(chart.winners[i].size) + " to " + size_tick(chart.winners[end].size);
    const bool is_wide = kernel.rank > 0 || to - from >= 8;
    span(from, to, kernel.rank > 0 ? "winner" : "winner unranked", is_wide ? label(kernel, to - from) : "",
         name + ": " + where);
    all += fmt::format("; {} at {}", name, where);
    if (end + 1 < chart.winners.size())
      span(to, x.at(chart.winners[end + 1].size) - 1, "between", "", "the fastest changes here");
    i = end + 1;
  }
  return fmt::format("<div class='winners' role='img' aria-label='The fastest: {}'>{}</div>\n", escape(all.substr(2)),
                     html);
}

}  // namespace warpwright::reports::charts

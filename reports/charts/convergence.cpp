// Draws the best time of a search over configurations or seconds.
#include "reports/charts/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/core/text.hpp"
#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr double slowest_over_best = 5;  // slower trials are drawn on the edge
constexpr std::size_t most_dots = 2000;
constexpr std::size_t few_trials = 30;  // a low chart does for fewer
constexpr int most_lines = 3;

// The position of a trial on the axis; nothing if it has no time stamp.
std::optional<double> along_axis(const SearchTrial& trial, SearchAxis axis) {
  return axis == SearchAxis::configurations ? std::optional(trial.configurations) : trial.seconds;
}

// Where the line of a course ends; empty if not known.
std::optional<double> end_of(const SearchCourse& course, SearchAxis axis) {
  return axis == SearchAxis::configurations ? std::optional(course.configurations) : course.seconds;
}

// How far the courses reach; 0 if nothing is known.
double end_of_search(const Convergence& chart) {
  double end = 0;
  for (const SearchCourse& course : chart.courses) {
    end = std::max(end, end_of(course, chart.axis).value_or(0));
    for (const SearchTrial& trial : course.trials) end = std::max(end, along_axis(trial, chart.axis).value_or(0));
  }
  return end;
}

double best_of(const SearchCourse& course) {
  double best = std::numeric_limits<double>::infinity();
  for (const SearchTrial& trial : course.trials) best = std::min(best, trial.us);
  return best;
}

// The best so far as steps from the first trial to the end of the search.
std::string best_so_far(const SearchCourse& course, const Convergence& chart, const Scale& x, const Scale& y) {
  std::string data;
  double best = std::numeric_limits<double>::infinity();
  for (const SearchTrial& trial : course.trials) {
    const std::optional<double> at = along_axis(trial, chart.axis);
    if (!at || trial.us >= best) continue;
    const std::string height = place(100 - y.clamped(trial.us));
    data += data.empty() ? fmt::format("M{} {}", place(x.at(*at)), height)
                         : fmt::format("H{}V{}", place(x.at(*at)), height);
    best = trial.us;
  }
  const std::optional<double> end = end_of(course, chart.axis);
  if (!data.empty() && end) data += fmt::format("H{}", place(x.at(*end)));
  return data;
}

struct Cloud {
  std::string data{};      // of a path of dots
  std::size_t trials = 0;  // that have a place
  std::size_t stride = 1;  // every so many-th is drawn
};

// The trials of all kernels.
Cloud cloud(const Convergence& chart, const Scale& x, const Scale& y) {
  std::vector<std::pair<double, double>> dots;  // their places on the axes
  for (const SearchCourse& course : chart.courses)
    for (const SearchTrial& trial : course.trials)
      if (const auto at = along_axis(trial, chart.axis)) dots.emplace_back(*at, trial.us);
  Cloud cloud{.trials = dots.size(), .stride = dots.size() / (most_dots + 1) + 1};
  for (std::size_t i = 0; i < dots.size(); i += cloud.stride)
    cloud.data += fmt::format("M{:.1f} {:.1f}h0", x.at(dots[i].first), 100 - y.clamped(dots[i].second));
  return cloud;
}

// What is drawn beside the lines.
std::string convergence_legend(const Convergence& chart, const Cloud& dots) {
  std::string words =
      "Dots: " + counted(static_cast<std::int64_t>(dots.trials), "trial") + " with a time, of all kernels";
  if (dots.stride > 1) words += fmt::format("; one of {} is drawn", dots.stride);
  if (chart.equal_within > 0)
    words += fmt::format(". Blue band: times within {:.0f} % of the best count as equal", 100 * chart.equal_within);
  return "<p class='sampled'>" + words + ".</p>\n";
}

// The names at the ends of their lines, the first courses first; one that would hide another is left out. On a phone
// the ranks are left.
std::string course_names(const std::vector<const SearchCourse*>& courses, SearchAxis axis, const Scale& x,
                         const Scale& y) {
  std::string names;
  std::vector<double> used;  // heights
  for (const SearchCourse* course : courses) {
    const double height = 100 - y.clamped(best_of(*course));
    if (std::ranges::any_of(used, [&](double other) { return std::abs(height - other) < 6; })) continue;
    used.push_back(height);
    const double end = x.at(end_of(*course, axis).value_or(x.high()));
    // Below the best line there is room; a line that is shorter than its name is named from its end on.
    const bool is_short = end < 1.4 * static_cast<double>(course->kernel.name.size() + 4);
    const std::string side = course->kernel.best() ? is_short ? "under-left best" : "under-right best"
                             : is_short            ? "right"
                             : height < 8          ? "under-right"  // what lies on the edge is said above it
                                                   : "over";
    names += fmt::format("<text class='note {}' x='{}%' y='{}%'>{}<tspan class='full'> {}</tspan></text>", side,
                         place(is_short && course->kernel.best() ? 0 : end), place(height), course->kernel.rank,
                         escape(course->kernel.name));
  }
  return names;
}

}  // namespace

std::string convergence(const Convergence& chart) {
  const bool seconds = chart.axis == SearchAxis::seconds;
  double best = std::numeric_limits<double>::infinity();
  double slowest = 0;
  for (const SearchCourse& course : chart.courses) {
    best = std::min(best, best_of(course));
    for (const SearchTrial& trial : course.trials) slowest = std::max(slowest, trial.us);
  }
  const double end = end_of_search(chart);
  if (!(slowest > 0)) return instead("No search found a time.");
  if (!(end > 0)) return instead("When the search tried its configurations is not known.");
  const Scale x(Growth::linear, 0, end);
  const bool cut = slowest > slowest_over_best * best;
  Scale y = around({best, std::min(slowest, slowest_over_best * best)}, 1.5, 0.08);
  if (cut) y = {Growth::logarithmic, y.low(), slowest_over_best * best};
  const std::string unit = seconds ? "seconds" : "configurations";
  std::string tried = tick(end) + " " + unit;
  std::vector<const SearchCourse*> courses;  // those with a line, the best last, on top
  for (const SearchCourse& course : chart.courses)
    if (course.kernel.rank >= 1 && course.kernel.rank <= most_lines && !course.trials.empty())
      courses.push_back(&course);
  std::ranges::stable_sort(courses, [](auto* a, auto* b) { return a->kernel.rank > b->kernel.rank; });
  const Cloud dots = cloud(chart, x, y);
  Plot plot(dots.trials < few_trials ? "" : "tall",
            fmt::format("Best time so far of {} kernels over {}; at the end {} {}", courses.size(), tried,
                        time_us(best), micro_seconds));
  Plot::Ticks ticks = Plot::ticks_of(x);
  if (!seconds) std::erase_if(ticks, [](const auto& one) { return one.first != std::floor(one.first); });
  plot.across(x, ticks, unit);
  plot.up(y, Plot::ticks_of(y), micro_seconds);
  if (chart.equal_within > 0) {
    const double top = 100 - y.clamped(best * (1 + chart.equal_within));
    plot.add(fmt::format("<rect class='equal' y='{}%' width='100%' height='{}%'/>", place(top),
                         place(100 - y.at(best) - top)));
  }
  if (cut) plot.add(text("note edge", 100, 0, "on the edge: slower than " + time_us(y.high())));
  std::string paths = path(dots.trials < few_trials ? "cloud few" : "cloud", dots.data);
  for (const SearchCourse* course : courses) {
    const std::string kind =
        std::string(course->kernel.best() ? "line best" : "line") + (course->predicted ? " dashed" : "");
    paths += path(kind, best_so_far(*course, chart, x, y));
  }
  std::ranges::reverse(courses);
  plot.add(lines(paths) + course_names(courses, chart.axis, x, y));
  return plot.html() + convergence_legend(chart, dots);
}

}  // namespace warpwright::reports::charts

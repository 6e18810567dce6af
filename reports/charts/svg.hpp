// Shared by the charts' SVG: the definitions that a page has once, marks, lines, and plots with axes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/charts/placing.hpp"
#include "reports/charts/scale.hpp"
#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

// The marks and hatchings that charts refer to: one hidden <svg>. A page has it once, before its first chart.
std::string definitions();

// The legend of marks: "ours", "vendor", "Kokkos tuned", "Kokkos default".
std::string legend(const std::vector<std::pair<Whose, std::string>>& entries);

// "us" with the Greek letter.
extern const char* const micro_seconds;

// The id of a mark in the definitions, without "m-".
std::string mark_id(Whose);
// A mark of the definitions, by its id without "m-" or by whose time it is. Here and below, coordinates are in percent,
// y from the top.
std::string mark(const std::string& id, double x, double y);
std::string mark(Whose, double x, double y = 50);
// A line over the whole height, or over the whole width.
std::string upright(const std::string& classes, double x);
std::string level(const std::string& classes, double y);
// <text>, which is escaped.
std::string text(const std::string& classes, double x, double y, const std::string& words);
// A dot with a tooltip.
std::string dot(const std::string& classes, double x, double y, const std::string& tooltip);
// <p class="no-chart">: a sentence instead of a chart.
std::string instead(const std::string& sentence);

struct Point {
  double x = 0;
  double y = 0;
};
using Points = std::vector<std::optional<Point>>;

// The data of a path through the points; it is broken where a point is missing.
std::string path_data(const Points&);
// A path, for lines().
std::string path(const std::string& classes, const std::string& data);
// Paths whose coordinates are percent of the box.
std::string lines(const std::string& paths);

// Ranks in ascending order, as a label: "3", "3, 5", "3 to 8".
std::string ranks_text(const std::vector<int>& ranks);

// A dot that is labelled with its kernel.
struct KernelDot {
  Kernel kernel{};
  Point at{};
  bool hollow = false;
  std::string tooltip{};
  bool untraced = false;  // a mark instead of a dot, and its name says so
  bool line_end = false;  // the end of a line
};

// Dots that hide each other and share a label, by rank. A dot without a rank is alone.
using DotGroup = std::vector<const KernelDot*>;
std::vector<DotGroup> groups_of(const std::vector<KernelDot>&);
// The ranks of a group as a label.
std::string ranks_of(const DotGroup&);
Point middle_of(const DotGroup&);

// A plot with axes; margins and the positions of the axes' labels are in charts.css.
class Plot {
 public:
  // `size` is "" or "tall"; `sentence` describes the plot for screen readers.
  Plot(std::string size, std::string sentence) : size_(std::move(size)), sentence_(std::move(sentence)) {}

  using Ticks = std::vector<std::pair<double, std::string>>;  // value, words
  static Ticks ticks_of(const Scale&, std::size_t most = 6);
  void across(const Scale&, const Ticks&, const std::string& name);
  void up(const Scale&, const Ticks&, const std::string& name);
  void add(const std::string& svg) { inside_ += svg; }
  // Draws the dots, the best one on top, with labels that overlap neither each other nor what is taken. Dots that hide
  // each other share a label of their ranks; if it fits nowhere, it is the first rank and dots.
  void add(std::vector<KernelDot> dots, const std::vector<Taken>& taken = {});
  std::string html() const;

 private:
  std::string size_;
  std::string sentence_;
  std::string inside_;
};

}  // namespace warpwright::reports::charts

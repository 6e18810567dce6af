// Draws the times of sessions as a small line, with gaps where there was no time.
#include "reports/charts/sparkline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr double least_span = 0.1;       // of the mean of the slowest and the fastest time
constexpr std::size_t most_listed = 12;  // times in words, and dots

std::string describe(const std::vector<std::optional<double>>& times) {
  std::string words;
  for (const std::optional<double>& us : times) words += ", " + (us ? time_us(*us) : "not timed");
  return words.substr(2);
}

}  // namespace

std::string sparkline(const Sparkline& spark) {
  const std::vector<std::optional<double>>& times = spark.times_us;
  std::vector<double> known;
  for (const std::optional<double>& us : times) {
    if (us) known.push_back(*us);
  }
  if (known.size() < 2)
    return fmt::format("<span class='no-chart'>{}</span>", known.empty() ? "not timed" : "one session");
  const auto [fastest, slowest] = std::ranges::minmax(known);
  const double centre = (fastest + slowest) / 2;
  const double half = std::max(slowest - fastest, least_span * centre) / 2;
  const Scale y(Growth::linear, centre - half, centre + half);
  const Scale x(Growth::linear, 0, static_cast<double>(times.size() - 1));
  Points points;
  std::string dots;
  for (std::size_t i = 0; i < times.size(); ++i) {
    points.emplace_back();
    if (!times[i]) continue;
    points.back() = {x.at(static_cast<double>(i)), 92 - 0.84 * y.at(*times[i])};
    const bool newest = i + 1 == times.size();
    if (!newest && times.size() > most_listed) continue;
    dots += fmt::format("<circle{} cx='{}%' cy='{}%'/>", newest ? " class='newest'" : "", place(points.back()->x),
                        place(points.back()->y));
  }
  const std::string list =
      times.size() <= most_listed ? describe(times) : fmt::format("{} to {}", time_us(fastest), time_us(slowest));
  return fmt::format("<svg class='spark' role='img'><title>{} sessions: {} {}</title>{}{}</svg>", times.size(), list,
                     micro_seconds, lines(path("line", path_data(points))), dots);
}

}  // namespace warpwright::reports::charts

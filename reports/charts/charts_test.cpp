// Tests of all charts with values of any kind: their markup is closed, and their coordinates are numbers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

#include "reports/charts/board_loss.hpp"
#include "reports/charts/convergence.hpp"
#include "reports/charts/error_strip.hpp"
#include "reports/charts/ladder.hpp"
#include "reports/charts/model_scatter.hpp"
#include "reports/charts/parallel.hpp"
#include "reports/charts/plan_steps.hpp"
#include "reports/charts/result_chart.hpp"
#include "reports/charts/roofline.hpp"
#include "reports/charts/share_bar.hpp"
#include "reports/charts/sizes.hpp"
#include "reports/charts/sparkline.hpp"
#include "reports/charts/speed_strip.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

// The first thing wrong with markup; empty if every element is closed in turn and no coordinate is outside the chart.
std::string objection_to(const std::string& markup) {
  if (markup.find("nan") != std::string::npos || markup.find("inf") != std::string::npos) return "a place is no number";
  for (std::size_t at = 0; (at = markup.find("%'", at)) != std::string::npos; ++at) {
    const std::string number = markup.substr(0, at).substr(markup.find_last_of("':", at - 1) + 1);
    if (number.back() != ' ' && std::abs(std::stod(number) - 50) > 55) return "a place is outside: " + number;
  }
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = markup.find('<', at)) != std::string::npos; ++at) {
    const std::size_t end = markup.find('>', at);
    if (end == std::string::npos) return "a tag has no end";
    const std::string name = markup.substr(at + 1, markup.find_first_of(" />", at + 2) - at - 1);
    if (name.front() == '/') {
      if (open.empty() || "/" + open.back() != name) return "closes what is not open: " + name;
      open.pop_back();
    } else if (markup[end - 1] != '/') {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

// Values from 10^-3 to 10^6, and names that need escaping.
class Source {
 public:
  explicit Source(unsigned seed) : generator_(seed) {}

  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator_); }
  bool often() { return below(4) != 0; }
  double value() { return std::pow(10, std::uniform_real_distribution<double>(-3, 6)(generator_)); }
  std::optional<double> maybe() { return often() ? std::optional(value()) : std::nullopt; }
  std::string name() { return std::string(1 + below(30), "<&a'\" _>z"[below(9)]); }
  Kernel kernel(std::size_t rank) { return {static_cast<int>(rank), name()}; }
  Whose whose() { return static_cast<Whose>(below(5)); }
  // A list of 0 to 40 results of `make`.
  template <class Make>
  auto some(Make make) {
    std::vector<decltype(make(std::size_t{}))> made;
    for (std::size_t count = often() ? below(5) : below(40); made.size() < count;)
      made.push_back(make(made.size() + 1));
    return made;
  }

 private:
  std::mt19937 generator_;
};

std::string result_of(Source& from) {
  return result_chart({from.some([&](std::size_t) {
                         const double low = from.value();
                         return ResultRow{.whose = from.whose(),
                                          .name = from.name(),
                                          .us = from.maybe(),
                                          .interval_us = Interval{low, low * 2},
                                          .ratio = from.maybe()};
                       }),
                       from.often()});
}

std::string roofline_of(Source& from) {
  return roofline({.dots = from.some([&](std::size_t rank) {
                     return RooflineDot{from.kernel(rank), from.maybe(), from.value(), from.value(), from.often()};
                   }),
                   .memory_gbs = from.maybe(),
                   .memory_name = from.name(),
                   .peak_gops = from.maybe(),
                   .peak_name = from.name(),
                   .least_bytes_at = from.maybe(),
                   .least_bytes_name = from.name()});
}

std::string ladder_of(Source& from) {
  return ladder({.rungs = from.some([&](std::size_t rank) {
                   return Rung{from.kernel(rank), from.maybe(), from.maybe(), from.name()};
                 }),
                 .ceiling_us = from.maybe(),
                 .ceiling_name = from.name()});
}

std::string sizes_of(Source& from) {
  Sizes chart;
  chart.ceiling_gbs = from.maybe();
  chart.series = from.some([&](std::size_t rank) {
    return SizeSeries{from.whose(), from.kernel(rank), from.often(), from.often(), from.some([&](std::size_t size) {
                        return SizePoint{std::exp2(static_cast<double>(size)), from.maybe(), from.maybe()};
                      })};
  });
  chart.ratios = from.some([&](std::size_t) {
    return SizeRatio{from.name(),
                     from.some([&](std::size_t size) { return std::pair(static_cast<double>(size), from.maybe()); })};
  });
  chart.winners = from.some([&](std::size_t size) { return SizeWinner{static_cast<double>(size), from.kernel(size)}; });
  return size_times(chart) + size_rates(chart) + size_ratios(chart) + size_winners(chart);
}

std::string convergence_of(Source& from) {
  Convergence chart;
  chart.axis = from.often() ? SearchAxis::configurations : SearchAxis::seconds;
  chart.equal_within = 0.1;
  chart.courses = from.some([&](std::size_t rank) {
    return SearchCourse{.kernel = from.kernel(rank),
                        .trials = from.some([&](std::size_t number) {
                          return SearchTrial{static_cast<double>(number), from.maybe(), from.value()};
                        }),
                        .configurations = from.value(),
                        .seconds = from.maybe()};
  });
  return convergence(chart);
}

std::string parallel_of(Source& from) {
  Parallel chart;
  chart.kernel = from.name();
  chart.most = 1 + from.below(20);
  chart.axes = from.some([&](std::size_t) { return ParallelAxis{from.name(), {from.name(), from.name()}}; });
  chart.lines = from.some([&](std::size_t) {
    return ParallelLine{std::vector<std::size_t>(chart.axes.size(), from.below(2)), from.value()};
  });
  return parallel(chart);
}

std::string small_charts_of(Source& from) {
  const SpeedStrip strip{from.maybe(), from.name(), from.maybe(), from.maybe(), from.often()};
  const std::vector<std::optional<double>> values = from.some([&](std::size_t) { return from.maybe(); });
  const ErrorAxis axis = error_axis(values);
  std::string html = share_bar({from.maybe(), {from.value()}, from.often()}) + sparkline({values}) +
                     strip_grid(strip_axis({strip})) + strip_header(strip_axis({strip})) +
                     speed_strip(strip, strip_axis({strip})) + error_header(axis);
  for (const std::optional<double>& value : values) html += error_strip(value, axis);
  return html + stream_overlap({{from.name(), from.maybe(), from.maybe(), from.maybe()}}) +
         plan_steps({{from.name(), {{from.name(), StepKind::copy, from.maybe()}}}}) +
         board_losses({{.problem = from.name(), .from = from.name(), .to = from.name(), .factor = from.maybe()}});
}

std::string scatter_of(Source& from) {
  return model_scatter({from.some([&](std::size_t rank) {
                          return ModelDot{from.kernel(rank), from.value(), from.value()};
                        }),
                        0.1});
}

RC_GTEST_PROP(Charts, AreClosedMarkupWithNumericCoordinatesForAnyValues, (unsigned seed)) {
  Source from(seed);
  for (const auto chart :
       {result_of, roofline_of, ladder_of, sizes_of, convergence_of, parallel_of, small_charts_of, scatter_of}) {
    const std::string markup = chart(from);
    RC_ASSERT(objection_to(markup) == "");
  }
}

TEST(Charts, DefinitionsAreClosedMarkup) {
  EXPECT_EQ(objection_to(definitions()), "");
  EXPECT_EQ(objection_to("<a><b></a>"), "closes what is not open: /a");
  EXPECT_EQ(objection_to("<a>"), "not closed: a");
}

}  // namespace
}  // namespace warpwright::reports::charts

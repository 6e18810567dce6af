// Writes which kernel wins at which size, whether the search was long enough, and whether the model can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

#include "db/query/band.hpp"
#include "kernels/core/shape.hpp"
#include "kernels/core/text.hpp"
#include "reports/charts/convergence.hpp"
#include "reports/charts/model_scatter.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/sizes.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t fewest_trials = 3;  // of one kernel with a time, for a chart of the search

double elements_of(const db::Problem& problem) {
  double elements = 1;
  for (const std::int64_t extent : parse_shape(problem.shape)) elements *= static_cast<double>(extent);
  return elements;
}

// Seconds since some moment, of the database's "2026-11-21T06:01:28.123Z"; nothing for other text.
std::optional<double> seconds_of(const std::string& utc) {
  if (utc.size() < 23) return std::nullopt;
  const auto digits = [&](std::size_t at, std::size_t length) {
    int value = 0;
    std::from_chars(utc.data() + at, utc.data() + at + length, value);
    return value;
  };
  const std::chrono::sys_days day = std::chrono::year(digits(0, 4)) / digits(5, 2) / digits(8, 2);
  return static_cast<double>(day.time_since_epoch().count()) * 86400 + digits(11, 2) * 3600 + digits(14, 2) * 60 +
         digits(17, 2) + digits(20, 3) / 1e3;
}

// The session that tried most configurations of the problem, with its trials in their order.
std::vector<const db::TrialView*> longest_search(const ProblemResults& results) {
  std::map<db::Id, std::vector<const db::TrialView*>> sessions;
  for (const db::TrialView& view : results.trials)
    if (view.trial.session_id && view.trial.provenance == results.provenance)
      sessions[*view.trial.session_id].push_back(&view);
  std::vector<const db::TrialView*> longest;
  for (auto& [session, views] : sessions)
    if (views.size() >= longest.size()) longest = std::move(views);
  return longest;
}

// The charts of one problem at several sizes.
charts::Sizes sizes_chart(const Subject& subject, const std::vector<const Summary*>& sizes) {
  const ProblemResults& results = subject.results;
  charts::Sizes chart{.series = {{.whose = charts::Whose::ours,
                                  .kernel = {.rank = 0, .name = "best"},
                                  .overall = true,
                                  .predicted = results.predicted()}},
                      .ceiling_name = {}};
  // Kernels of all sizes, those of this one first.
  std::map<std::string, std::size_t> places;
  const auto add_kernels = [&](const ProblemResults& one) {
    for (const db::Best& best : one.kernel_bests)
      if (places.try_emplace(best.winner.kernel, chart.series.size()).second)
        chart.series.push_back({.kernel = {.rank = results.rank_of(best.winner.kernel), .name = best.winner.kernel},
                                .predicted = results.predicted()});
  };
  add_kernels(results);
  for (const Summary* summary : sizes) add_kernels(*summary->results);
  charts::SizeSeries vendor{.whose = charts::Whose::vendor};
  charts::SizeRatio ratio;
  for (const Summary* summary : sizes) {
    const ProblemResults* one = summary->results;
    const double size = elements_of(one->problem);
    const auto point = [&](const std::optional<double>& us) {
      return charts::SizePoint{.size = size, .us = us, .gbs = one->rate_gbs(us)};
    };
    const db::TrialView& winner = one->best->winner;
    chart.series.front().points.push_back(point(winner.time_us()));
    chart.winners.push_back({.size = size, .kernel = {.rank = results.rank_of(winner.kernel), .name = winner.kernel}});
    for (const auto& [kernel, place] : places) {
      const int rank = one->rank_of(kernel);
      chart.series[place].points.push_back(
          point(rank > 0 ? std::optional(one->shown_us(one->kernel_bests[static_cast<std::size_t>(rank) - 1].winner))
                         : std::nullopt));
    }
    const auto& library = summary->libraries.vendor;
    vendor.points.push_back(point(library ? library->baseline->median_us : std::nullopt));
    ratio.points.emplace_back(size, library ? library->ratio : std::nullopt);
    if (library) vendor.kernel.name = ratio.name = library->library();
  }
  if (!ratio.name.empty()) {
    chart.series.push_back(std::move(vendor));
    chart.ratios.push_back(std::move(ratio));
  }
  if (results.ceiling && results.ceiling->unit == "GB/s") {
    chart.ceiling_gbs = results.ceiling->rate;
    chart.ceiling_name = fmt::format("{}, {} GB/s", results.ceiling->name, charts::rate_gbs(results.ceiling->rate));
  }
  return chart;
}

}  // namespace

std::vector<const Summary*> sizes_of(const Subject& subject) {
  const ProblemResults& results = subject.results;
  const std::string name = results.name();
  std::vector<const Summary*> found;
  for (const Summary& summary : subject.all) {
    const ProblemResults& other = *summary.results;
    const bool compares =
        other.best && other.provenance == results.provenance && other.board.model == results.board.model;
    if (compares && other.problem.pattern == results.problem.pattern && other.name() == name) found.push_back(&summary);
  }
  std::ranges::sort(found, {}, [](const Summary* one) { return elements_of(one->results->problem); });
  return found;
}

Figure sizes_section(const Subject& subject) {
  const std::vector<const Summary*> sizes = sizes_of(subject);
  if (sizes.size() < 2) return {};
  const charts::Sizes chart = sizes_chart(subject, sizes);
  std::vector<std::string> winners;
  for (const charts::SizeWinner& winner : chart.winners)
    if (winners.empty() || winners.back() != escape(winner.kernel.name)) winners.push_back(escape(winner.kernel.name));
  const std::string finding = winners.size() == 1 ? winners.front() + " is the best at every size."
                                                  : "From small to large the best are " + listed(winners) + ".";
  std::string legend = " Thick: the best at each size; numbers: the kernels of the ladder.";
  if (!chart.ratios.empty()) legend += " Diamonds: " + escape(chart.ratios.front().name) + ".";
  if (winners.size() > 1) legend += " Strip: which is the fastest; hatched: it changes between these sizes.";
  return Figure{.id = "sizes",
                .title = "Sizes",
                .provenance = subject.results.provenance,
                .finding = finding + legend,
                .body = "<div class=columns><div>" + charts::size_times(chart) + charts::size_winners(chart) +
                        "</div><div>" + charts::size_rates(chart) + "</div>" +
                        (chart.ratios.empty() ? "" : "<div>" + charts::size_ratios(chart) + "</div>") + "</div>\n"};
}

Figure search_section(const Subject& subject) {
  const ProblemResults& results = subject.results;
  const std::vector<const db::TrialView*> views = longest_search(results);
  if (!subject.summary.us || views.empty()) return {};
  const std::optional<double> start = seconds_of(views.front()->trial.created_at);
  std::map<std::string, charts::SearchCourse> courses;
  double tried = 0;
  double best = 0;
  double near = 0;  // configurations until the best so far was within 10 % of the final one
  for (const db::TrialView* view : views) {
    charts::SearchCourse& course = courses[view->kernel];
    course.predicted = results.predicted();
    course.configurations = ++tried;
    const auto now = seconds_of(view->trial.created_at);
    course.seconds = now && start ? std::optional(*now - *start) : std::nullopt;
    if (!results.compares(*view)) continue;
    const double us = results.shown_us(*view);
    course.trials.push_back({.configurations = tried, .seconds = course.seconds, .us = us});
    if (best == 0 || us < best) best = us;
    if (near == 0 && best <= 1.1 * *subject.summary.us) near = tried;
  }
  charts::Convergence chart{.courses = {}, .equal_within = results.predicted() ? db::equal_within : 0};
  for (auto& [kernel, course] : courses) {
    course.kernel = {.rank = results.rank_of(kernel), .name = kernel};
    chart.courses.push_back(std::move(course));
  }
  std::string finding = near > 0 && tried > 1
                            ? fmt::format(
                                  "A time within 10 % of the best was there after {} of {} trials of "
                                  "the longest session. ",
                                  grouped(static_cast<std::int64_t>(near)), grouped(static_cast<std::int64_t>(tried)))
                            : "";
  finding += fmt::format("Evaluated in all sessions: {}.", escape(subject.summary.searched.in_words()));
  if (std::ranges::none_of(chart.courses, [](const auto& course) { return course.trials.size() >= fewest_trials; }))
    return Figure{.id = "search", .title = "Search", .provenance = results.provenance, .finding = finding};
  finding += " Lines: the best so far of the three fastest kernels.";
  const std::string by_count = charts::convergence(chart);
  chart.axis = charts::SearchAxis::seconds;
  return Figure{.id = "search",
                .title = "Search",
                .provenance = results.provenance,
                .controls = choice("search-axis", "Axis of the search",
                                   {{"by-configurations", "configurations"}, {"by-seconds", "seconds"}}),
                .finding = finding,
                .body = "<div class=by-configurations>" + by_count + "</div><div class=by-seconds>" +
                        charts::convergence(chart) + "</div>\n"};
}

Figure model_section(const Subject& subject) {
  const ProblemResults& results = subject.results;
  const auto& check = results.model;
  if (!check) {
    if (!results.measured() || !results.best) return {};
    return Figure{.id = "model",
                  .title = "Model",
                  .finding = "No configuration that was measured is also predicted. To compare: " +
                             predicting_command(results) + "."};
  }
  std::map<std::string, charts::ModelDot> dots;
  for (const db::BothTimes& times : check->times) {
    charts::ModelDot& dot = dots[times.kernel];
    const bool first = dot.kernel.name.empty();
    dot.kernel = {.rank = results.rank_of(times.kernel), .name = times.kernel};
    dot.measured_us = first ? times.measured_us : std::min(dot.measured_us, times.measured_us);
    dot.predicted_us = first ? times.predicted_us : std::min(dot.predicted_us, times.predicted_us);
  }
  charts::ModelScatter chart{.dots = {}, .band = db::equal_within};
  for (auto& [kernel, dot] : dots) chart.dots.push_back(std::move(dot));
  std::string finding = fmt::format("Best of each kernel, over {}", counted(std::ssize(check->times), "configuration"));
  if (check->spearman) finding += fmt::format("; rank correlation of all: {:.2f}", *check->spearman);
  finding += fmt::format(". The configuration with the shortest predicted time is {} slower than the best.",
                         percent(check->best_loss));
  return Figure{.id = "model",
                .title = "Model",
                .provenance = "predicted against measured",
                .finding = finding,
                .body = charts::model_scatter(chart)};
}

}  // namespace warpwright::reports

// Published figures of others, and the page section that compares them with ours.
#include "reports/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/core/settings.hpp"
#include "kernels/core/shape.hpp"
#include "kernels/core/verdict.hpp"
#include "reports/assets.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

bool has_params(const Row& row, const std::map<std::string, std::string>& params) {
  return std::ranges::all_of(params, [&](const auto& wanted) {
    return std::ranges::any_of(
        row.params, [&](const auto& own) { return own.first == wanted.first && own.second == wanted.second; });
  });
}

// Whether every setting of `wanted` ("op=sum") is one of `own`.
bool has_settings(const std::string& own, const std::string& wanted) {
  const Settings settings = parse_settings(own);
  return std::ranges::all_of(parse_settings(wanted), [&](const auto& setting) {
    const auto found = settings.find(setting.first);
    return found != settings.end() && found->second == setting.second;
  });
}

// Whether the results are for the figure's problem, regardless of its shape.
bool is_alike(const ProblemResults& results, const PublishedFigure& figure) {
  const db::Problem& problem = results.problem;
  return problem.pattern == figure.pattern && problem.types == figure.types && problem.variant == figure.variant &&
         has_settings(problem.numbers, figure.numbers);
}

// What our times of a problem include, in the words of PublishedFigure::scope.
std::string scope_of(const ProblemResults& results) {
  return results.crosses_bus() ? "copies" : "kernel";
}

std::string meaning_of_scope(const std::string& scope) {
  if (scope == "kernel") return "the work of the GPU only";
  if (scope == "copies") return "copies over the bus";
  if (scope == "call") return "a whole call, with what the CPU does in it";
  return scope == "block" ? "one block only" : "the work of a CPU";
}

// Our best time for the figure's kernel or library; its results are null if there is none.
Counterpart of(const ProblemResults& results, const PublishedFigure& figure) {
  Counterpart ours;
  const auto offer = [&](double us, const auto& timed, std::string what) {
    if (ours.results && us >= ours.us) return;
    ours.results = &results;
    ours.us = us;
    ours.low_us = timed.low_us;
    ours.high_us = timed.high_us;
    ours.what = std::move(what);
  };
  if (figure.library.empty()) {
    for (const Row* row : compared_rows(results)) {
      if (row->view->kernel == figure.kernel && has_params(*row, figure.params))
        offer(*row->view->time_us(), row->trial(), row->view->settings());
    }
  } else {
    for (const db::Baseline& baseline : results.baselines) {
      if (baseline.implementation == figure.library && baseline.median_us && baseline.verdict == verdict::passed)
        offer(*baseline.median_us, baseline, fmt::format("{} {}", baseline.implementation, baseline.version));
    }
  }
  const auto rate = results.rate_gbs(ours.us);
  if (ours.results && rate && results.board.memory_bandwidth_gbs > 0)
    ours.share_of_peak = *rate / results.board.memory_bandwidth_gbs;
  return ours;
}

// Why no measurement can be compared with the figure; empty if one can.
std::string lack_of(const PublishedFigure& figure) {
  if (!figure.alone.empty()) return figure.alone;
  if (!figure.shape) return "its size was not published";
  return figure.kernel.empty() && figure.library.empty() ? "its kernel is not described" : "";
}

// Our time in ms with its interval: "0.143 [0.1424, 0.1439]".
std::string with_interval(const Counterpart& ours) {
  const std::string time = number(ours.us / 1e3);
  if (!ours.low_us || !ours.high_us) return time;
  return fmt::format("{} [{}, {}]", time, number(*ours.low_us / 1e3), number(*ours.high_us / 1e3));
}

std::optional<double> microseconds(double value, const std::string& unit) {
  if (unit == "ms") return value * 1e3;
  return unit == "us" ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<PublishedFigure> published_figures(std::string_view json) {
  const nlohmann::json file = nlohmann::json::parse(json);
  const nlohmann::json& peaks = file.at("peaks_gbs");
  std::vector<PublishedFigure> figures;
  for (const nlohmann::json& entry : file.at("figures")) {
    PublishedFigure figure{.pattern = entry.at("pattern"),
                           .variant = entry.at("variant"),
                           .numbers = entry.value("numbers", ""),
                           .types = entry.at("types"),
                           .kernel = entry.at("kernel"),
                           .params = entry.value("params", std::map<std::string, std::string>{}),
                           .library = entry.value("library", ""),
                           .what = entry.at("what"),
                           .board = entry.at("board"),
                           .arch = entry.at("arch"),
                           .scope = entry.at("scope"),
                           .value = entry.at("value"),
                           .unit = entry.at("unit"),
                           .source = file.at("sources").at(entry.at("source").get<std::string>()),
                           .alone = entry.value("alone", "")};
    if (const std::string size = entry.at("size"); !size.empty()) figure.shape = parse_shape(size);
    figure.us = microseconds(figure.value, figure.unit);
    if (peaks.contains(figure.board)) figure.peak_gbs = peaks[figure.board].get<double>();
    const double bytes = entry.value("bytes", 0.0);
    if (figure.us && figure.peak_gbs && bytes > 0) figure.share_of_peak = bytes / *figure.us / 1e3 / *figure.peak_gbs;
    figures.push_back(std::move(figure));
  }
  return figures;
}

Counterpart counterpart(const Architecture& architecture, const PublishedFigure& figure) {
  if (const std::string lack = lack_of(figure); !lack.empty()) return {.reason = lack};
  Counterpart best{.reason = "we measured no such problem"};
  std::string shapes;
  for (const ProblemResults& results : architecture.problems) {
    if (!results.measured() || !is_alike(results, figure)) continue;
    if (parse_shape(results.problem.shape) != *figure.shape) {
      shapes += (shapes.empty() ? "" : ", ") + results.problem.shape;
      if (!best.results)
        best.reason = fmt::format("its size is {}, and we measured {}", shape_text(*figure.shape), shapes);
      continue;
    }
    if (scope_of(results) != figure.scope)
      return {.reason = fmt::format("its time is of {}, ours of {}", meaning_of_scope(figure.scope),
                                    meaning_of_scope(scope_of(results)))};
    Counterpart ours = of(results, figure);
    if (ours.results && !figure.us && !figure.unit.empty()) {
      ours.rate = db::rate_of(results.problem, ours.us);
      if (!ours.rate || ours.rate->unit != figure.unit)
        return {.reason = fmt::format("our rate in {} is not known", figure.unit)};
    }
    if (!ours.results && !best.results) best.reason = "we measured no such kernel";
    if (ours.results && (!best.results || ours.us < best.us)) best = ours;
  }
  return best;
}

Figure published_section(const Subject& subject) {
  Table table("Published figures, and ours for the same problem, size and kernel",
              {"case", "their board", "their figure", "their share of peak", "ours", "our time ms, or rate",
               "our share of peak"});
  std::int64_t alike = 0;
  std::int64_t all = 0;
  if (!subject.results.measured()) return {};
  static const std::vector<PublishedFigure> figures = published_figures(asset("published.json"));
  for (const PublishedFigure& figure : figures) {
    if (figure.pattern != subject.results.problem.pattern) continue;
    const Counterpart ours = counterpart(subject.architecture, figure);
    if (ours.results && ours.results != &subject.results) continue;
    const auto share = [](const std::optional<double>& value) { return value ? percent(*value) : ""; };
    table.add({figure.what, figure.arch.empty() ? figure.board : fmt::format("{} ({})", figure.board, figure.arch),
               Cell::figure(number(figure.value) + " " + figure.unit), Cell::figure(share(figure.share_of_peak)),
               ours.results ? Cell::code(ours.what) : Cell("not comparable: " + ours.reason),
               Cell::figure(!ours.results ? ""
                            : ours.rate   ? ours.rate->text()
                                          : with_interval(ours)),
               Cell::figure(share(ours.share_of_peak))});
    alike += ours.results ? 1 : 0;
    ++all;
  }
  if (table.empty()) return {};
  return Figure{
      .id = "published",
      .title = "Figures that others published",
      .finding = alike == 0
                     ? "They are of other boards. None is of a problem, size and kernel that were timed here with the "
                       "same work in the time; each row says what differs."
                     : fmt::format("They are of other boards. Ours stands beside {} of {}, where problem, size, kernel "
                                   "and the work in the time agree; each other row says what differs.",
                                   alike, all),
      .body = details("The figures", table.html(), alike > 0)};
}

}  // namespace warpwright::reports

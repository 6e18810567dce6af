// Writes how good the best configuration of a problem is, and its params to copy.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "db/query/rate.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/result_chart.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

using charts::Interval;
using charts::ResultRow;
using charts::Whose;

std::string key_figure(const std::string& what, const std::string& value, const std::string& unit) {
  return fmt::format("<div><dt>{}</dt><dd>{} <small>{}</small></dd></div>", what, value, unit);
}

std::optional<Interval> interval_of(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? std::optional(Interval{.low = *low, .high = *high}) : std::nullopt;
}

// The ceiling in words: "a read of the same bytes", "the board's peak bandwidth".
std::string ceiling_words(const db::Ceiling& ceiling) {
  if (ceiling.is_peak) return ceiling.name == "arithmetic" ? "peak arithmetic" : "the peak bandwidth";
  if (ceiling.name == "arithmetic") return "multiply-adds";
  return ceiling.name == "bus" ? "the bus" : "a " + ceiling.name;
}

charts::ResultChart chart_of(const Subject& subject) {
  const ProblemResults& results = subject.results;
  charts::ResultChart chart{.rows = {}, .predicted = results.predicted()};
  const std::optional<double> us = subject.summary.us;
  if (results.ceiling)
    chart.rows.push_back({.whose = Whose::ceiling,
                          .name = "ceiling: " + ceiling_words(*results.ceiling),
                          .us = results.ceiling->us(),
                          .ratio = us ? std::optional(results.ceiling->us() / *us) : std::nullopt});
  if (us) {
    const db::Trial& trial = results.best->winner.trial;
    chart.rows.push_back({.whose = Whose::ours,
                          .name = "ours, " + subject.summary.kernel,
                          .us = us,
                          .interval_us = interval_of(trial.low_us, trial.high_us),
                          .ratio = 1});
  }
  if (results.predicted()) return chart;  // predictions are not compared with measurements
  for (const LibraryTime& time : library_times(results)) {
    const db::Baseline& baseline = *time.baseline;
    ResultRow row{.whose = time.whose(), .name = time.name()};
    if (time.is_right()) {
      row.us = baseline.median_us;
      row.interval_us = interval_of(baseline.low_us, baseline.high_us);
      row.ratio = time.ratio;
      if (time.comparison) row.ratio_interval = Interval{.low = time.comparison->low, .high = time.comparison->high};
    } else {
      row.why = baseline.verdict + (baseline.detail.empty() ? "" : ": " + shortened(baseline.detail, 80));
    }
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

std::string key_figures(const Subject& subject) {
  const Summary& summary = subject.summary;
  const ProblemResults& results = subject.results;
  std::string html = key_figure(escape(summary.kernel) + (summary.predicted() ? " should take" : " takes"),
                                charts::time_us(*summary.us), "\u00B5s");
  const auto split = [&](const std::string& what, const std::string& text) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string unit = text.substr(std::min(space + 1, text.size()));
    if (!text.empty()) html += key_figure(what, escape(text.substr(0, space)), escape(unit));
  };
  if (summary.share)
    html += key_figure("of the ceiling, " + escape(ceiling_words(*results.ceiling)),
                       fmt::format("{:.1f}", 100 * *summary.share), "%");
  const auto rate = db::rate_of(results.problem, *summary.us);
  const bool of_bytes = !results.ceiling || results.ceiling->unit == "GB/s";
  if (rate || !of_bytes) {
    split("at a rate of", rate ? rate->text() : results.ceiling->text_at(*summary.us));
  } else if (const auto gbs = results.rate_gbs(summary.us)) {
    html += key_figure("moves at least", charts::rate_gbs(*gbs), "GB/s");
  }
  const db::TrialView& winner = results.best->winner;
  if (winner.trial.low_us && winner.trial.high_us && summary.predicted())
    html +=
        key_figure("likely from",
                   charts::time_us(*winner.trial.low_us) + " to " + charts::time_us(*winner.trial.high_us), "\u00B5s");
  if (winner.trial.limited_by) html += key_figure("limited by", escape(*winner.trial.limited_by), "");
  if (winner.trial.replay_us) html += key_figure("graph replay", charts::time_us(*winner.trial.replay_us), "\u00B5s");
  split("energy of a run", winner.energy());
  const std::string accuracy = winner.accuracy();  // the ulp of results near 0 say little
  split("accuracy", accuracy.find("e+") == std::string::npos ? accuracy : accuracy.substr(0, accuracy.find(", ")));
  const auto library = [&](const std::optional<LibraryTime>& time, const std::string& suffix) {
    if (time && time->ratio)
      html += key_figure(escape(time->library()) + "\u2019s time" + suffix, ratio_text(*time, 2), "\u00D7 ours");
  };
  library(summary.libraries.vendor, "");
  library(summary.libraries.kokkos_tuned, ", tuned");
  library(summary.libraries.kokkos_default, ", default");
  return "<dl class=keys>" + html + "</dl>\n";
}

// How good the time is, and how certain.
std::string finding(const Subject& subject) {
  const Summary& summary = subject.summary;
  const ProblemResults& results = subject.results;
  const auto& vendor = summary.libraries.vendor;
  std::string text;
  if (vendor && vendor->ratio) {
    const bool slower = *vendor->ratio >= 1;
    text =
        fmt::format("{} {}\u00A0\u00D7 as long as ours", vendor->library() + " takes", charts::ratio(*vendor->ratio));
    if (const db::Comparison* paired = vendor->comparison)
      text += fmt::format(" [{}, {}; {}]", charts::ratio(paired->low), charts::ratio(paired->high),
                          counted(paired->rounds, "paired round"));
    else
      text += " (not measured in alternating rounds)";
    text += slower ? ". " : ": it is faster. ";
  }
  if (summary.share && *summary.share < 1)
    text += fmt::format("Our time could fall by {:.1f} % at most, to that of {}. ", 100 * (1 - *summary.share),
                        ceiling_words(*results.ceiling));
  const auto equals = std::ssize(results.best->tied);
  if (equals > 0)
    text += fmt::format("{} cannot be told apart from the best. ", counted(equals, "other configuration"));
  if (results.best->winner.trial.is_default) {
    text += "Its params are the kernel\u2019s defaults. ";
  } else if (results.best->speedup) {
    text += fmt::format("The kernel\u2019s default params take {}\u00A0\u00D7 as long. ",
                        charts::ratio(*results.best->speedup, 2));
  }
  text += "It is " + checked_words(results.best->winner) + ".";
  if (std::ranges::any_of(library_times(results), &LibraryTime::is_apart))
    text += " ~: not measured in alternating rounds with ours.";
  return escape(text);
}

}  // namespace

std::string checked_words(const db::TrialView& view) {
  const bool checked = view.trial.provenance == provenance::predicted && view.trial.simulated_cases != 0;
  return (checked ? "checked with " : "") + view.certainty();
}

std::string as_code(const ProblemResults& results) {
  const db::TrialView& view = results.best->winner;
  std::string params;
  if (results.defines) {
    for (const std::string& note : db::notes_of(*results.defines)) params += "// " + printable(note) + "\n";
    for (const auto& [name, value] : results.defines->macros) params += fmt::format("#define {} {}\n", name, value);
    return params;
  }
  for (const auto& [name, value] : params_of(view.params)) params += fmt::format("  .{} = {},\n", name, value);
  return fmt::format("constexpr warpwright::{}::{}_params params{{\n{}}};", view.pattern, view.kernel, params);
}

std::string as_flags(const db::TrialView& view) {
  std::string flags;
  for (const auto& [name, value] : params_of(view.params))
    flags += (flags.empty() ? "" : " ") + shell_word(fmt::format("-D{}={}", name, unqualified(value)));
  return flags;
}

Figure result_section(const Subject& subject) {
  const ProblemResults& results = subject.results;
  Figure figure{.id = "result", .title = "Result", .provenance = results.provenance};
  if (!subject.summary.us) {
    figure.finding = subject.summary.wrong > 0
                         ? fmt::format(
                               "No configuration is right: {} of {} failed. See <a "
                               "href=\"#correctness\">correctness</a>.",
                               subject.summary.wrong, counted(std::ssize(results.rows), "configuration"))
                         : "Nothing is timed.";
    figure.body = results.baselines.empty() ? "" : charts::result_chart(chart_of(subject));
    return figure;
  }
  if (!subject.summary.results->best->winner.certificates.empty())
    figure.controls = "<span class=known>" + certainty_mark("certified") + "</span>";
  figure.body =
      key_figures(subject) + charts::result_chart(chart_of(subject)) + "<p class=note>" + finding(subject) + "</p>\n";
  return figure;
}

namespace {

// One table, or two beside each other where one would be much longer than the result beside it.
std::string params_tables(const std::vector<std::string>& rows) {
  constexpr std::size_t most = 8;
  if (rows.empty()) return "<p class=note>This kernel has no params.</p>\n";
  const std::size_t of_first = rows.size() <= most ? rows.size() : (rows.size() + 1) / 2;
  std::string tables;
  for (std::size_t from = 0; from < rows.size(); from += of_first) {
    const auto part = std::span(rows).subspan(from, std::min(of_first, rows.size() - from));
    tables += fmt::format(
        "<table class=settings aria-label=\"Best params\"><thead><tr><th scope=col>param</th><th scope=col "
        "class=n>best</th><th scope=col "
        "class=n>default</th></tr></thead>\n<tbody>{}</tbody></table>\n",
        fmt::join(part, ""));
  }
  return rows.size() <= most ? tables : "<div class=columns>" + tables + "</div>\n";
}

}  // namespace

Figure best_params_section(const Subject& subject) {
  if (!subject.summary.us) return {};
  const db::TrialView& winner = subject.results.best->winner;
  const auto kernel = subject.report.kernels.find(winner.pattern + "/" + winner.kernel);
  const auto defaults = params_of(kernel == subject.report.kernels.end() ? "" : kernel->second.default_params);
  std::vector<std::string> rows;
  std::int64_t changed = 0;
  for (const auto& [name, value] : params_of(winner.params)) {
    const auto standard = std::ranges::find(defaults, name, [](const auto& param) { return param.first; });
    const bool differs = standard != defaults.end() && standard->second != value;
    changed += differs ? 1 : 0;
    rows.push_back(fmt::format("<tr{}><th scope=row>{}</th><td class=n>{}</td><td class=\"n soft\">{}</td></tr>\n",
                               differs ? " class=changed" : "", escape(name), escape(unqualified(value)),
                               standard == defaults.end() ? "" : escape(unqualified(standard->second))));
  }
  std::string body = params_tables(rows);
  if (const auto& any = subject.results.best->any_data)
    body +=
        fmt::format("<p class=note>Where the data is not known: <code>{}</code> loses {} at most, on {} (of {}).</p>\n",
                    escape(any->setting.settings()), percent(any->worst_loss), escape(any->worst_at),
                    counted(static_cast<std::int64_t>(any->among), "data set"));
  body += fmt::format("<p class=buttons>{}{}</p>\n",
                      copy_button("cpp", subject.results.defines ? "Copy #defines" : "Copy C++ constexpr"),
                      copy_button("flags", "Copy -D flags"));
  body += details("Show both", fmt::format("<pre id=cpp tabindex=0>{}</pre><pre id=flags tabindex=0>{}</pre>",
                                           escape(as_code(subject.results)), escape(as_flags(winner))));
  return Figure{.id = "best",
                .title = "Best params",
                .provenance = subject.results.provenance,
                .finding = fmt::format("Of {}; {} from its default.", escape(winner.kernel),
                                       changed == 0   ? "no param differs"
                                       : changed == 1 ? "1 param differs"
                                                      : fmt::format("{} params differ", changed)),
                .body = body};
}

}  // namespace warpwright::reports

// Writes the page of an architecture. Whatever differs from board to board is in an element of class "b" and of the
// board's own class, "b0" or "b1"; the radio buttons on top choose which are shown.
#include "reports/architecture_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "kernels/core/statistics.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/speed_strip.hpp"
#include "reports/charts/svg.hpp"
#include "reports/html.hpp"
#include "reports/overview_table.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

// A page under construction.
struct Overview {
  const ArchitectureSummary& all;
  std::vector<std::string> boards = all.architecture.boards();
  std::vector<PatternSummary> patterns = patterns_of(all);
  OverviewTable table = OverviewTable(boards, patterns);

  // The problems of a board.
  std::vector<const Summary*> on(const std::string& board) const {
    std::vector<const Summary*> found;
    for (const PatternSummary& pattern : patterns)
      for (const Summary& summary : pattern.problems)
        if (summary.results->board.model == board) found.push_back(&summary);
    return found;
  }
};

// How the times of a board are known: "measured" if any is, else "predicted" or "imported"; empty if there are none.
std::string provenance_of(const std::vector<const Summary*>& problems) {
  std::string known;
  for (const Summary* summary : problems) {
    if (summary->results->measured()) return summary->results->provenance;
    if (known.empty()) known = summary->results->provenance;
  }
  return known;
}

// The style that shows only the chosen board.
std::string board_style(std::size_t boards) {
  std::string css;
  for (std::size_t i = 0; boards > 1 && i < boards; ++i)
    css += fmt::format("body:has(#board{}:checked) .b:not(.b{}){{display:none!important}}", i, i);
  return css.empty() ? "" : "<style>" + css + "</style>\n";
}

std::string board_choice(const Overview& page) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (std::size_t i = 0; i < page.boards.size(); ++i) {
    const std::string known = provenance_of(page.on(page.boards[i]));
    choices.emplace_back(fmt::format("board{}", i),
                         fmt::format("{} <small>{}</small>",
                                     escape(page.boards.size() > 1 ? short_board(page.boards[i]) : page.boards[i]),
                                     known.empty() ? "not timed" : known));
  }
  if (choices.size() == 1) return fmt::format("<span class=only>{}</span>", choices.front().second);
  choices.emplace_back("side-by-side", choices.size() == 2 ? "both" : "all");
  return choice("board", "Board", choices);
}

std::string filters(const OverviewTable& table) {
  std::string html =
      "<div class=\"filters js-only\"><input id=find type=search placeholder=\"Filter: sort, double \u2026\" "
      "aria-label=\"Filter patterns\">";
  for (const auto& [id, text, is_there] : {std::tuple{"faster", "a library is faster", table.has_libraries()},
                                           {"below", "below 80 %", true},
                                           {"slower", "slower", table.has_sessions()}})
    if (is_there)
      html += fmt::format("<button class=chip data-filter={} aria-pressed=false>{} <b></b></button>", id, text);
  html += "<button id=expand aria-expanded=false>Expand all</button><select id=order aria-label=\"Sort by\">";
  for (const auto& [column, text] : {std::pair{"share", "by share of ceiling"},
                                     {"name", "by name"},
                                     {"us", "by time"},
                                     {"vendor", "by vendor"},
                                     {"change", "by change"},
                                     {"searched", "by searched"}})
    html += fmt::format("<option value={}>{}</option>", column, text);
  return html + "</select></div>";
}

std::string times_text(double ratio) {
  return fmt::format("<b>{}\u00A0\u00D7</b>", charts::ratio(ratio, 1));
}

// How the libraries compare on the measured problems of a board.
std::string measured_lead(const std::vector<const Summary*>& problems, const std::vector<PatternSummary>& patterns,
                          const std::string& board) {
  std::int64_t compared = 0;
  std::int64_t faster = 0;
  std::vector<std::pair<std::string, int>> where;  // pattern, problems where a library is faster
  for (const Summary* summary : problems) {
    if (!summary->libraries.vendor || !summary->libraries.vendor->ratio) continue;
    ++compared;
    if (!summary->library_is_faster()) continue;
    ++faster;
    const std::string& pattern = summary->results->problem.pattern;
    if (where.empty() || where.back().first != pattern) where.emplace_back(pattern, 0);
    ++where.back().second;
  }
  std::vector<double> tuned;
  std::vector<double> by_default;
  for (const PatternSummary& pattern : patterns) {
    const Summary* summary = pattern.on(board);
    if (!summary) continue;
    const auto& kokkos_default = summary->libraries.kokkos_default;
    const auto& kokkos_tuned = summary->libraries.kokkos_tuned ? summary->libraries.kokkos_tuned : kokkos_default;
    if (kokkos_tuned && kokkos_tuned->ratio) tuned.push_back(*kokkos_tuned->ratio);
    if (kokkos_default && kokkos_default->ratio) by_default.push_back(*kokkos_default->ratio);
  }
  if (compared == 0 && tuned.empty() && by_default.empty()) return "";
  std::string html;
  if (compared > 0) {
    html = fmt::format("No vendor\u2019s library is faster on <b>{} of {}</b> compared problems", compared - faster,
                       compared);
    std::vector<std::string> patterns_of_faster;
    for (const auto& [pattern, count] : where)
      patterns_of_faster.push_back(escape(pattern) + (count == 1 ? "" : fmt::format(" {}", count)));
    if (faster > 0) html += fmt::format("; one is faster on {}: {}", faster, listed(patterns_of_faster));
    html += ". ";
  }
  if (const auto mean = geometric_mean(tuned))
    html += fmt::format("Kokkos at its best takes {} as long (geometric mean over patterns)", times_text(*mean));
  if (const auto mean = geometric_mean(by_default)) html += fmt::format(", by default {}", times_text(*mean));
  return tuned.empty() && by_default.empty() ? html : html + ".";
}

// The sentence that says what matters.
std::string lead(const Overview& page, const std::string& board) {
  const std::vector<const Summary*> problems = page.on(board);
  std::vector<double> shares;
  const std::string known = provenance_of(problems);
  const bool measured = known == provenance::measured;
  std::int64_t timed = 0;
  for (const Summary* summary : problems) {
    timed += summary->us && summary->results->provenance == known ? 1 : 0;
    if (summary->share) shares.push_back(*summary->share);
  }
  std::string html = measured ? measured_lead(problems, page.patterns, board) : "";
  if (html.empty()) {
    const char* verb = known == provenance::predicted ? timed == 1 ? "is" : "are" : timed == 1 ? "was" : "were";
    html = timed == 0 ? "No problem has a time. "
                      : fmt::format("<b>{} of {}</b> {} {} {}. ", timed, problems.size(),
                                    problems.size() == 1 ? "problem" : "problems", verb, known);
  }
  if (!shares.empty())
    html += fmt::format(" Half of the problems reach <b>{}</b> of their ceiling, or more.",
                        charts::share_text(median(shares)));
  if (measured && std::ranges::all_of(problems, [](const Summary* one) { return one->results->baselines.empty(); }))
    html += " No library was timed: run <code>tune --baselines</code>.";
  return html;
}

std::string legend(const Overview& page) {
  std::set<std::string> certainties;
  bool ticks = false;
  bool predicted = false;
  bool no_ceiling = false;
  bool apart = false;
  for (const PatternSummary& pattern : page.patterns) {
    for (const Summary& summary : pattern.problems) {
      certainties.insert(summary.certainty);
      predicted = predicted || summary.predicted();
      no_ceiling = no_ceiling || !summary.share;
      const auto& vendor = summary.libraries.vendor;
      apart = apart || (vendor && vendor->is_apart());
    }
    ticks = ticks || pattern.problems.size() > page.boards.size();
  }
  std::string html = "<p class=foot>";
  if (ticks) html += "<b>Ticks</b> on a bar: the pattern\u2019s other problems. ";
  if (predicted) html += "<b>Hatched</b>: predicted. ";
  if (no_ceiling) html += "<b>Dashed</b>: no ceiling. ";
  for (const std::string& certainty : certainties) html += certainty_mark(certainty) + " ";
  if (page.table.has_libraries()) html += "<span>" + icon("faster") + " a library is faster</span> ";
  if (apart) html += "<b>~</b>: not measured in alternating rounds with ours. ";
  if (page.table.has_sessions())
    html += fmt::format("<span><i class=warn>{}</i> slower by over {:.0f} % than before the newest session</span>",
                        icon("warning"), 100 * noise);
  return html + "</p>\n";
}

}  // namespace

Page architecture_page(const Summaries& summaries, const ArchitectureSummary& all, const Assets& assets,
                       const std::string& made) {
  const Report& report = summaries.report;
  const Architecture& architecture = all.architecture;
  const Overview page{.all = all};
  std::set<std::string> titles;
  for (const ProblemResults& results : architecture.problems) titles.insert(results.title());

  std::string body = board_style(page.boards.size());
  body += fmt::format("<div class=title><h1>{} <small>{}, {}</small></h1>{}{}</div>\n", escape(architecture.name),
                      counted(std::ssize(page.patterns), "pattern"), counted(std::ssize(titles), "problem"),
                      board_choice(page), filters(page.table));
  for (std::size_t i = 0; i < page.boards.size(); ++i) {
    body += fmt::format("<p class=\"lead b b{}\"><b class=tag>{}:</b> {}</p>\n<div class=\"banners b b{}\">{}</div>\n",
                        i, escape(short_board(page.boards[i])), lead(page, page.boards[i]), i,
                        alerts(summaries, &all, page.boards[i]));
  }
  body += page.table.html() + legend(page) + "<p class=hidden id=live aria-live=polite></p>\n";

  Frame frame{.title = "warpwright: " + architecture.name, .made = made, .assets = &assets};
  frame.crumbs = {{"architectures", "index.html"}, {architecture.name, ""}};
  if (!report.across.empty()) frame.crumbs.push_back({"across boards", "index.html#across"});
  if (!report.runs.empty()) frame.crumbs.push_back({"nights", "index.html#nights"});
  if (!machines_of(report).empty()) frame.crumbs.push_back({"sessions", "index.html#sessions"});
  return {.name = architecture.file(), .html = framed(frame, "", body)};
}

}  // namespace warpwright::reports

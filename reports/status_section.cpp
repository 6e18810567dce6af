// What needs attention on a page, coloured and with links: failures, drift, altered rows, problems with predictions
// only.
#include <fmt/format.h>

#include <algorithm>

#include "db/query/band.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr double drift_worth_saying = 0.01;
constexpr std::size_t rows_named = 5;

// One line of the list; `target` is a link: "#drift", "sm_90.html#drift".
std::string line(const std::string& tone, const std::string& target, const std::string& text) {
  return fmt::format("<li class={}><a href=\"{}\">{}</a></li>\n", tone, target, escape(text));
}

std::string altered_line(const Report& report) {
  std::string rows;
  for (std::size_t i = 0; i < std::min(report.altered.size(), rows_named); ++i)
    rows += fmt::format("{}{} {}", i == 0 ? "" : ", ", report.altered[i].table, report.altered[i].id);
  if (report.altered.size() > rows_named) rows += ", ...";
  return fmt::format(
      "<li class=bad>{}: changed behind the programs&#39; back, so nothing that rests on them can be "
      "believed ({}); <code>tunedb check</code> lists them</li>\n",
      counted(std::ssize(report.altered), "altered row"), escape(rows));
}

// The problems whose newest trials show a wrong kernel. `page` is the page that the links point to, "" for this one.
std::string wrong_lines(const Architecture& architecture, const std::string& page) {
  std::string html;
  for (const Contest& contest : architecture.contests) {
    const auto wrong =
        std::ranges::count_if(contest.rows, [](const Row& row) { return tone_of(row.trial().verdict) == "bad"; });
    if (wrong > 0)
      html += line("bad", page + "#" + contest.id() + "-all",
                   fmt::format("{} of {} on {} went wrong", counted(wrong, "configuration"), contest.title(),
                               contest.board.model));
  }
  return html;
}

std::string drift_lines(const Architecture& architecture, const std::string& page) {
  std::string html;
  for (const Drift& drift : drifts(architecture)) {
    if (!drift.comparable() || std::abs(drift.change()) <= drift_worth_saying) continue;
    html += line(drift.change() > 0 ? "warn" : "good", page + "#drift",
                 fmt::format("{} on {}: {:+.1f} % since the session before", drift.contest->title(),
                             drift.contest->board.model, 100 * drift.change()));
  }
  return html;
}

// Lines that concern no single architecture. `page` is one that lists the new failures.
std::string common_lines(const Report& report, const std::string& page) {
  std::string html;
  if (!report.altered.empty()) html += altered_line(report);
  if (const auto failures = std::ssize(new_failures(report)); failures > 0)
    html += line("bad", page + "#failures", counted(failures, "new failure"));
  const auto open =
      std::ranges::count_if(report.counterexamples, [](const auto& one) { return !one.fixed_at && !one.obsolete; });
  if (open > 0)
    html += line("bad", "#nightly", counted(open, "counterexample") + (open == 1 ? " still fails" : " still fail"));
  const auto survivors = std::ranges::count(report.mutants, outcome::survived, &db::Mutant::outcome);
  if (survivors > 0) html += line("warn", "#mutants", counted(survivors, "mutant") + " survived");
  return html;
}

std::string list_of(const std::string& lines) {
  return "<ul class=status aria-label=\"What needs attention\">\n" +
         (lines.empty() ? "<li class=good>Nothing fails, drifted or was altered.</li>\n" : lines) + "</ul>\n";
}

}  // namespace

std::string predicted_banner(const std::string& board) {
  return fmt::format(
      "<p class=banner role=note><strong>Predicted, not measured.</strong> Times for {} are an analytic model&#39;s: "
      "it "
      "ranks, it does not time. Times within {:.0f} % of the best are one band of equals.</p>\n",
      escape(board), 100 * db::model_error);
}

std::string imported_banner(const std::string& board) {
  return fmt::format(
      "<p class=banner role=note><strong>Imported, not measured here.</strong> These times for {} are those of another "
      "tuner&#39;s recording: nothing of it was checked, and no time of ours is compared with them.</p>\n",
      escape(board));
}

std::string status_section(const Report& report, const Architecture& architecture) {
  return list_of(common_lines(report, "") + wrong_lines(architecture, "") + drift_lines(architecture, ""));
}

std::string status_section(const Report& report) {
  if (report.architectures.empty()) return "";
  std::string lines = common_lines(report, file_of(report.architectures.front()));
  for (const Architecture& architecture : report.architectures)
    lines += wrong_lines(architecture, file_of(architecture)) + drift_lines(architecture, file_of(architecture));
  return list_of(lines);
}

}  // namespace warpwright::reports

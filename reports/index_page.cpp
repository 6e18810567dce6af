// Writes the index.
#include "reports/index_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/core/text.hpp"
#include "reports/charts/board_loss.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/share_bar.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

std::string lead(const Report& report) {
  if (report.architectures.empty())
    return "This database holds no trials yet. Run <code>tune --arch sm_75</code>, or <code>tune --arch native</code> "
           "on "
           "a machine with a GPU, then <code>report</code> again.";
  std::int64_t measured = 0;
  std::int64_t predicted = 0;
  std::set<std::string> boards;
  for (const Architecture& architecture : report.architectures) {
    for (const ProblemResults& results : architecture.problems) {
      boards.insert(results.board.model);
      measured += results.best && results.measured() ? 1 : 0;
      predicted += results.best && results.predicted() ? 1 : 0;
    }
  }
  std::string html = fmt::format("{} on {}: ", counted(std::ssize(report.architectures), "architecture"),
                                 counted(std::ssize(boards), "board"));
  if (measured > 0) html += fmt::format("the best of <b>{}</b> was measured", counted(measured, "problem"));
  if (predicted > 0)
    html += fmt::format("{}that of <b>{}</b> is predicted", measured > 0 ? ", " : "", counted(predicted, "problem"));
  return html + ".";
}

// What is known of one board.
struct BoardRow {
  std::int64_t problems = 0, measured = 0, predicted = 0, certified = 0, faster = 0, compared = 0, slower = 0;
  std::set<std::string> patterns{};
  std::vector<double> shares{};
  std::string newest{};
};

BoardRow row_of(const Architecture& architecture, const std::string& board, const std::vector<Drift>& drifts) {
  BoardRow row;
  for (const ProblemResults& results : architecture.problems) {
    if (results.board.model != board) continue;
    const Summary summary = summary_of(architecture, results, drifts);
    ++row.problems;
    row.patterns.insert(results.problem.pattern);
    row.measured += summary.us && results.measured() ? 1 : 0;
    row.predicted += summary.us && results.predicted() ? 1 : 0;
    row.certified += summary.certainty == "certified" ? 1 : 0;
    row.compared += summary.libraries.vendor && summary.libraries.vendor->ratio ? 1 : 0;
    row.faster += summary.library_is_faster() ? 1 : 0;
    row.slower += summary.is_slower() ? 1 : 0;
    if (summary.share) row.shares.push_back(*summary.share);
    if (!results.trials.empty()) row.newest = std::max(row.newest, results.trials.back().trial.created_at);
  }
  std::ranges::sort(row.shares);
  return row;
}

// The params in which two settings of one kernel differ.
std::vector<charts::MovedParam> moved(const db::TrialView& from, const db::TrialView& to) {
  if (from.kernel != to.kernel) return {{.name = "kernel", .from = from.kernel, .to = to.kernel}};
  std::vector<charts::MovedParam> found;
  const auto own = params_of_text(from.params);
  for (const auto& [name, value] : params_of_text(to.params)) {
    const auto other = std::ranges::find(own, name, [](const auto& param) { return param.first; });
    if (other != own.end() && other->second != value)
      found.push_back({.name = name, .from = unqualified(other->second), .to = unqualified(value)});
  }
  return found;
}

std::string page_of(const Report& report, const db::Problem& problem, const std::string& board) {
  for (const Architecture& architecture : report.architectures)
    for (const ProblemResults& results : architecture.problems)
      if (results.board.model == board && results.title() == db::title_of(problem)) return results.file();
  return "";
}

}  // namespace

Figure boards_section(const Report& report) {
  std::string html =
      "<div class=scroll><table class=boards><thead><tr><th scope=col>architecture</th><th scope=col>board</th><th "
      "scope=col class=n>patterns</th><th scope=col class=n>problems</th><th scope=col class=n>measured</th><th "
      "scope=col class=n>predicted</th><th scope=col class=n>certified</th><th scope=col>middle share of the "
      "ceiling</th><th scope=col class=n>a library is faster</th><th scope=col class=n>slower</th><th "
      "scope=col>newest trial</th></tr></thead>\n<tbody>";
  for (const Architecture& architecture : report.architectures) {
    const std::vector<Drift> found = drifts(architecture);
    for (const std::string& board : architecture.boards()) {
      const BoardRow row = row_of(architecture, board, found);
      charts::ShareBar bar{.share = {}, .others = row.shares, .predicted = row.measured == 0};
      if (!row.shares.empty()) bar.share = row.shares[(row.shares.size() - 1) / 2];
      html += fmt::format(
          "<tr><th scope=row><a href=\"{}\">{}</a></th><td>{}</td><td class=n>{}</td><td class=n>{}</td><td "
          "class=n>{}</td><td class=n>{}</td><td class=n>{}</td><td class=t-share><div>{}<span>{}</span></div></td><td "
          "class=n>{}</td><td class=n>{}</td><td>{}</td></tr>\n",
          architecture.file(), escape(architecture.name), escape(board), row.patterns.size(), row.problems,
          row.measured, row.predicted, row.certified, charts::share_bar(bar),
          bar.share ? charts::share_text(*bar.share) : "no ceiling",
          row.compared == 0 ? "none compared" : fmt::format("{} of {}", row.faster, row.compared), row.slower,
          moment(row.newest));
    }
  }
  if (report.architectures.empty()) return {};
  return Figure{
      .id = "boards", .title = "Architectures and boards", .finding = "", .body = html + "</tbody></table></div>\n"};
}

Figure across_section(const Report& report) {
  if (report.across.empty()) return {};
  std::vector<charts::BoardLoss> losses;
  std::vector<charts::BoardLoss> untried;
  for (const db::CrossBoard& one : report.across) {
    for (const db::OnBoard& from : one.boards) {
      for (std::size_t to = 0; to < one.boards.size(); ++to) {
        const db::OnBoard& other = one.boards[to];
        const auto& cost = from.costs[to];
        if (other.board.model == from.board.model || (cost && (cost->tied || cost->loss <= 0))) continue;
        charts::BoardLoss loss{.problem = with_powers(one.title()),
                               .href = page_of(report, one.problem, from.board.model),
                               .from = short_board(from.board.model),
                               .to = short_board(other.board.model)};
        if (cost) {
          loss.factor = 1 + cost->loss;
        } else {
          loss.why = "not tried there";
        }
        loss.moved = moved(from.best, other.best);
        (cost ? losses : untried).push_back(std::move(loss));
      }
    }
  }
  std::ranges::stable_sort(losses, std::greater(),
                           [](const charts::BoardLoss& loss) { return loss.factor.value_or(0); });
  return Figure{
      .id = "across",
      .title = "Which settings move from board to board",
      .finding = escape(db::sentence_of(report.across)),
      .body = charts::board_losses(losses) +
              (untried.empty()
                   ? ""
                   : fmt::format("<details><summary>{} that the other board did not try</summary>\n"
                                 "{}</details>\n",
                                 counted(std::ssize(untried), "best configuration"), charts::board_losses(untried)))};
}

Page index_page(const Report& report, const Assets& assets, const std::string& made) {
  const Layout layout = laid_out({
      {{boards_section(report), 12}},
      {{changes_section(report), 12}},
      {{across_section(report), 12}},
      {{nights_section(report), 12}},
      {{mutants_section(report), 12}},
      {{sessions_section(report), 12}},
  });
  std::string head = fmt::format("<div class=title><h1>Report</h1></div>\n<p class=lead>{}</p>\n", lead(report));
  if (!report.architectures.empty()) head += "<div class=banners>" + alerts(report) + "</div>\n";

  Frame frame{.title = "warpwright: report", .made = made, .assets = &assets};
  frame.crumbs = {{"architectures", ""}};
  for (const Architecture& architecture : report.architectures)
    frame.crumbs.push_back({architecture.name, architecture.file()});
  const bool any = !report.architectures.empty() || !report.runs.empty();
  return {.name = "index.html", .html = framed(frame, any ? layout.contents : "", head + layout.html)};
}

}  // namespace warpwright::reports

// Writes the index.
#include "reports/index_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/core/statistics.hpp"
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
           "on a machine with a GPU, then <code>report</code> again.";
  std::map<std::string, std::int64_t> known;  // problems with a best, by provenance
  std::set<std::string> boards;
  for (const Architecture& architecture : report.architectures) {
    for (const ProblemResults& results : architecture.problems) {
      boards.insert(results.board.model);
      if (results.best) ++known[results.provenance];
    }
  }
  std::vector<std::string> parts;
  for (const char* provenance : {"measured", "predicted", "imported"})
    if (known[provenance] > 0)
      parts.push_back(fmt::format("{} for <b>{}</b>", provenance, counted(known[provenance], "problem")));
  return fmt::format("{}, {}. {}.", counted(std::ssize(report.architectures), "architecture"),
                     counted(std::ssize(boards), "board"),
                     parts.empty() ? "No problem has a time" : "The best configuration is " + listed(parts));
}

// The results of one board.
struct BoardRow {
  std::int64_t problems = 0, measured = 0, predicted = 0, certified = 0, faster = 0, compared = 0, slower = 0;
  std::set<std::string> patterns{};
  std::vector<double> shares{};
  std::string newest{};
};

BoardRow row_of(const ArchitectureSummary& architecture, const std::string& board) {
  BoardRow row;
  for (const Summary& summary : architecture.problems) {
    const ProblemResults& results = *summary.results;
    if (results.board.model != board) continue;
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
  return row;
}

// The bar of the median share, with ticks for the other problems, and the share in words.
Cell share_of_board(const BoardRow& row) {
  charts::ShareBar bar{.share = {}, .others = row.shares, .predicted = row.measured == 0 && row.predicted > 0};
  if (!row.shares.empty()) {
    bar.share = median(row.shares);
    const auto own = std::ranges::find(bar.others, *bar.share);
    if (own != bar.others.end()) bar.others.erase(own);
  }
  return Cell::markup(fmt::format("<div class=t-share><div>{}<span>{}</span></div></div>", charts::share_bar(bar),
                                  bar.share ? charts::share_text(*bar.share) : "no ceiling"));
}

// The params in which two configurations of one kernel differ.
std::vector<charts::MovedParam> moved(const db::TrialView& from, const db::TrialView& to) {
  if (from.kernel != to.kernel) return {{.name = "kernel", .from = from.kernel, .to = to.kernel}};
  std::vector<charts::MovedParam> found;
  const auto own = params_of(from.params);
  for (const auto& [name, value] : params_of(to.params)) {
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

Figure boards_section(const Summaries& summaries) {
  if (summaries.architectures.empty()) return {};
  Table table("What is known of each board",
              {"architecture", "board", "patterns", "problems", "measured", "predicted", "certified", "median share",
               "a library is faster", "slower", "newest trial"});
  for (const ArchitectureSummary& one : summaries.architectures) {
    const Architecture& architecture = one.architecture;
    for (const std::string& board : architecture.boards()) {
      const BoardRow row = row_of(one, board);
      table.add({Cell::markup(fmt::format("<a href=\"{}\">{}</a>", architecture.file(), escape(architecture.name))),
                 board, static_cast<std::int64_t>(row.patterns.size()), row.problems, row.measured, row.predicted,
                 row.certified, share_of_board(row),
                 Cell::figure(row.compared == 0 ? "none compared" : fmt::format("{} of {}", row.faster, row.compared)),
                 row.slower, moment(row.newest)});
    }
  }
  return Figure{
      .id = "boards",
      .title = "Architectures and boards",
      .finding =
          "A bar is the median share of the ceiling that a board\u2019s problems reach, a tick the share of one.",
      .body = table.html()};
}

Figure cross_board_section(const Report& report) {
  if (report.across.empty()) return {};
  std::vector<charts::BoardLoss> losses;
  std::vector<charts::BoardLoss> untried;
  for (const db::CrossBoard& one : report.across) {
    for (const db::OnBoard& from : one.boards) {
      for (std::size_t to = 0; to < one.boards.size(); ++to) {
        const db::OnBoard& other = one.boards[to];
        const auto& cost = from.costs[to];
        if (other.board.model == from.board.model || (cost && (cost->tied || cost->loss <= 0))) continue;
        charts::BoardLoss loss{.problem = charts::with_powers(one.title()),
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
  return Figure{.id = "across",
                .title = "Which best configurations differ from board to board",
                .finding = escape(charts::with_powers(db::sentence_of(report.across))),
                .body = charts::board_losses(losses) +
                        (untried.empty() ? ""
                                         : details(counted(std::ssize(untried), "best configuration") +
                                                       " that the other board did not try",
                                                   charts::board_losses(untried)))};
}

Page index_page(const Summaries& summaries, const Assets& assets, const std::string& made) {
  const Report& report = summaries.report;
  const Layout layout = laid_out({
      {{boards_section(summaries), 12}},
      {{changes_section(summaries), 12}},
      {{cross_board_section(report), 12}},
      {{nights_section(report), 12}},
      {{mutants_section(report), 12}},
      {{sessions_section(report), 12}},
  });
  std::string head = fmt::format("<div class=title><h1>Report</h1></div>\n<p class=lead>{}</p>\n", lead(report));
  if (!report.architectures.empty()) head += "<div class=banners>" + alerts(summaries) + "</div>\n";

  Frame frame{.title = "warpwright: report", .made = made, .assets = &assets};
  frame.crumbs = {{"architectures", ""}};
  for (const Architecture& architecture : report.architectures)
    frame.crumbs.push_back({architecture.name, architecture.file()});
  const bool any = !report.architectures.empty() || !report.runs.empty();
  return {.name = "index.html", .html = framed(frame, any ? layout.contents : "", head + layout.html)};
}

}  // namespace warpwright::reports

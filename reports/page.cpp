// Assembles complete pages.
#include "reports/page.hpp"

#include <fmt/format.h>

#include <set>

#include "reports/assets.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {
namespace {

// A script element must not contain "</script" or "<!--" as text. In JavaScript source these occur only in strings and
// comments, so they are escaped.
std::string inlined_script(std::string_view text) {
  std::string script(text);
  for (const std::string mark : {"</script", "<!--"}) {
    for (std::size_t at = 0; (at = script.find(mark, at)) != std::string::npos; at += mark.size() + 1) {
      script.insert(at + 1, "\\");
    }
  }
  return "<script>" + script + "</script>\n";
}

std::string head(const std::string& title, const Assets& assets) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
      "'unsafe-inline'; img-src data:\">\n"
      "<title>{}</title>\n<link rel=icon href=\"data:,\">\n<style>{}</style></head>\n<body>\n",
      escape(title), assets.css);
}

std::string foot(const Assets& assets) {
  std::string html = "</main>\n";
  if (!assets.charts.empty()) html += inlined_script(assets.charts);
  return html + inlined_script(assets.script) + inlined_script(assets.figures) + "</body></html>\n";
}

std::string masthead(const std::string& title, const std::string& links, const Report& report, const Assets& assets,
                     const std::string& made_at) {
  std::string html = fmt::format(
      "<header><h1>{}</h1><nav aria-label=Sections>{}</nav></header>\n<main>\n<p class=made>Made from {} at {}.</p>\n",
      escape(title), links, escape(report.file), escape(moment(made_at)));
  if (assets.charts.empty()) {
    html +=
        "<p class=made>Charts are left out: this build has no chart library (npm was missing or could not reach its "
        "registry). The tables hold everything that the charts would show.</p>\n";
  }
  return html;
}

std::string link(const std::string& target, const std::string& text) {
  return fmt::format("<a href=\"{}\">{}</a> ", escape(target), escape(text));
}

// The problems by pattern; the first problem of each pattern is expanded.
std::string patterns(const Report& report, const Architecture& architecture) {
  std::string html;
  std::string pattern;
  for (const Contest& contest : architecture.contests) {
    const bool first = contest.problem.pattern != pattern;
    if (first) {
      if (!pattern.empty()) html += "</section>\n";
      pattern = contest.problem.pattern;
      html += fmt::format("<section id=\"pattern-{}\"><h2>{}</h2>\n", slug(pattern), escape(pattern));
    }
    html += contest_section(contest, architecture, report, first);
  }
  return pattern.empty() ? "" : html + "</section>\n";
}

Page architecture_page(const Report& report, const Architecture& architecture, const Assets& assets,
                       const std::string& made_at) {
  std::string links = link("index.html", "all architectures") + link("#overview", "overview") +
                      link("#best", "best settings") + link("#drift", "changes");
  std::set<std::string> named;
  for (const Contest& contest : architecture.contests) {
    const std::string& pattern = contest.problem.pattern;
    if (named.insert(pattern).second) links += link("#pattern-" + slug(pattern), pattern);
  }
  const std::string published = published_section(architecture);
  const std::string nightly = nightly_section(report);
  const std::string mutants = mutants_section(report, false);
  const std::string sessions = sessions_section(report, architecture);
  if (!published.empty()) links += link("#published", "others' figures");
  if (!nightly.empty()) links += link("#nightly", "nightly");
  if (!mutants.empty()) links += link("#mutants", "mutants");
  if (!sessions.empty()) links += link("#sessions", "sessions");
  const std::string title = "warpwright: " + architecture.name;
  return {.name = file_of(architecture),
          .html = head(title, assets) + masthead(title, links, report, assets, made_at) +
                  (architecture.measured() || architecture.imported() ? "" : predicted_banner(architecture.name)) +
                  status_section(report, architecture) + overview_section(architecture) + best_section(architecture) +
                  drift_section(report, architecture) + patterns(report, architecture) + published + nightly + mutants +
                  sessions + foot(assets)};
}

std::string overview(const Report& report) {
  Table table("Architectures", {"architecture", "boards", "problems", "configurations", "best settings"});
  for (const Architecture& architecture : report.architectures) {
    std::set<std::string> boards;
    std::int64_t rows = 0;
    for (const Contest& contest : architecture.contests) {
      boards.insert(contest.board.model);
      rows += std::ssize(contest.rows);
    }
    std::string names;
    for (const std::string& board : boards) names += (names.empty() ? "" : ", ") + board;
    table.add({Cell::markup(fmt::format("<a href=\"{}\">{}</a>", file_of(architecture), escape(architecture.name))),
               names, std::ssize(architecture.contests), rows, best_sentence(architecture)});
  }
  return table.html();
}

Page index_page(const Report& report, const Assets& assets, const std::string& made_at) {
  std::string sentence =
      fmt::format("{} in this database.", report.architectures.size() == 1
                                              ? "There is 1 architecture"
                                              : fmt::format("There are {} architectures", report.architectures.size()));
  if (report.architectures.empty()) {
    sentence =
        "This database holds no trials yet: run `tune --arch sm_75`, or `tune --arch native` on a machine with a "
        "GPU, then `report` again.";
  }
  std::string links;
  for (const Architecture& architecture : report.architectures) links += link(file_of(architecture), architecture.name);
  const std::string across = across_section(report);
  if (!across.empty()) links += link("#across", "across boards");
  std::string banners;
  for (const Architecture& architecture : report.architectures)
    if (!architecture.measured() && !architecture.imported()) banners += predicted_banner(architecture.name);
  return {.name = "index.html",
          .html = head("warpwright: report", assets) + masthead("warpwright: report", links, report, assets, made_at) +
                  "<section id=overview><h2>Architectures</h2>\n" + paragraph(sentence) + overview(report) + banners +
                  status_section(report) + "</section>\n" + across + nightly_section(report) +
                  mutants_section(report, true) + foot(assets)};
}

}  // namespace

std::string file_of(const Architecture& architecture) {
  return slug(architecture.name) + ".html";
}

Assets embedded_assets() {
  return {.css = asset("page.css"),
          .script = asset("page.js"),
          .figures = asset("figures.js"),
          .charts = asset("charts.js")};
}

std::vector<Page> pages(const Report& report, const Assets& assets, const std::string& made_at) {
  std::vector<Page> made{index_page(report, assets, made_at)};
  for (const Architecture& architecture : report.architectures) {
    made.push_back(architecture_page(report, architecture, assets, made_at));
  }
  return made;
}

}  // namespace warpwright::reports

// Writes the table of an architecture's patterns.
#include "reports/overview_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "kernels/core/shape.hpp"
#include "kernels/core/text.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/searched_bar.hpp"
#include "reports/charts/share_bar.hpp"
#include "reports/charts/sparkline.hpp"
#include "reports/charts/svg.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr double low_share = 0.8;  // share of the ceiling; a filter keeps problems below it

std::optional<double> speed(const std::optional<LibraryTime>& time) {
  return time && time->ratio && *time->ratio > 0 ? std::optional(1 / *time->ratio) : std::nullopt;
}

charts::SpeedStrip strip_of(const Summary& summary) {
  const FastestLibraries& libraries = summary.libraries;
  return {.vendor = speed(libraries.vendor),
          .vendor_name = libraries.vendor ? libraries.vendor->library() : "",
          .kokkos_tuned = speed(libraries.kokkos_tuned),
          .kokkos_default = speed(libraries.kokkos_default),
          .measured = summary.results->measured()};
}

// A button that sorts by a column; `data` is its name in the rows' data.
std::string sorter(const std::string& data, const std::string& markup, bool descending = false) {
  return fmt::format("<button class=sort data-by={}{}>{}</button>", data, descending ? " data-down" : "", markup);
}

// The problem without its pattern.
std::string title_of(const ProblemResults& results) {
  return escape(charts::with_powers(db::short_title(results.problem)));
}

// `tag` names the board, for boards side by side; there, a row above has the title of a problem.
std::string name_cell(const PatternSummary& pattern, const Summary& summary, bool main, const std::string& tag) {
  const ProblemResults& results = *summary.results;
  const std::string title = title_of(results);
  if (!main) return fmt::format("<a href=\"{}\">{}<span class=title>{}</span></a>", results.file(), tag, title);
  return fmt::format("{}<a class=name href=\"{}\">{}</a><small title=\"{}\">{}</small>", tag, results.file(),
                     escape(pattern.pattern), title, title);
}

std::string time_cell(const Summary& summary) {
  if (!summary.us) return "<span class=soft>not timed</span>";
  return fmt::format("{}<small>{}</small>", charts::time_us(*summary.us), breakable(summary.kernel));
}

std::string share_cell(const PatternSummary& pattern, const Summary& summary, bool main) {
  charts::ShareBar bar{.share = summary.share, .others = {}, .predicted = summary.predicted()};
  for (const Summary& other : pattern.problems)
    if (main && &other != &summary && other.results->board.model == summary.results->board.model && other.share)
      bar.others.push_back(*other.share);
  return charts::share_bar(bar) + (summary.share ? fmt::format("<span><b>{:.1f}</b> <small>% {}</small></span>",
                                                               100 * *summary.share, summary.of)
                                                 : "<span class=soft>no ceiling</span>");
}

// The vendor's time divided by ours; for a pattern also the smallest ratio of its problems.
std::string vendor_cell(const PatternSummary& pattern, const Summary& summary, bool main) {
  const auto& vendor = summary.libraries.vendor;
  if (!summary.results->measured()) return "<span class=soft>not compared</span>";
  if (!vendor || !vendor->ratio) return "<span class=soft>no vendor</span>";
  std::string html = fmt::format("<span{}>{} <b>{}</b>{}</span>", summary.library_is_faster() ? " class=faster" : "",
                                 escape(vendor->library()), ratio_text(*vendor, 2),
                                 summary.library_is_faster() ? " " + icon("faster") : "");
  double least = *vendor->ratio;
  for (const Summary& other : pattern.problems)
    if (other.results->board.model == summary.results->board.model && other.libraries.vendor)
      least = std::min(least, other.libraries.vendor->ratio.value_or(least));
  if (main && least < *vendor->ratio) html += fmt::format("<small>least {}</small>", charts::ratio(least, 2));
  return html;
}

std::string sessions_cell(const Summary& summary) {
  if (!summary.results->measured()) return "<span class=soft>no session</span>";
  charts::Sparkline line;
  for (const db::TrialView* best : summary.bests_of_sessions) line.times_us.push_back(best->time_us());
  std::string html = charts::sparkline(line);
  if (!summary.change) return html;
  const double change = *summary.change;
  const char* tone = summary.is_slower() ? "warn" : change < -noise ? "good" : "soft";
  const std::string text = charts::change_text(change);
  if (summary.apart == not_again)  // its change is that of another configuration
    return html + fmt::format("<small title=\"the best of the newest session: {}\">{}</small>", text, summary.apart);
  return html + fmt::format("<span class={}>{}{}{}</span>", tone, summary.is_slower() ? icon("warning") : "", text,
                            summary.apart.empty() ? "" : "<small>" + summary.apart + "</small>");
}

std::string searched_cell(const Summary& summary) {
  if (summary.searched.evaluated == 0) return "";
  return charts::searched_bar({.share = summary.searched.share(),
                               .words = summary.searched.configurations > 0
                                            ? summary.searched.text()
                                            : grouped(summary.searched.evaluated) + " tried",
                               .sentence = summary.searched.in_words(),
                               .predicted = summary.predicted()});
}

// The best configuration, with buttons that copy its params.
std::string settings_cell(const Summary& summary) {
  if (!summary.us) return "<span class=soft>nothing is timed</span>";
  const db::TrialView& winner = summary.results->best->winner;
  return fmt::format(
      "<code>{}</code> <button class=js-only data-copy-text=\"{}\">Copy {}</button> "
      "<button class=js-only data-copy-text=\"{}\">Copy -D</button> <a href=\"{}#best\" aria-label=\"more of "
      "{}\">more</a>",
      escape(winner.settings()), escape(as_code(*summary.results)), summary.results->defines ? "#defines" : "C++",
      escape(as_flags(winner)), summary.results->file(), escape(summary.results->title()));
}

// The data by which the page's script sorts and filters, for each board: numbers of the problem that represents the
// pattern (null if there is none), and whether a filter keeps any problem of the pattern.
std::string data_of(const PatternSummary& pattern, const std::vector<const Summary*>& on) {
  std::string json;
  const auto number_or_null = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? fmt::format("{:.6g}", *value) : std::string("null");
  };
  const auto ratio = [](const std::optional<LibraryTime>& time) { return time ? time->ratio : std::nullopt; };
  for (const Summary* summary : on) {
    if (!json.empty()) json += ",";
    if (!summary) {
      json += "{}";
      continue;
    }
    const auto any = [&](const std::function<bool(const Summary&)>& is) {
      return std::ranges::any_of(pattern.problems, [&](const Summary& one) {
        return one.results->board.model == summary->results->board.model && is(one);
      });
    };
    json += fmt::format(
        R"({{"us":{},"share":{},"vendor":{},"tuned":{},"default":{},"change":{},"searched":{},)"
        R"("faster":{},"below":{},"slower":{}}})",
        number_or_null(summary->us), number_or_null(summary->share), number_or_null(ratio(summary->libraries.vendor)),
        number_or_null(ratio(summary->libraries.kokkos_tuned)),
        number_or_null(ratio(summary->libraries.kokkos_default)), number_or_null(summary->change),
        number_or_null(summary->searched.share()), any(&Summary::library_is_faster),
        any([](const Summary& one) { return one.share.value_or(1) < low_share; }), any(&Summary::is_slower));
  }
  return "[" + json + "]";
}

}  // namespace

OverviewTable::OverviewTable(const std::vector<std::string>& boards, const std::vector<PatternSummary>& patterns)
    : boards_(boards), patterns_(patterns) {
  std::vector<charts::SpeedStrip> strips;
  for (const PatternSummary& pattern : patterns) {
    for (const Summary& summary : pattern.problems) {
      sessions_ = sessions_ || !summary.bests_of_sessions.empty();
      strips.push_back(strip_of(summary));
      const charts::SpeedStrip& strip = strips.back();
      kokkos_ = kokkos_ || strip.kokkos_tuned || strip.kokkos_default;
      libraries_ = libraries_ || kokkos_ || strip.vendor;
    }
  }
  axis_ = charts::strip_axis(strips);
}

std::string OverviewTable::head() const {
  using charts::Whose;
  std::string html = "<colgroup><col class=c-name><col class=c-us><col class=c-share>";
  if (libraries_) html += "<col class=c-speed><col class=c-vendor>";
  if (sessions_) html += "<col class=c-sessions>";
  html += "<col class=c-certainty><col class=c-searched></colgroup>\n<thead><tr>";
  html += fmt::format("<th scope=col>{}</th><th scope=col class=t-us>{}</th>", sorter("name", "pattern"),
                      sorter("us", "time, \u00B5s"));
  html += fmt::format("<th scope=col class=t-share aria-sort=descending>{}{}</th>",
                      sorter("share", "share of the ceiling", true), charts::share_axis());
  if (libraries_) {
    std::string legend = "<span class=soft>speed</span> " + charts::legend({{Whose::ours, "ours"}}) +
                         sorter("vendor", charts::legend({{Whose::vendor, "vendor"}}));
    if (kokkos_)
      legend += sorter("tuned", charts::legend({{Whose::kokkos_tuned, "Kokkos tuned"}})) +
                sorter("default", charts::legend({{Whose::kokkos_default, "default"}}));
    html += fmt::format("<th scope=col class=t-speed><div class=key-row>{}</div>{}</th><th scope=col>{}</th>", legend,
                        charts::strip_header(axis_), sorter("vendor", "vendor\u2019s time<br>over ours"));
  }
  if (sessions_) html += fmt::format("<th scope=col>{}</th>", sorter("change", "time over<br>sessions", true));
  return html + fmt::format("<th scope=col>certainty</th><th scope=col>{}</th></tr></thead>\n",
                            sorter("searched", "searched"));
}

std::string OverviewTable::row(const PatternSummary& pattern, const std::vector<const Summary*>& on, bool main) const {
  const auto cell = [&](const char* name, const std::function<std::string(const Summary&)>& content) {
    std::string html;
    for (std::size_t i = 0; i < on.size(); ++i)
      html += fmt::format("<div class=\"b b{}\">{}</div>", i, on[i] ? content(*on[i]) : "");
    return fmt::format("<td class={}>{}</td>", name, html);
  };
  const auto tag = [&](std::size_t i) {
    return on.size() > 1 ? "<i class=tag>" + escape(short_board(boards_[i])) + "</i> " : "";
  };
  std::string names;
  for (std::size_t i = 0; i < on.size(); ++i)
    names +=
        fmt::format("<span class=\"b b{}\">{}</span>", i,
                    on[i]  ? name_cell(pattern, *on[i], main, tag(i))
                    : main ? tag(i) + "<b class=name>" + escape(pattern.pattern) + "</b><small>not timed here</small>"
                           : tag(i) + "<span class=soft>not timed here</span>");
  const std::string opener =
      main ? fmt::format("<button class=\"open js-only\" aria-expanded=false aria-label=\"More of {}\"></button>",
                         escape(pattern.pattern))
           : "";
  std::string html = fmt::format("<tr{}><th scope=row><div>{}<span class=names>{}</span></div></th>",
                                 main ? "" : " class=sub", opener, names);
  html += cell("t-us", time_cell);
  html += cell("t-share", [&](const Summary& summary) { return share_cell(pattern, summary, main); });
  if (libraries_) {
    html += cell("t-speed", [&](const Summary& summary) { return charts::speed_strip(strip_of(summary), axis_); });
    html += cell("t-vendor", [&](const Summary& summary) { return vendor_cell(pattern, summary, main); });
  }
  if (sessions_) html += cell("t-sessions", sessions_cell);
  html += cell("t-certainty", [](const Summary& summary) { return certainty_mark(summary.certainty); });
  return html + cell("t-searched", searched_cell) + "</tr>\n";
}

std::string OverviewTable::pattern(const PatternSummary& pattern) const {
  std::vector<const Summary*> on;
  for (const std::string& board : boards_) on.push_back(pattern.on(board));
  std::string html = fmt::format("<tbody id=\"{}\" data-of='{}'>", slug(pattern.pattern), data_of(pattern, on)) +
                     row(pattern, on, true);
  std::map<std::pair<std::string, Shape>, std::vector<const Summary*>> problems;  // by name and size
  for (const Summary& summary : pattern.problems) {
    const ProblemResults& results = *summary.results;
    const auto board = std::ranges::find(boards_, results.board.model) - boards_.begin();
    const auto same = problems.try_emplace({results.name(), parse_shape(results.problem.shape)}, boards_.size()).first;
    same->second[static_cast<std::size_t>(board)] = &summary;
  }
  const int columns = 5 + (libraries_ ? 2 : 0) + (sessions_ ? 1 : 0);
  const auto whole = [&](const std::vector<const Summary*>& same) {  // its title, over boards side by side
    return title_of(*(*std::ranges::find_if(same, [](const Summary* one) { return one != nullptr; }))->results);
  };
  for (const auto& [problem, same] : problems) {
    if (same == on) continue;
    if (boards_.size() > 1)
      html += fmt::format("<tr class=\"sub whole\" aria-hidden=true><td colspan={}>{}</td></tr>", columns, whole(same));
    html += row(pattern, same, false);
  }
  std::string settings = boards_.size() > 1 ? "<p class=whole>" + whole(on) + ":</p>" : "";
  for (std::size_t i = 0; i < on.size(); ++i)
    if (on[i])
      settings += fmt::format("<div class=\"b b{}\"><b>{}</b> {}</div>", i, escape(short_board(boards_[i])),
                              settings_cell(*on[i]));
  return html + fmt::format("<tr class=\"sub settings\"><td colspan={}>{}</td></tr></tbody>\n", columns, settings);
}

std::string OverviewTable::html() const {
  std::vector<const PatternSummary*> order;
  for (const PatternSummary& pattern : patterns_) order.push_back(&pattern);
  std::ranges::stable_sort(order, std::greater(), [&](const PatternSummary* pattern) {
    const Summary* first = pattern->on(boards_.front());
    return first ? first->share.value_or(-1) : -2;
  });
  std::string html = (libraries_ ? charts::strip_grid(axis_) : "") +
                     "<table id=patterns class=overview><caption class=hidden>Best configuration of each pattern; a "
                     "row opens into its problems</caption>\n" +
                     head();
  for (const PatternSummary* one : order) html += pattern(*one);
  return html + "</table>\n";
}

}  // namespace warpwright::reports

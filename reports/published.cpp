// Published figures of others, and the page section that compares them with ours.
#include "reports/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/core/verdict.hpp"
#include "reports/assets.hpp"
#include "reports/figures.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

bool has_params(const Row& row, const std::map<std::string, std::string>& params) {
  return std::ranges::all_of(params, [&](const auto& wanted) {
    return std::ranges::any_of(
        row.params, [&](const auto& own) { return own.first == wanted.first && own.second == wanted.second; });
  });
}

// Whether the figure is of the same problem, regardless of its size.
bool is_alike(const Contest& contest, const PublishedFigure& figure) {
  return contest.problem.pattern == figure.pattern && contest.problem.types == "float" &&
         contest.problem.variant.find(figure.variant) != std::string::npos;
}

double distance(const Contest& contest, const PublishedFigure& figure) {
  return shape_distance(parse_shape(contest.problem.shape), figure.shape);
}

// Our result for the figure's kernel or library.
std::optional<Counterpart> of(const Contest& contest, const PublishedFigure& figure) {
  Counterpart ours{.contest = &contest};
  const auto offer = [&](double us, std::string what) {
    if (ours.what.empty() || us < ours.us) {
      ours.us = us;
      ours.what = std::move(what);
    }
  };
  if (figure.library.empty()) {
    for (const Row* row : compared_rows(contest)) {
      if (!figure.kernel.empty() && row->view->kernel != figure.kernel) continue;
      if (!has_params(*row, figure.params)) continue;
      offer(*row->view->time_us(), row->view->settings());
    }
  } else {
    for (const db::Baseline& baseline : contest.baselines) {
      if (baseline.implementation != figure.library || !baseline.median_us || baseline.verdict != verdict::passed)
        continue;
      offer(*baseline.median_us, fmt::format("{} {}", baseline.implementation, baseline.version));
    }
  }
  if (ours.what.empty()) return std::nullopt;
  const auto rate = contest.rate_gbs(ours.us);
  if (rate && contest.board.memory_bandwidth_gbs > 0) ours.share_of_peak = *rate / contest.board.memory_bandwidth_gbs;
  return ours;
}

}  // namespace

std::vector<PublishedFigure> published_figures(std::string_view json) {
  const nlohmann::json file = nlohmann::json::parse(json);
  const nlohmann::json& peaks = file.at("peaks_gbs");
  std::vector<PublishedFigure> figures;
  for (const nlohmann::json& entry : file.at("figures")) {
    PublishedFigure figure{.pattern = entry.at("pattern"),
                           .variant = entry.value("variant", ""),
                           .kernel = entry.at("kernel"),
                           .library = entry.value("library", ""),
                           .params = entry.value("params", std::map<std::string, std::string>{}),
                           .shape = parse_shape(entry.at("size").get<std::string>()),
                           .what = entry.at("what"),
                           .board = entry.at("board"),
                           .arch = entry.at("arch"),
                           .rate = entry.value("rate", "")};
    if (entry.contains("ms")) figure.ms = entry["ms"].get<double>();
    if (peaks.contains(figure.board)) figure.peak_gbs = peaks[figure.board].get<double>();
    const double bytes = entry.value("bytes", 0.0);
    if (figure.ms && figure.peak_gbs && bytes > 0) figure.share_of_peak = bytes / *figure.ms / 1e6 / *figure.peak_gbs;
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::optional<Counterpart> counterpart(const Architecture& architecture, const PublishedFigure& figure) {
  std::optional<Counterpart> nearest;
  for (const Contest& contest : architecture.contests) {
    if (!contest.measured()) continue;
    if (!is_alike(contest, figure) || distance(contest, figure) == no_distance) continue;
    if (nearest && distance(contest, figure) >= distance(*nearest->contest, figure)) continue;
    if (auto ours = of(contest, figure)) nearest = std::move(ours);
  }
  return nearest;
}

std::string published_section(const Architecture& architecture) {
  Table table("Others' figures beside ours, as shares of each board's peak bandwidth",
              {"case", "others' board", "others' time ms", "others' share of peak", "ours", "our problem", "our board",
               "our time ms", "our share of peak"});
  std::int64_t rows = 0;
  std::int64_t both = 0;
  std::int64_t ahead = 0;
  for (const PublishedFigure& figure : published_figures(asset("published.json"))) {
    const bool known = std::ranges::any_of(
        architecture.contests, [&](const Contest& c) { return c.measured() && c.problem.pattern == figure.pattern; });
    if (!known) continue;
    const auto ours = counterpart(architecture, figure);
    const auto share = [](const std::optional<double>& value) { return value ? percent(*value) : ""; };
    table.add({figure.what, fmt::format("{} ({})", figure.board, figure.arch),
               figure.ms ? Cell(*figure.ms) : Cell::figure(figure.rate),
               Cell::figure(figure.peak_gbs ? share(figure.share_of_peak) : "peak not stated"),
               Cell::code(ours ? ours->what : ""), ours ? ours->contest->problem.shape : "",
               ours ? ours->contest->board.model : "", ours ? Cell(ours->us / 1e3) : Cell::figure(""),
               Cell::figure(ours ? share(ours->share_of_peak) : "")});
    ++rows;
    if (!ours || !ours->share_of_peak || !figure.share_of_peak) continue;
    ++both;
    ahead += *ours->share_of_peak > *figure.share_of_peak ? 1 : 0;
  }
  if (table.empty()) return "";
  const std::string sentence = fmt::format(
      "Boards, times and shares that are named others' are figures of others for sm_75 and sm_70 boards, from the "
      "literature the catalogue is drawn from; "
      "none was measured here, and only what was measured of ours stands beside them. Of {}, {} can be compared as a "
      "share of the board's peak: ours is larger in {}.",
      counted(rows, "figure"), grouped(both), grouped(ahead));
  return "<section id=published><h2>Figures that others report</h2>\n" + paragraph(sentence) + table.html() +
         "</section>\n";
}

}  // namespace warpwright::reports

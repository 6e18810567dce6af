// Page section on problems timed on several boards: what one board's best settings lose on the others.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "db/query/cross_board.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr double kDear = 0.05, kVeryDear = 0.1;  // losses from which a cell is coloured

std::string how_known(const db::CrossBoard& one) {
  return one.provenance == provenance::measured ? one.title() : one.title() + " (" + one.provenance + ")";
}

// The boards of all problems, sorted by name.
std::vector<std::string> boards_of(const std::vector<db::CrossBoard>& all) {
  std::set<std::string> models;
  for (const db::CrossBoard& one : all)
    for (const db::OnBoard& on : one.boards) models.insert(on.board.model);
  return {models.begin(), models.end()};
}

// The index of a board in a problem's list of boards.
std::optional<std::size_t> place_of(const db::CrossBoard& one, const std::string& model) {
  const auto found = std::ranges::find(one.boards, model, [](const db::OnBoard& on) { return on.board.model; });
  if (found == one.boards.end()) return std::nullopt;
  return static_cast<std::size_t>(found - one.boards.begin());
}

Cell cost_cell(const std::optional<db::Cost>& cost) {
  if (!cost) return Cell::figure("not measured there");
  if (cost->tied) return Cell::figure("equal");
  if (cost->loss == 0) return Cell::figure("best");
  return Cell::figure("+ " + percent(cost->loss))
      .with_tone(cost->loss >= kVeryDear ? "bad"
                 : cost->loss >= kDear   ? "warn"
                                         : "");
}

// One row for each board's best settings, and one for the settings that lose least on all boards.
std::string costs(const std::vector<db::CrossBoard>& all, const std::vector<std::string>& models) {
  std::vector<Column> columns{"problem", "best on", "settings", "loses at most"};
  for (const std::string& model : models) columns.push_back("on " + model);
  Table table("What the best settings of each board cost on the others", columns);
  const auto add = [&](const db::CrossBoard& one, const std::string& of, const db::TrialView& setting, const Cell& most,
                       const auto& cost_on) {
    std::vector<Cell> row{how_known(one), of, Cell::code(setting.settings()), most};
    for (const std::string& model : models) {
      const auto place = place_of(one, model);
      row.push_back(place ? cost_cell(cost_on(*place)) : Cell::figure(""));
    }
    table.add(std::move(row));
  };
  for (const db::CrossBoard& one : all) {
    for (const db::OnBoard& on : one.boards) {
      double most = 0;
      for (const auto& cost : on.costs) most = std::max(most, cost && !cost->tied ? cost->loss : 0);
      const bool is_known = std::ranges::all_of(on.costs, [](const auto& cost) { return cost.has_value(); });
      add(one, one.moves() ? on.board.model : "each of them", on.best,
          Cell::figure(is_known || most > 0 ? percent(most) : ""), [&](std::size_t place) { return on.costs[place]; });
      if (!one.moves()) break;
    }
    if (const auto& least = one.compromise; least && one.moves())
      add(one, "one for all", least->setting, Cell::figure(percent(least->costs[least->worst].loss)),
          [&](std::size_t place) { return std::optional(least->costs[place]); });
  }
  return table.html();
}

// The best time of each problem on each board.
std::string side_by_side(const std::vector<db::CrossBoard>& all, const std::vector<std::string>& models) {
  std::vector<Column> columns{"problem"};
  for (const std::string& model : models) columns.push_back(model + ", \xC2\xB5s");
  columns.insert(columns.end(), {"fastest", "times the slowest"});
  Table table("The best times side by side", columns);
  for (const db::CrossBoard& one : all) {
    std::vector<Cell> row{how_known(one)};
    std::vector<std::pair<double, std::string>> times;
    for (const db::OnBoard& on : one.boards) times.emplace_back(on.best.time_us().value_or(0), on.board.model);
    for (const std::string& model : models) {
      const auto place = place_of(one, model);
      row.push_back(place ? Cell(times[*place].first) : Cell::figure(""));
    }
    const auto [least, most] = std::ranges::minmax_element(times);
    row.push_back(least->second);
    row.push_back(Cell::figure(least->first > 0 ? fmt::format("{:.2f} x", most->first / least->first) : ""));
    table.add(std::move(row));
  }
  return table.html();
}

// A sentence on how well one setting serves all boards.
std::string compromise_sentence(const std::vector<db::CrossBoard>& all) {
  const auto has_one = [](const db::CrossBoard& one) { return one.compromise.has_value(); };
  const auto known = std::ranges::count_if(all, has_one);
  if (known == 0)
    return "No setting was timed on all boards of any problem: search with one seed on each of them, or without a "
           "budget.";
  double worst = 0;
  for (const db::CrossBoard& one : all)
    if (one.compromise) worst = std::max(worst, one.compromise->costs[one.compromise->worst].loss);
  return fmt::format("One setting for all boards, where some were timed on all of them ({} of {}), loses {} at most.",
                     known, counted(std::ssize(all), "problem"), percent(worst));
}

}  // namespace

std::string across_section(const Report& report) {
  if (report.across.empty()) return "";
  const std::vector<std::string> models = boards_of(report.across);
  return "<section id=across><h2>Across boards</h2>\n" + paragraph(db::sentence_of(report.across)) +
         costs(report.across, models) + paragraph(compromise_sentence(report.across)) +
         side_by_side(report.across, models) + "</section>\n";
}

}  // namespace warpwright::reports

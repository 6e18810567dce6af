// The table of every configuration of a problem on a board, written compactly because there may be 50,000 rows. The
// charts of the page read it. It stands in <noscript>, so that a browser with scripts treats it as text and opens the
// page without building millions of nodes. page.js builds a table from it when a reader or a chart needs one.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "reports/figures.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t longest_note = 160;

// Rows of one kernel with the same provenance and verdict that the charts treat alike.
struct Group {
  std::string kernel{};
  std::string provenance{};
  std::string verdict{};  // including how a prediction was checked
  std::string tone{};
  bool compared = false;

  auto operator<=>(const Group&) const = default;
};

// All axes of the kernels, in order of first appearance.
std::vector<std::string> axes_of(const Contest& contest) {
  std::vector<std::string> axes;
  for (const Row& row : contest.rows) {
    for (const auto& [axis, value] : row.params) {
      if (std::ranges::find(axes, axis) == axes.end()) axes.push_back(axis);
    }
  }
  return axes;
}

std::string note_of(const Contest& contest, const Row& row, const std::set<db::Id>& altered) {
  const db::Trial& trial = row.trial();
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  if (altered.contains(trial.id)) add("altered since it was stored");
  if (contest.in_band(*row.view)) {
    add("of the band of the best");
  } else if (row.view->is_measured() && contest.best) {
    if (trial.id == contest.best->winner.trial.id) add("best");
    const auto id_of = [](const db::TrialView& view) { return view.trial.id; };
    if (std::ranges::find(contest.best->tied, trial.id, id_of) != contest.best->tied.end()) add("tied with the best");
  }
  if (trial.is_default) add("default");
  if (trial.stopped_early) add("stopped early");
  if (trial.provenance == contest.provenance && trial.mode != contest.mode && trial.median_us) {
    add("timed in another mode: " + trial.mode);
  }
  if (!trial.warnings.empty()) add(trial.warnings);
  if (!trial.detail.empty()) add(fmt::format("{} (tunedb show {})", trial.detail, trial.id));
  return shortened(note, longest_note);
}

// Cells up to the last one that is not empty. HTML allows end tags to be left out.
std::string row_of(const std::vector<std::string>& cells) {
  std::size_t end = cells.size();
  while (end > 0 && cells[end - 1].empty()) --end;
  std::string html = "<tr>";
  for (std::size_t i = 0; i < end; ++i) html += "<td>" + cells[i];
  return html + "\n";
}

std::string whole(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "";
}
std::string real(const std::optional<double>& value) {
  return value ? number(*value) : "";
}

std::string cells_of(const Contest& contest, const Row& row, const std::vector<std::string>& axes,
                     const std::set<db::Id>& altered) {
  const db::Trial& trial = row.trial();
  std::vector<std::string> cells{real(row.view->time_us()), real(trial.low_us), real(trial.high_us)};
  for (const std::string& axis : axes) {
    const auto found = std::ranges::find(row.params, axis, [](const auto& entry) { return entry.first; });
    cells.push_back(found == row.params.end() ? "" : escape(found->second));
  }
  const bool shared = trial.static_shared || trial.dynamic_shared;
  cells.insert(cells.end(),
               {whole(trial.registers), whole(trial.spill_bytes),
                shared ? std::to_string(trial.static_shared.value_or(0) + trial.dynamic_shared.value_or(0)) : "",
                trial.occupancy ? number(100 * *trial.occupancy) : "", escape(trial.occupancy_limit),
                real(sectors_per_request(row.access)), real(transactions_per_request(row.access)),
                real(trial.error_ratio), escape(note_of(contest, row, altered))});
  return row_of(cells);
}

std::string header(const std::vector<std::string>& axes) {
  std::string html = "<thead><tr><th scope=col>time &micro;s<th scope=col>low<th scope=col>high";
  for (const std::string& axis : axes) html += fmt::format("<th scope=col data-axis>{}", escape(axis));
  for (const char* column : {"registers", "spills B", "shared B", "occupancy %", "limited by", "sectors / request",
                             "transactions / request", "error / bound", "note"}) {
    html += fmt::format("<th scope=col>{}", column);
  }
  return html + "</thead>\n";
}

// Sorts the fastest first; rows without a time last.
void sort_by_time(std::vector<const Row*>& rows) {
  std::ranges::stable_sort(
      rows, {}, [](const Row* row) { return row->view->time_us().value_or(std::numeric_limits<double>::infinity()); });
}

}  // namespace

std::string configurations_table(const Contest& contest, const Report& report) {
  const std::vector<std::string> axes = axes_of(contest);
  std::map<Group, std::vector<const Row*>> groups;
  for (const Row& row : contest.rows) {
    groups[{row.view->kernel, row.trial().provenance, row.verdict(), tone_of(row.trial().verdict),
            contest.compares(*row.view)}]
        .push_back(&row);
  }
  std::set<db::Id> altered;
  for (const db::AlteredRow& row : report.altered)
    if (row.table == "trial") altered.insert(row.id);
  std::string html = fmt::format(
      "<noscript data-table={0}-t><div class=scroll><table class=t id={0}-t><caption>Every configuration of {1} on "
      "{2}; time is the median, low "
      "and "
      "high its interval</caption>\n",
      contest.id(), escape(contest.title()), escape(contest.board.model));
  html += header(axes);
  for (auto& [group, rows] : groups) {
    sort_by_time(rows);
    html += fmt::format(
        "<tbody data-k=\"{0}\" data-p=\"{1}\" data-v=\"{2}\"{3}{7}>\n<tr><th colspan={4} scope=rowgroup>{5}/{0}: {1}, "
        "{2} "
        "({6})\n",
        escape(group.kernel), escape(group.provenance), escape(group.verdict), group.compared ? " data-c" : "",
        axes.size() + 12, escape(contest.problem.pattern), grouped(std::ssize(rows)),
        group.tone.empty() ? "" : " class=" + group.tone);
    for (const Row* row : rows) html += cells_of(contest, *row, axes, altered);
  }
  return html + "</table></div></noscript>\n";
}

}  // namespace warpwright::reports

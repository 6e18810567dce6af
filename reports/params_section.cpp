// Writes where the best configurations of a kernel are: a map of two params, and parallel coordinates of all params.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "kernels/core/text.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/param_map.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t least_configurations = 5;  // least number for a map
constexpr std::size_t listed_configurations = 100;
// Most lines of parallel coordinates: per kernel, and in total (approximately).
constexpr std::size_t most_lines = 2000;
constexpr std::size_t fewest_lines = 200;
constexpr std::size_t lines_of_page = 8000;

std::string select(const std::string& id, const std::string& label, const std::vector<std::string>& options,
                   const std::string& chosen, bool hidden = false) {
  std::string html = fmt::format("<label class=js-only{}>{} <select id={}>", hidden ? " hidden" : "", label, id);
  for (const std::string& option : options)
    html += fmt::format("<option{}>{}</option>", option == chosen ? " selected" : "", escape(option));
  return html + "</select></label>";
}

std::vector<std::string> names_of(const std::vector<KernelSpace>& spaces) {
  std::vector<std::string> names;
  for (const KernelSpace& space : spaces)
    if (!space.axes.empty() && space.lines.size() >= least_configurations) names.push_back(space.kernel);
  return names;
}

// A map of one param if `down` is the same as `across`.
charts::ParamMap map_of(const KernelSpace& space, std::size_t across, std::size_t down) {
  charts::ParamMap map{
      .across = space.axes[across].name, .down = {}, .across_values = space.axes[across].values, .down_values = {""}};
  if (across != down) {
    map.down = space.axes[down].name;
    map.down_values = space.axes[down].values;
  }
  map.cells.assign(map.down_values.size(), std::vector<charts::ParamCell>(map.across_values.size()));
  for (const charts::ParallelLine& line : space.lines) {
    charts::ParamCell& cell = map.cells[across == down ? 0 : line.values[down]][line.values[across]];
    ++cell.count;
    if (!cell.best_us) cell.best_us = line.us;  // the lines are sorted
  }
  return map;
}

// The data from which the page's script draws: for each kernel its params, their values, the variance that each
// explains, and a flat list with an index for each param and the time.
std::string data_of(const std::vector<KernelSpace>& spaces) {
  std::string json;
  for (const KernelSpace& space : spaces) {
    nlohmann::ordered_json axes = nlohmann::ordered_json::array();
    for (const charts::ParallelAxis& axis : space.axes) axes.push_back({{"name", axis.name}, {"values", axis.values}});
    std::string rows;
    for (const charts::ParallelLine& line : space.lines) {
      for (const std::size_t value : line.values) rows += fmt::format("{},", value);
      rows += charts::script_us(line.us) + ",";
    }
    if (!rows.empty()) rows.pop_back();
    using Handler = nlohmann::ordered_json::error_handler_t;
    std::string shares;
    for (const double share : explained(space)) shares += fmt::format("{}{:.4g}", shares.empty() ? "" : ",", share);
    json += fmt::format("{}{}:{{\"axes\":{},\"shares\":[{}],\"rows\":[{}]}}", json.empty() ? "" : ",",
                        nlohmann::ordered_json(space.kernel).dump(-1, ' ', true, Handler::replace),
                        axes.dump(-1, ' ', true, Handler::replace), shares, rows);
  }
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  return "<script type=application/json id=spaces>{" + json + "}</script>\n";
}

// The ends, formatted like times: "[63.3, 64.7]"; empty if one is missing.
std::string interval(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? fmt::format("[{}, {}]", charts::time_us(*low), charts::time_us(*high)) : "";
}

std::string whole(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "";
}

// The fastest configurations of all kernels.
std::string table_of(const ProblemResults& results) {
  std::vector<const Row*> rows = compared_rows(results);
  std::ranges::stable_sort(rows, {}, [](const Row* row) { return *row->view->time_us(); });
  Table table("The fastest configurations, and what their largest launch uses",
              {"kernel", "params", "time \u00B5s", "interval", "registers", "spilled bytes", "shared bytes",
               "occupancy", "occupancy limited by", "time limited by"});
  for (std::size_t i = 0; i < std::min(rows.size(), listed_configurations); ++i) {
    const db::Trial& trial = rows[i]->trial();
    const bool shared = trial.static_shared || trial.dynamic_shared;
    table.add(
        {rows[i]->view->kernel, Cell::code(unqualified(rows[i]->view->params)),
         Cell::figure(charts::time_us(*rows[i]->view->time_us())), Cell::figure(interval(trial.low_us, trial.high_us)),
         Cell::figure(whole(trial.registers)), Cell::figure(whole(trial.spill_bytes)),
         Cell::figure(shared ? std::to_string(trial.static_shared.value_or(0) + trial.dynamic_shared.value_or(0)) : ""),
         Cell::figure(trial.occupancy ? percent(*trial.occupancy) : ""), trial.occupancy_limit,
         trial.limited_by.value_or("")});
  }
  return details(fmt::format("{} of {} as a table; <code>tunedb trials</code> has all",
                             std::min(rows.size(), listed_configurations), counted(std::ssize(rows), "configuration")),
                 table.html());
}

}  // namespace

Figure params_section(const Subject& subject) {
  const std::vector<KernelSpace>& spaces = subject.spaces;
  const std::vector<std::string> names = names_of(spaces);
  if (spaces.empty()) return {};
  Figure figure{.id = "params", .title = "Params", .provenance = subject.results.provenance};
  if (names.empty()) {
    figure.finding = "Too few configurations of each kernel were timed to say which param matters.";
    return figure;
  }
  const KernelSpace& space = *std::ranges::find(spaces, names.front(), &KernelSpace::kernel);
  const std::vector<double> shares = explained(space);
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t axis) { return shares[axis]; });
  std::vector<charts::ParamEffect> effects;
  std::vector<std::string> params;
  for (std::size_t i = 0; i < order.size(); ++i) {
    effects.push_back({.name = space.axes[order[i]].name, .share = shares[order[i]], .mapped = i < 2});
    params.push_back(space.axes[order[i]].name);
  }
  const std::size_t down = order.front();
  const std::size_t across = order.size() > 1 ? order[1] : down;
  figure.controls = "<div class=controls>" + select("map-kernel", "kernel", names, space.kernel) +
                    select("map-across", "across", params, space.axes[across].name) +
                    select("map-down", "down", params, space.axes[down].name, across == down) + "</div>";
  figure.finding = fmt::format(
      "{} explains the largest share of the differences between the times of {} ({:.0f} %). A share is that of one "
      "param "
      "alone: params that act together, or were tried together, make the sum of all more or less than 100 %. Cells: "
      "the "
      "fastest time with the values; hatched: not tried.",
      escape(params.front()), escape(space.kernel), 100 * shares[down]);
  figure.body = "<div id=effects>" + charts::effect_bars(effects) + "</div><div id=map>" +
                charts::param_map(map_of(space, across, down)) + "</div>\n";
  return figure;
}

Figure configurations_section(const Subject& subject) {
  const std::vector<KernelSpace>& spaces = subject.spaces;
  const std::vector<std::string> names = names_of(spaces);
  if (names.empty()) return {};
  const KernelSpace& space = *std::ranges::find(spaces, names.front(), &KernelSpace::kernel);
  Figure figure{
      .id = "configurations",
      .title = "Configurations",
      .provenance = subject.results.provenance,
      .finding =
          "A line is a configuration, blue where fast, the ten best thick.<span class=js-only> Press values, or drag "
          "along an axis, to keep only those.</span>"};
  figure.controls = "<div class=controls>" + select("lines-kernel", "kernel", names, space.kernel) + "</div>";
  for (const std::string& name : names) {
    const KernelSpace& one = *std::ranges::find(spaces, name, &KernelSpace::kernel);
    const std::string lines =
        charts::parallel({.kernel = name,
                          .axes = one.axes,
                          .lines = one.lines,
                          .most = std::clamp(lines_of_page / names.size(), fewest_lines, most_lines)});
    // The page's script shows the other kernels' lines. Until then they are text, so that the page opens sooner.
    const char* tag = name == space.kernel ? "div" : "script type=text/html";
    figure.body += fmt::format("<{0} class=lines-of data-kernel=\"{1}\">{2}</{3}>\n", tag, escape(name), lines,
                               name == space.kernel ? "div" : "script");
  }
  figure.body =
      "<div id=lines>" + figure.body +
      "</div>\n<div class=\"controls js-only\"><label>slowest shown <input id=slowest type=range min=0 max=100 "
      "value=100></label><button id=clear>Clear</button><output id=shown></output></div>\n" +
      table_of(subject.results) + data_of(spaces);
  return figure;
}

}  // namespace warpwright::reports

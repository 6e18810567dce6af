// Shows how the time of a problem depends on the kernels' parameters.
#include "reports/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "db/query/band.hpp"
#include "kernels/core/statistics.hpp"
#include "reports/figures.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr int heat_steps = 8;

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool before(const std::string& a, const std::string& b) {
  const auto x = as_number(a);
  const auto y = as_number(b);
  if (x && y) return *x < *y;
  return x.has_value() != y.has_value() ? x.has_value() : a < b;
}

std::optional<std::string> value_of(const Row& row, const std::string& axis) {
  const auto found = std::ranges::find(row.params, axis, [](const auto& entry) { return entry.first; });
  return found == row.params.end() ? std::nullopt : std::optional(found->second);
}

const Axis& named(const std::vector<Axis>& axes, const std::string& name) {
  return *std::ranges::find(axes, name, &Axis::name);
}

// Heat map of a kernel's best times over two axes. Each shaded cell also shows its number.
std::string heat_map(const Contest& contest, const std::string& kernel, const Axis& across, const Axis& down) {
  std::map<std::pair<std::string, std::string>, double> best;
  for (const Row* row : compared_rows(contest)) {
    if (row->view->kernel != kernel) continue;
    const auto x = value_of(*row, across.name);
    const auto y = value_of(*row, down.name);
    if (!x || !y) continue;
    const double us = *row->view->time_us();
    const auto [cell, is_new] = best.try_emplace({*x, *y}, us);
    if (!is_new) cell->second = std::min(cell->second, us);
  }
  if (best.empty()) return "";
  double low = best.begin()->second;
  double high = low;
  for (const auto& [key, us] : best) {
    low = std::min(low, us);
    high = std::max(high, us);
  }
  std::string html = fmt::format(
      "<div class=scroll><table class=heat><caption>Best time of {}, &micro;s: {} across, {} down "
      "(stronger colour: slower)</caption>\n"
      "<thead><tr><th scope=col>{}</th>",
      escape(kernel), escape(across.name), escape(down.name), escape(down.name + " \\ " + across.name));
  for (const std::string& x : across.values) html += "<th scope=col>" + escape(x) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const std::string& y : down.values) {
    html += "<tr><th scope=row>" + escape(y) + "</th>";
    for (const std::string& x : across.values) {
      const auto cell = best.find({x, y});
      if (cell == best.end()) {
        html += "<td></td>";
        continue;
      }
      const double place = high > low ? std::log(cell->second / low) / std::log(high / low) : 0;
      html += fmt::format("<td class=h{}>{}</td>", std::min(heat_steps - 1, static_cast<int>(place * heat_steps)),
                          number(cell->second));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::vector<Axis> axes(const Contest& contest, const std::string& kernel) {
  std::vector<Axis> found;
  for (const Row* row : compared_rows(contest)) {
    if (row->view->kernel != kernel) continue;
    for (const auto& [name, value] : row->params) {
      auto axis = std::ranges::find(found, name, &Axis::name);
      if (axis == found.end()) axis = found.insert(found.end(), Axis{.name = name});
      axis->times[value].push_back(*row->view->time_us());
    }
  }
  std::erase_if(found, [](const Axis& axis) { return axis.times.size() < 2; });
  for (Axis& axis : found) {
    for (const auto& [value, times] : axis.times) axis.values.push_back(value);
    std::ranges::sort(axis.values, before);
  }
  return found;
}

std::vector<AxisEffect> effects(const std::vector<Axis>& axes) {
  std::vector<AxisEffect> found;
  for (const Axis& axis : axes) {
    AxisEffect effect{.axis = axis.name};
    double low = 0;
    double high = 0;
    for (const std::string& value : axis.values) {
      const double best = std::ranges::min(axis.times.at(value));
      high = std::max(high, best);
      if (effect.best_value.empty() || best < low) {
        low = best;
        effect.best_value = value;
      }
    }
    if (low > 0) effect.factor = high / low;
    found.push_back(std::move(effect));
  }
  std::ranges::stable_sort(found, std::greater(), &AxisEffect::factor);
  return found;
}

std::string effects_part(const Contest& contest) {
  Table table("Time by the value of each parameter, kernel by kernel",
              {"kernel", "parameter", "value", "configurations", "best time \xC2\xB5s", "median time \xC2\xB5s"});
  const double told = contest.measured() ? 1.01 : 1 + db::model_error;
  std::string sentences;
  std::string chart;
  for (auto best = contest.kernel_bests.rbegin(); best != contest.kernel_bests.rend(); ++best) {
    const std::string& kernel = best->winner.kernel;
    const std::vector<Axis> all = axes(contest, kernel);
    const std::vector<AxisEffect> order = effects(all);
    if (order.empty()) continue;
    for (const AxisEffect& effect : order) {
      const Axis& axis = named(all, effect.axis);
      for (const std::string& value : axis.values) {
        const std::vector<double>& times = axis.times.at(value);
        table.add({kernel, axis.name, Cell::figure(value), std::ssize(times), std::ranges::min(times), median(times)});
      }
    }
    sentences += paragraph(effect_sentence(kernel, order, told));
    if (!chart.empty()) continue;
    const std::string second =
        order.size() > 1 ? fmt::format(" data-second=\"{}\"", escape(order[1].axis)) : std::string();
    chart = figure("effect", "Best and median time by the value of one parameter of one kernel, \xC2\xB5s",
                   fmt::format("data-table={}-t data-kernel=\"{}\" data-first=\"{}\"{}", contest.id(), escape(kernel),
                               escape(order[0].axis), second));
    if (order.size() > 1) chart += heat_map(contest, kernel, named(all, order[0].axis), named(all, order[1].axis));
  }
  if (table.empty()) return "";
  return "<h4>Effect of the parameters</h4>\n" + sentences + "<details><summary>Time by value</summary>\n" +
         table.html() + "</details>\n" + chart;
}

}  // namespace warpwright::reports

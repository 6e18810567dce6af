// Collects how the time of each kernel depends on its params.
#include "reports/effects.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace warpwright::reports {
namespace {

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

const std::string* value_of(const Row& row, const std::string& param) {
  const auto found = std::ranges::find(row.params, param, [](const auto& entry) { return entry.first; });
  return found == row.params.end() ? nullptr : &found->second;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// `best_us` is the kernel's best time.
KernelSpace space_of(const std::string& kernel, double best_us, const std::vector<const Row*>& rows) {
  KernelSpace space{.kernel = kernel};
  for (const Row* row : rows) {
    for (const auto& [name, value] : row->params) {
      auto axis = std::ranges::find(space.axes, name, &charts::ParallelAxis::name);
      if (axis == space.axes.end()) axis = space.axes.insert(space.axes.end(), {.name = name, .values = {}});
      if (std::ranges::find(axis->values, value) == axis->values.end()) axis->values.push_back(value);
    }
  }
  std::erase_if(space.axes, [](const charts::ParallelAxis& axis) { return axis.values.size() < 2; });
  for (charts::ParallelAxis& axis : space.axes) std::ranges::sort(axis.values, before);
  for (const Row* row : rows) {
    charts::ParallelLine line{.values = {}, .us = std::max(best_us, *row->view->time_us())};
    for (const charts::ParallelAxis& axis : space.axes) {
      const std::string* value = value_of(*row, axis.name);
      if (value)
        line.values.push_back(static_cast<std::size_t>(std::ranges::find(axis.values, *value) - axis.values.begin()));
    }
    if (line.values.size() == space.axes.size()) space.lines.push_back(std::move(line));
  }
  std::ranges::stable_sort(space.lines, {}, &charts::ParallelLine::us);
  return space;
}

}  // namespace

std::vector<KernelSpace> kernel_spaces(const ProblemResults& results) {
  std::map<std::string, std::vector<const Row*>> rows;
  for (const Row* row : compared_rows(results)) rows[row->view->kernel].push_back(row);
  std::vector<KernelSpace> spaces;
  for (const db::Best& best : results.kernel_bests) {
    const std::string& kernel = best.winner.kernel;
    if (rows.contains(kernel)) spaces.push_back(space_of(kernel, best.winner.time_us().value_or(0), rows.at(kernel)));
  }
  return spaces;
}

std::vector<double> explained(const KernelSpace& space) {
  std::vector<double> logs;
  for (const charts::ParallelLine& line : space.lines) logs.push_back(std::log(line.us));
  const double middle = mean(logs);
  double all = 0;
  for (const double log : logs) all += (log - middle) * (log - middle);
  std::vector<double> shares;
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    std::vector<std::vector<double>> groups(space.axes[axis].values.size());
    for (std::size_t i = 0; i < logs.size(); ++i) groups[space.lines[i].values[axis]].push_back(logs[i]);
    double between = 0;
    for (const std::vector<double>& group : groups)
      between += static_cast<double>(group.size()) * (mean(group) - middle) * (mean(group) - middle);
    shares.push_back(all > 0 ? between / all : 0);
  }
  return shares;
}

}  // namespace warpwright::reports

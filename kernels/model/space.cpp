// Enumerates a space, and converts its points to C++ text and JSON and back.
#include "kernels/model/space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpwright {
namespace {

bool has_labels(const Axis& axis) {
  return std::ranges::any_of(axis.spellings, [](const std::string& s) { return s.find("::") != std::string::npos; });
}

std::vector<std::string> labels_of(const Axis& axis) {
  std::vector<std::string> labels;
  for (const std::int64_t value : axis.values) labels.push_back(axis.label(value));
  return labels;
}

}  // namespace

std::string Axis::label(std::int64_t value) const {
  const auto at = std::ranges::find(values, value);
  if (at == values.end()) return std::to_string(value);
  const std::string& spelling = spellings[static_cast<std::size_t>(at - values.begin())];
  const std::size_t colons = spelling.rfind("::");
  return colons == std::string::npos ? spelling : spelling.substr(colons + 2);
}

Space::Space(std::vector<Axis> axes, std::vector<Constraint> constraints, std::vector<FormerParam> former)
    : axes_(std::move(axes)), constraints_(std::move(constraints)), former_(std::move(former)) {
  const auto has_axis = [&](const std::string& name) { return std::ranges::count(axes_, name, &Axis::name) > 0; };
  const auto has_value = [&](const std::string& axis, const std::string& label) {
    return std::ranges::any_of(axes_, [&](const Axis& one) {
      const auto labels = labels_of(one);
      return one.name == axis && std::ranges::find(labels, label) != labels.end();
    });
  };
  for (const FormerParam& one : former_) {
    const bool is_value = !one.value.empty();
    if (is_value ? has_value(one.axis, one.value) : has_axis(one.axis))
      throw std::invalid_argument(fmt::format("{} is a param, so it cannot also be a former one", one.axis));
    if (one.now.empty()) continue;
    if (is_value ? !has_value(one.axis, one.now) : !has_axis(one.now))
      throw std::invalid_argument(
          fmt::format("{} cannot be a former name of '{}': no param has that name", one.axis, one.now));
  }
}

const FormerParam* Space::find_former(std::string_view axis, std::string_view value) const {
  const auto found =
      std::ranges::find_if(former_, [&](const FormerParam& one) { return one.axis == axis && one.value == value; });
  return found == former_.end() ? nullptr : &*found;
}

std::string Space::rejected_by(const Point& point, const Surroundings& surroundings) const {
  if (point.size() != axes_.size()) return fmt::format("{} values for {} axes", point.size(), axes_.size());
  for (std::size_t i = 0; i < axes_.size(); ++i)
    if (std::ranges::find(axes_[i].values, point[i]) == axes_[i].values.end())
      return "unknown value of " + axes_[i].name;
  for (const Constraint& constraint : constraints_)
    if (!constraint.holds(point, surroundings)) return constraint.name;
  return {};
}

std::vector<Point> Space::points(const Surroundings& surroundings) const {
  std::vector<Point> valid;
  std::vector<std::size_t> at(axes_.size(), 0);
  while (true) {
    Point point;
    for (std::size_t i = 0; i < axes_.size(); ++i) point.push_back(axes_[i].values[at[i]]);
    if (rejected_by(point, surroundings).empty()) valid.push_back(std::move(point));
    std::size_t i = axes_.size();
    while (i > 0 && ++at[i - 1] == axes_[i - 1].values.size()) at[--i] = 0;
    if (i == 0) return valid;
  }
}

std::string Space::text(const Point& point) const {
  std::string inside;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const auto at = std::ranges::find(axes_[i].values, point.at(i));
    if (at == axes_[i].values.end()) throw std::invalid_argument("no such value of " + axes_[i].name);
    const std::string& spelling = axes_[i].spellings[static_cast<std::size_t>(at - axes_[i].values.begin())];
    inside += fmt::format("{}.{} = {}", inside.empty() ? "" : ", ", axes_[i].name, spelling);
  }
  return "{" + inside + "}";
}

Point Space::parse(std::string_view text, const Point& defaults) const {
  std::string plain;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '{' && c != '}') plain += c;
  Point point = defaults;
  std::string_view rest = plain;
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    std::string_view name = item.substr(item.starts_with('.') ? 1 : 0, equals - (item.starts_with('.') ? 1 : 0));
    std::string_view wanted = equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1);
    if (const std::size_t colons = wanted.rfind("::"); colons != std::string_view::npos)
      wanted.remove_prefix(colons + 2);
    if (const FormerParam* const former = find_former(name); former != nullptr && !wanted.empty()) {
      if (former->now.empty()) continue;
      name = former->now;
    }
    if (const FormerParam* const former = find_former(name, wanted); former != nullptr && !wanted.empty()) {
      if (former->now.empty() && former->is_implied) continue;
      if (former->now.empty())
        throw std::invalid_argument(fmt::format("'{}' is no longer there: {}", item, former->why_gone));
      wanted = former->now;
    }
    const auto axis = std::ranges::find(axes_, name, &Axis::name);
    if (wanted.empty() || axis == axes_.end()) {
      std::vector<std::string> names;
      for (const Axis& known : axes_) names.push_back(known.name);
      throw std::invalid_argument(fmt::format("'{}' is no parameter; known: {}", item, fmt::join(names, ", ")));
    }
    const auto labels = labels_of(*axis);
    const auto label = std::ranges::find(labels, wanted);
    if (label == labels.end())
      throw std::invalid_argument(
          fmt::format("{} has no value '{}'; it has {}", axis->name, wanted, fmt::join(labels, ", ")));
    point.at(static_cast<std::size_t>(axis - axes_.begin())) =
        axis->values[static_cast<std::size_t>(label - labels.begin())];
  }
  return point;
}

nlohmann::json Space::json(const Point& point) const {
  nlohmann::json object = nlohmann::json::object();
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (has_labels(axes_[i]))
      object[axes_[i].name] = axes_[i].label(point.at(i));
    else
      object[axes_[i].name] = point.at(i);
  }
  return object;
}

nlohmann::json Space::axes_json() const {
  nlohmann::json list = nlohmann::json::array();
  for (const Axis& axis : axes_) {
    nlohmann::json entry = {{"name", axis.name}, {"values", axis.values}};
    if (has_labels(axis)) entry["labels"] = labels_of(axis);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace warpwright

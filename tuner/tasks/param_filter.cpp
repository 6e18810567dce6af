// Parses and applies restrictions of params.
#include "tuner/tasks/param_filter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

namespace warpwright::tuner {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, at);) parts.push_back(word);
  return parts;
}

std::optional<std::int64_t> number_of(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Throws std::invalid_argument if a kernel had that param before, or with `value` that value of it.
void refuse_former(const std::vector<const Kernel*>& kernels, const std::string& name, const std::string& value = {}) {
  for (const Kernel* kernel : kernels)
    for (const FormerParam& former : kernel->space.former()) {
      if (former.axis != name || (!value.empty() && former.value != value)) continue;
      const std::string what = value.empty() ? fmt::format("the param '{}'", name) : fmt::format("{}={}", name, value);
      throw std::invalid_argument(
          former.now.empty() ? fmt::format("{} no longer has {}: {}", kernel->full_name(), what, former.why_gone)
                             : fmt::format("{} of {} is called {} now", what, kernel->full_name(), former.now));
    }
}

}  // namespace

ParamFilter::ParamFilter(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (text.starts_with('@')) {
      read_list(text.substr(1));
      continue;
    }
    for (const std::string& part : split(text, ',')) {
      const std::size_t equals = part.find('=');
      if (equals == 0 || equals == std::string::npos || equals + 1 == part.size())
        throw std::invalid_argument(
            fmt::format("'{}' sets nothing: write NAME=VALUE, NAME=LOW..HIGH or NAME=VALUE|VALUE", part));
      for (const std::string& value : split(part.substr(equals + 1), '|')) {
        const std::size_t dots = value.find("..");
        if (dots != std::string::npos && !(number_of(value.substr(0, dots)) && number_of(value.substr(dots + 2))))
          throw std::invalid_argument(
              fmt::format("'{}' is no range of whole numbers: write LOW..HIGH, e.g. 16..32", value));
        allowed_[part.substr(0, equals)].push_back(value);
      }
    }
  }
}

void ParamFilter::read_list(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw std::invalid_argument(fmt::format("'{}' cannot be read: it lists configurations", file));
  if (!listed_) listed_.emplace();
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kernel, params, more;
    if (!(words >> kernel)) continue;
    if (!(words >> params) || words >> more || params.find('=') == std::string::npos)
      throw std::invalid_argument(
          fmt::format("{}: '{}' is no configuration: write PATTERN/KERNEL NAME=VALUE,NAME=VALUE", file, line));
    (*listed_)[kernel].insert(params);
  }
}

bool ParamFilter::allows(const std::string& name, const std::string& label) const {
  const auto values = allowed_.find(name);
  if (values == allowed_.end()) return true;
  return std::ranges::any_of(values->second, [&](const std::string& value) {
    const std::size_t dots = value.find("..");
    if (dots == std::string::npos) return value == label;
    const auto number = number_of(label);
    return number && *number >= *number_of(value.substr(0, dots)) && *number <= *number_of(value.substr(dots + 2));
  });
}

bool ParamFilter::allows(const Kernel& kernel, const Point& point) const {
  const auto& axes = kernel.space.axes();
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (!allows(axes[i].name, axes[i].label(point[i]))) return false;
  if (!listed_) return true;
  const auto of_kernel = listed_->find(kernel.full_name());
  if (of_kernel == listed_->end()) return false;
  std::vector<std::string> params;
  for (std::size_t i = 0; i < axes.size(); ++i) params.push_back(axes[i].name + "=" + axes[i].label(point[i]));
  if (of_kernel->second.contains(fmt::format("{}", fmt::join(params, ",")))) return true;
  // A listed text may have former params.
  return !kernel.space.former().empty() && std::ranges::any_of(of_kernel->second, [&](const std::string& text) {
    try {
      return kernel.space.parse(text, kernel.default_point) == point;
    } catch (const std::invalid_argument&) {
      return false;
    }
  });
}

void ParamFilter::check(const std::vector<const Kernel*>& kernels) const {
  if (listed_ &&
      std::ranges::none_of(kernels, [&](const Kernel* kernel) { return listed_->contains(kernel->full_name()); }))
    throw std::invalid_argument("the file of --set lists no configuration of a kernel that was asked for");
  for (const auto& [name, values] : allowed_) {
    std::set<std::string> axes;
    std::vector<std::string> labels;
    bool some = false;
    for (const Kernel* kernel : kernels)
      for (const Axis& axis : kernel->space.axes()) {
        axes.insert(axis.name);
        if (axis.name != name) continue;
        for (const std::int64_t value : axis.values) {
          const std::string label = axis.label(value);
          if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
          some = some || allows(name, label);
        }
      }
    if (!axes.contains(name)) refuse_former(kernels, name);
    if (!axes.contains(name))
      throw std::invalid_argument(
          fmt::format("no kernel that was asked for has the param '{}': they have {}", name, fmt::join(axes, ", ")));
    if (!some) refuse_former(kernels, name, values.front());
    if (!some)
      throw std::invalid_argument(
          fmt::format("{} cannot be {}: its values are {}", name, fmt::join(values, " or "), fmt::join(labels, ", ")));
  }
}

}  // namespace warpwright::tuner

// From a request to problems and kernels.
#include "tuner/tune/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

namespace warpwright::tuner {
namespace {

using Types = std::vector<ElementType>;

/// "float" names every list of types that begins with it.
std::vector<Types> types_for(const Pattern& pattern, const std::vector<std::string>& names) {
  if (names.empty()) return pattern.tuning_types;
  if (std::ranges::find(names, "all") != names.end()) return pattern.types;
  std::vector<Types> types;
  for (const std::string& name : names) {
    const Types asked = parse_types(name);
    for (const Types& known : pattern.types)
      if (known == asked || (asked.size() == 1 && known.front() == asked.front())) types.push_back(known);
  }
  return types;
}

/// Each "NAME=all" of a variant as one setting for every option.
std::vector<Settings> spread(const Pattern& pattern, const Settings& settings) {
  std::vector<Settings> all{settings};
  for (const auto& [name, value] : settings) {
    const auto axis = pattern.variants.find(name);
    if (value != "all" || axis == pattern.variants.end()) continue;
    std::vector<Settings> longer;
    for (const Settings& one : all)
      for (const std::string& option : axis->second) {
        longer.push_back(one);
        longer.back()[name] = option;
      }
    all = std::move(longer);
  }
  return all;
}

/// Settings that the pattern has no name for are not for it.
bool knows(const Pattern& pattern, const Settings& settings) {
  return std::ranges::all_of(settings, [&](const auto& setting) {
    return setting.first == kOwnData || pattern.variants.contains(setting.first) ||
           std::ranges::find(pattern.numbers, setting.first, &Number::name) != pattern.numbers.end();
  });
}

/// What is not given is what the pattern is tuned with.
std::vector<Settings> settings_for(const Pattern& pattern, const std::vector<std::string>& with) {
  std::vector<Settings> found;
  for (const std::string& text : with) {
    const Settings given = parse_settings(text);
    if (!knows(pattern, given)) continue;
    for (const Settings& usual : pattern.tuning_settings) {
      Settings settings = given;
      settings.insert(usual.begin(), usual.end());
      for (Settings& one : spread(pattern, settings))
        if (std::ranges::find(found, one) == found.end()) found.push_back(std::move(one));
    }
  }
  return with.empty() ? pattern.tuning_settings : found;
}

std::vector<std::vector<std::int64_t>> shapes_for(const Pattern& pattern, const std::vector<std::string>& sizes) {
  if (sizes.empty()) return pattern.tuning_shapes;
  std::vector<std::vector<std::int64_t>> shapes;
  for (const std::string& size : sizes) {
    const auto shape = parse_shape(size);
    if (shape.size() == pattern.extents.size()) shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace

std::string TuneRequest::strategy_name() const {
  if (!strategy.empty()) return strategy;
  return budget_seconds > 0 || budget_evaluations > 0 ? "smac" : "exhaustive";
}

std::vector<Point> points_for(const Kernel& kernel, const Problem& problem, const Device& device) {
  std::vector<Point> points = kernel.space.points({.types = problem.types, .device = device});
  std::erase_if(points, [&](const Point& point) { return !kernel.refuses(point, problem, device).empty(); });
  return points;
}

std::vector<const Kernel*> matching(const Catalogue& catalogue, const std::vector<std::string>& globs) {
  std::set<const Kernel*> wanted;
  for (const std::string& glob : globs)
    for (const Kernel* kernel : catalogue.matching(glob)) wanted.insert(kernel);
  std::vector<const Kernel*> kernels = catalogue.matching("*");
  if (!globs.empty()) std::erase_if(kernels, [&](const Kernel* kernel) { return !wanted.contains(kernel); });
  return kernels;
}

void keep_one_a_pattern(std::vector<TuneItem>& items) {
  std::set<std::string> seen;
  std::erase_if(items, [&](const TuneItem& item) { return !seen.insert(item.problem.pattern).second; });
}

std::vector<TuneItem> tune_items(const Catalogue& catalogue, const TuneRequest& request, const Device& device) {
  const auto kernels = matching(catalogue, request.globs);
  std::vector<TuneItem> items;
  std::set<std::string> unfit;
  for (const Pattern& pattern : catalogue.patterns()) {
    std::vector<const Kernel*> own;
    for (const Kernel* kernel : kernels)
      if (kernel->pattern == pattern.name) own.push_back(kernel);
    if (own.empty()) continue;
    for (const Types& types : types_for(pattern, request.types))
      for (const Settings& settings : settings_for(pattern, request.with))
        for (const auto& shape : shapes_for(pattern, request.sizes)) {
          TuneItem item;
          try {
            item.problem = make_problem(pattern, types, settings, shape);
          } catch (const std::invalid_argument& reason) {
            // Settings are for the patterns that have them: another one may.
            unfit.insert(reason.what());
            continue;
          }
          if (!(pattern.work(item.problem).steps > 0)) continue;
          for (const Kernel* kernel : own) {
            if (!points_for(*kernel, item.problem, device).empty())
              item.kernels.push_back(kernel);
            else
              item.left_out.push_back(
                  {.kernel = kernel, .reason = kernel->refuses(kernel->default_point, item.problem, device)});
          }
          items.push_back(std::move(item));
        }
  }
  if (items.empty())
    throw std::invalid_argument(
        fmt::format("no pattern of '{}' has this size, type and setting together{}: see tune --list for what there is",
                    request.globs.empty() ? "*" : fmt::format("{}", fmt::join(request.globs, " ")),
                    unfit.empty() ? "" : fmt::format(" ({})", fmt::join(unfit, "; "))));
  return items;
}

double parse_duration(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc{} || scale == 0 || !(number > 0))
    throw std::invalid_argument(fmt::format("'{}' is no duration: write 90s, 10m or 1h", text));
  return number * scale;
}

}  // namespace warpwright::tuner

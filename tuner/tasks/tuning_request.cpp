// Finds the problems and kernels of a request.
#include "tuner/tasks/tuning_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>

#include "tuner/records/title.hpp"

namespace warpwright::tuner {
namespace {

using Types = std::vector<ElementType>;

/// "float" selects every list of types that begins with it.
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

/// Replaces each "NAME=all" by every option of that variant.
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

/// Whether the pattern has all these settings.
bool knows(const Pattern& pattern, const Settings& settings) {
  return std::ranges::all_of(settings, [&](const auto& setting) {
    return setting.first == kOwnData || pattern.variants.contains(setting.first) ||
           std::ranges::find(pattern.numbers, setting.first, &Number::name) != pattern.numbers.end();
  });
}

/// Missing settings are the usual ones: those of the aliases by which the pattern was asked for, or else its own.
std::vector<Settings> settings_for(const Pattern& pattern, const std::vector<std::string>& with,
                                   const std::vector<Settings>& of_aliases) {
  const std::vector<Settings>& usual_ones = of_aliases.empty() ? pattern.tuning_settings : of_aliases;
  std::vector<Settings> found;
  for (const std::string& text : with) {
    const Settings given = parse_settings(text);
    if (!knows(pattern, given)) continue;
    for (const Settings& usual : usual_ones) {
      Settings settings = given;
      settings.insert(usual.begin(), usual.end());
      for (Settings& one : spread(pattern, settings))
        if (std::ranges::find(found, one) == found.end()) found.push_back(std::move(one));
    }
  }
  return with.empty() ? usual_ones : found;
}

std::vector<std::vector<std::int64_t>> shapes_for(const Pattern& pattern, const std::vector<std::string>& sizes) {
  if (sizes.empty()) return pattern.tuning_shapes;
  std::vector<std::vector<std::int64_t>> shapes;
  for (const std::string& size : sizes) {
    for (auto& shape : parse_sizes(size))
      if (shape.size() == pattern.extents.size()) shapes.push_back(std::move(shape));
  }
  return shapes;
}

/// The reason why the kernel has no configuration for the problem.
std::string why_none(const Kernel& kernel, const Problem& problem, const Device& device) {
  const std::string refused = kernel.refuses(kernel.default_point, problem, device);
  return refused.empty() ? "none of its configurations satisfies --set and --deterministic" : refused;
}

/// Throws if the problem's buffers exceed the device's memory; buffers on the CPU side do not count.
void require_memory(const Pattern& pattern, const Problem& problem, const Device& device) {
  double bytes = 0;
  for (const Buffer& buffer : pattern.buffers(problem))
    bytes += static_cast<double>(buffer.count) * static_cast<double>(size_of(buffer.type));
  const auto memory = static_cast<double>(device.memory_bytes);
  if (pattern.work(problem).bus_to_device > 0 || memory <= 0 || bytes <= memory) return;
  throw std::invalid_argument(fmt::format("{} needs {:.4g} GB, and the {} has {:.4g} GB: choose a smaller --size",
                                          problem_text(problem), bytes / 1e9, device.model, memory / 1e9));
}

/// Throws for a size or type that none of the patterns accepts.
void require_uses(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels, const TuningRequest& request) {
  std::set<const Pattern*> patterns;
  for (const Kernel* kernel : kernels) patterns.insert(&catalogue.pattern(kernel->pattern));
  for (const std::string& size : request.sizes)
    if (std::ranges::all_of(patterns, [&](const Pattern* one) { return shapes_for(*one, {size}).empty(); }))
      throw std::invalid_argument(fmt::format(
          "no pattern that was asked for has sizes like '{}': the same command with --list shows what there is", size));
  std::set<std::string> taken;
  for (const Pattern* one : patterns)
    for (const Types& types : one->types) taken.insert(types_text(types));
  for (const std::string& type : request.types)
    if (std::ranges::all_of(patterns, [&](const Pattern* one) { return types_for(*one, {type}).empty(); }))
      throw std::invalid_argument(
          fmt::format("no pattern that was asked for takes '{}'; they take {}", type, fmt::join(taken, ", ")));
}

}  // namespace

std::vector<std::vector<std::int64_t>> parse_sizes(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return {parse_shape(text)};
  std::string high = text.substr(dots + 2);
  std::int64_t factor = 2;
  if (const std::size_t colon = high.find(":x"); colon != std::string::npos) {
    const auto factors = parse_shape(high.substr(colon + 2));
    factor = factors.size() == 1 ? factors.front() : 0;
    high.resize(colon);
  }
  auto shape = parse_shape(text.substr(0, dots));
  const auto last = parse_shape(high);
  const bool is_range = shape.size() == last.size() && factor >= 2 &&
                        std::ranges::all_of(shape, [](std::int64_t extent) { return extent > 0; });
  if (!is_range)
    throw std::invalid_argument(
        fmt::format("'{}' is no range of sizes: write 2^10..2^28:x4 or 512x512..8192x8192", text));
  std::vector<std::vector<std::int64_t>> shapes;
  while (std::ranges::equal(shape, last, std::less_equal{})) {
    shapes.push_back(shape);
    for (std::int64_t& extent : shape) extent *= factor;
  }
  if (shapes.empty())
    throw std::invalid_argument(fmt::format("the range '{}' is empty: write the smaller size first", text));
  return shapes;
}

std::string TuningRequest::strategy_name() const {
  if (!strategy.empty()) return strategy;
  return budget_seconds > 0 || budget_evaluations > 0 ? "gaussian_process" : "exhaustive";
}

std::vector<Point> points_for(const Kernel& kernel, const Problem& problem, const Device& device,
                              const ParamFilter& params) {
  std::vector<Point> points = kernel.space.points({.types = problem.types, .device = device});
  std::erase_if(points, [&](const Point& point) {
    return !params.allows(kernel, point) || (params.only_deterministic && !kernel.deterministic(point, problem)) ||
           !kernel.refuses(point, problem, device).empty();
  });
  return points;
}

double share_of_first(std::span<const TuningTask> tasks) {
  const auto weight = [](const TuningTask& task) {
    const double first_trials = static_cast<double>(task.kernels.size());
    return (first_trials + std::log2(2.0 + static_cast<double>(task.configurations))) *
           (task.is_for_all_sizes ? 0.2 : 1);
  };
  double all = 0;
  for (const TuningTask& task : tasks) all += weight(task);
  return weight(tasks.front()) / all;
}

std::vector<std::size_t> smallest_first(std::span<const TuningTask> tasks) {
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t i) { return std::pair(tasks[i].is_for_all_sizes, tasks[i].configurations); });
  return order;
}

void add_tasks_for_all_sizes(std::vector<TuningTask>& tasks) {
  const auto differ_in_size = [](Problem one, const Problem& other) {
    if (one.shape == other.shape) return false;
    one.shape = other.shape;
    return one == other;
  };
  std::vector<TuningTask> more;
  for (auto task = tasks.begin(); task != tasks.end(); ++task)
    if (std::any_of(task + 1, tasks.end(),
                    [&](const TuningTask& later) { return differ_in_size(task->problem, later.problem); })) {
      more.push_back(*task);
      more.back().is_for_all_sizes = true;
      more.back().configurations = std::min<std::size_t>(more.back().configurations, 8);  // about
      more.back().title += ", for all sizes";
    }
  if (more.empty())
    throw std::invalid_argument(
        "--robust asks for one setting for several sizes: give --size more than once, or a range");
  tasks.insert(tasks.end(), more.begin(), more.end());
}

void keep_one_a_pattern(std::vector<TuningTask>& tasks) {
  std::set<std::string> seen;
  std::erase_if(tasks, [&](const TuningTask& task) { return !seen.insert(task.problem.pattern).second; });
}

std::vector<TuningTask> tuning_tasks(const Catalogue& catalogue, const TuningRequest& request, const Device& device) {
  const auto kernels = catalogue.matching(request.globs);
  request.params.check(kernels);
  require_uses(catalogue, kernels, request);
  std::vector<TuningTask> tasks;
  std::set<std::string> unfit;
  for (const Pattern& pattern : catalogue.patterns()) {
    std::vector<const Kernel*> own;
    for (const Kernel* kernel : kernels)
      if (kernel->pattern == pattern.name) own.push_back(kernel);
    if (own.empty()) continue;
    const std::vector<Settings> of_aliases = catalogue.settings_of_aliases(pattern, request.globs);
    for (const Types& types : types_for(pattern, request.types))
      for (const Settings& settings : settings_for(pattern, request.with, of_aliases))
        for (const auto& shape : shapes_for(pattern, request.sizes)) {
          TuningTask task;
          try {
            task.problem = make_problem(pattern, types, settings, shape);
          } catch (const std::invalid_argument& reason) {
            // Settings apply to the patterns that have them; another pattern may.
            unfit.insert(reason.what());
            continue;
          }
          // Several --with may mean the same problem.
          if (std::ranges::find(tasks, task.problem, &TuningTask::problem) != tasks.end()) continue;
          if (!(pattern.work(task.problem).steps > 0)) continue;
          require_memory(pattern, task.problem, device);
          for (const Kernel* kernel : own) {
            const std::size_t points = points_for(*kernel, task.problem, device, request.params).size();
            task.configurations += request.budget_evaluations > 0
                                       ? std::min(points, static_cast<std::size_t>(request.budget_evaluations))
                                       : points;
            if (points > 0)
              task.kernels.push_back(kernel);
            else
              task.left_out.push_back({.kernel = kernel, .reason = why_none(*kernel, task.problem, device)});
          }
          task.title = pattern.name + " " + short_title(pattern, task.problem);
          tasks.push_back(std::move(task));
        }
  }
  if (tasks.empty())
    throw std::invalid_argument(
        fmt::format("no pattern of '{}' has this size, type and setting together{}: the same command with --list shows "
                    "what there is",
                    request.globs.empty() ? "*" : fmt::format("{}", fmt::join(request.globs, " ")),
                    unfit.empty() ? "" : fmt::format(" ({})", fmt::join(unfit, "; "))));
  return tasks;
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

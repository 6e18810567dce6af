// Makes listings as JSON, from which their text is made.
#include "tuner/program/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "db/query/query.hpp"
#include "db/store/store.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/json_text.hpp"
#include "kernels/system/screen.hpp"
#include "tuner/tasks/shards.hpp"

namespace warpwright::tuner {
namespace {

using json = nlohmann::ordered_json;

/// Assumed rates in configurations per second, if no earlier run is known: measured on an H200 with 16 cores, predicted
/// on two cores.
constexpr double kMeasuredRate = 100;
constexpr double kPredictedRate = 50;

std::string indented(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += "    " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

json list_of(const Kernel& kernel, const Pattern& pattern, const Device& device) {
  json axes = json::object();
  for (const Axis& axis : kernel.space.axes())
    for (const std::int64_t value : axis.values) axes[axis.name].push_back(axis.label(value));
  return {{"name", kernel.full_name()},
          {"configurations", kernel.space.points({.types = pattern.types.front(), .device = device}).size()},
          {"params", std::move(axes)}};
}

json list_of(const Pattern& pattern, const std::vector<const Kernel*>& kernels, const Device& device) {
  json listed{{"name", pattern.name}, {"summary", pattern.summary}, {"extents", pattern.extents}};
  listed["sizes"] = json::array();
  for (const auto& shape : pattern.tuning_shapes) listed["sizes"].push_back(shape_text(shape));
  listed["types"] = json::array();
  for (const auto& list : pattern.types) listed["types"].push_back(types_text(list));
  listed["variants"] = pattern.variants;
  listed["numbers"] = json::array();
  for (const Number& number : pattern.numbers)
    listed["numbers"].push_back(
        {{"name", number.name}, {"low", number.low}, {"high", number.high}, {"preferred", number.preferred}});
  listed["data"] = json::array();
  for (const InputKind& kind : pattern.data) listed["data"].push_back(kind.name);
  listed["kernels"] = json::array();
  for (const Kernel* kernel : kernels) listed["kernels"].push_back(list_of(*kernel, pattern, device));
  return listed;
}

std::string joined(const json& words, const char* between) {
  return fmt::format("{}", fmt::join(words.get<std::vector<std::string>>(), between));
}

std::int64_t count_of(const json& value) {
  return value.get<std::int64_t>();
}

std::string configurations(std::int64_t count) {
  return counted(count, "configuration");
}

void print(const json& pattern) {
  const std::size_t width = screen_of(STDOUT_FILENO).width;
  fmt::print("{}",
             wrapped(fmt::format("{}: {}", pattern["name"].get<std::string>(), pattern["summary"].get<std::string>()),
                     width, 2));
  std::string problems = fmt::format("  size {} (default {}); type {}", joined(pattern["extents"], " x "),
                                     joined(pattern["sizes"], ", "), joined(pattern["types"], ", "));
  for (const auto& [axis, options] : pattern["variants"].items())
    problems += fmt::format("; {} {}", axis, joined(options, ", "));
  for (const json& number : pattern["numbers"])
    problems +=
        fmt::format("; {} {} to {} (default {})", number["name"].get<std::string>(), number["low"].get<double>(),
                    number["high"].get<double>(), number["preferred"].get<double>());
  fmt::print("{}", wrapped(problems + "; data " + joined(pattern["data"], ", "), width, 4));
  for (const json& kernel : pattern["kernels"]) {
    fmt::print("  {:<28} {}\n", kernel["name"].get<std::string>(), configurations(count_of(kernel["configurations"])));
    for (const auto& [axis, labels] : kernel["params"].items())
      fmt::print("{}", wrapped(fmt::format("    {:<20} {}", axis, joined(labels, " ")), width, 25));
  }
}

/// One row per kernel.
Table table_of_list(const json& patterns) {
  Table table({{.head = "KERNEL"},
               {.head = "CONFIGURATIONS"},
               {.head = "PARAMS"},
               {.head = "SIZES"},
               {.head = "TYPES"},
               {.head = "SUMMARY"}});
  for (const json& pattern : patterns)
    for (const json& kernel : pattern["kernels"]) {
      std::string params;
      for (const auto& [axis, labels] : kernel["params"].items())
        params += fmt::format("{}{}={}", params.empty() ? "" : ",", axis, joined(labels, "|"));
      table.add({kernel["name"].get<std::string>(), count_of(kernel["configurations"]), params,
                 joined(pattern["sizes"], " "), joined(pattern["types"], " "), pattern["summary"].get<std::string>()});
    }
  return table;
}

/// One row per problem and kernel, including those left out.
Table table_of_problems(const json& problems) {
  Table table(
      {{.head = "PROBLEM"}, {.head = "KERNEL"}, {.head = "CONFIGURATIONS"}, {.head = "DEFAULT"}, {.head = "LEFT OUT"}});
  for (const json& problem : problems) {
    const auto name = problem["title"].get<std::string>();
    for (const json& kernel : problem["kernels"])
      table.add({name,
                 kernel["name"].get<std::string>(),
                 count_of(kernel["configurations"]),
                 kernel["default"].get<std::string>(),
                 {}});
    for (const json& left : problem["left_out"])
      table.add({name, left["name"].get<std::string>(), 0, {}, left["reason"].get<std::string>()});
  }
  return table;
}

/// A task as --dry-run shows it: its kernels with their configurations and default plans, and what is left out.
json dry_run_of(const TuningTask& task, const TuningRequest& request, const Device& device) {
  json problem{{"problem", problem_text(task.problem)},
               {"title", task.title},
               {"kernels", json::array()},
               {"left_out", json::array()}};
  for (const Kernel* kernel : task.kernels) {
    std::size_t points = slice_for(*kernel, task.problem, device, request).size();
    if (request.budget_evaluations > 0) points = std::min(points, static_cast<std::size_t>(request.budget_evaluations));
    problem["kernels"].push_back({{"name", kernel->full_name()},
                                  {"configurations", points},
                                  {"default", kernel->space.text(kernel->default_point)},
                                  {"plan", describe(kernel->plan(kernel->default_point, task.problem, device))}});
  }
  for (const LeftOut& left : task.left_out)
    problem["left_out"].push_back({{"name", left.kernel->full_name()}, {"reason", left.reason}});
  return problem;
}

/// Prints what dry_run_of() made, with plans if `verbose`.
void print_problem(const json& problem, std::size_t width, bool verbose) {
  fmt::print("{}\n", problem["title"].get<std::string>());
  for (const json& kernel : problem["kernels"]) {
    fmt::print("{}", wrapped(fmt::format("  {}: {}, the default {}", kernel["name"].get<std::string>(),
                                         configurations(count_of(kernel["configurations"])),
                                         kernel["default"].get<std::string>()),
                             width, 4));
    if (verbose) fmt::print("{}", indented(kernel["plan"].get<std::string>()));
  }
  for (const json& left : problem["left_out"])
    fmt::print("{}", wrapped(fmt::format("  {}: skipped: {}", left["name"].get<std::string>(),
                                         left["reason"].get<std::string>()),
                             width, 4));
}

}  // namespace

void print_list(const Catalogue& catalogue, const std::vector<std::string>& globs, const Device& device, Form form) {
  const auto kernels = catalogue.matching(globs);
  json patterns = json::array();
  std::int64_t sum = 0;
  for (const Pattern& pattern : catalogue.patterns()) {
    std::vector<const Kernel*> own;
    for (const Kernel* kernel : kernels)
      if (kernel->pattern == pattern.name) own.push_back(kernel);
    if (own.empty()) continue;
    patterns.push_back(list_of(pattern, own, device));
    for (const json& kernel : patterns.back()["kernels"]) sum += count_of(kernel["configurations"]);
  }
  if (form == Form::json) {
    const json all{{"kernels", kernels.size()}, {"configurations", sum}, {"patterns", std::move(patterns)}};
    fmt::print("{}", json_text(all));
    return;
  }
  if (form == Form::csv) {
    fmt::print("{}", table_of_list(patterns).csv());
    return;
  }
  fmt::print("{}, {}, {} on {} ({})\n", counted(std::ssize(patterns), "pattern"),
             counted(std::ssize(kernels), "kernel"), counted(sum, "configuration"), device.arch(), device.model);
  for (const json& pattern : patterns) print(pattern);
}

Rate expected_rate(const std::filesystem::path& database, const std::string& target, bool measured) {
  if (std::filesystem::exists(database)) {
    const db::Store store(database, db::Mode::read_only);
    if (const auto rate = db::trials_per_second(store, target, measured ? "measured" : "predicted"))
      return {.per_second = *rate, .basis = "as in the newest run in " + database.string()};
  }
  return {.per_second = measured ? kMeasuredRate : kPredictedRate,
          .basis = fmt::format("an assumption: {} holds no complete run on {} of 20 trials or more", database.string(),
                               target)};
}

void print_dry_run(const std::vector<TuningTask>& tasks, const TuningRequest& request, const Device& device,
                   const Rate& rate, Form form, bool verbose) {
  json problems = json::array();
  std::int64_t total = 0;
  for (const TuningTask& task : tasks) {
    for (const json& kernel : problems.emplace_back(dry_run_of(task, request, device))["kernels"])
      total += count_of(kernel["configurations"]);
  }
  double seconds = static_cast<double>(total) / rate.per_second;
  const bool is_cut = request.budget_seconds > 0 && request.budget_seconds < seconds;
  if (form == Form::json) {
    const json all{{"configurations", total},
                   {"seconds", is_cut ? request.budget_seconds : seconds},
                   {"per_second", rate.per_second},
                   {"basis", rate.basis},
                   {"arch", device.arch()},
                   {"board", device.model},
                   {"strategy", request.strategy_name()},
                   {"shard", shard_text(request.shard)},
                   {"problems", std::move(problems)}};
    fmt::print("{}", json_text(all));
    return;
  }
  if (form == Form::csv) {
    fmt::print("{}", table_of_problems(problems).csv());
    return;
  }
  const std::size_t width = screen_of(STDOUT_FILENO).width;
  fmt::print(
      "{}{}",
      wrapped(fmt::format("{} for {} on {} ({}), strategy {}{}", configurations(total),
                          counted(std::ssize(tasks), "problem"), device.arch(), device.model, request.strategy_name(),
                          request.shard.is_all() ? "" : fmt::format(", in shard {}", shard_text(request.shard))),
              width, 2),
      wrapped(
          fmt::format("about {} at {:.0f} configurations/s ({}){}", duration_text(seconds), rate.per_second, rate.basis,
                      is_cut ? "; the budget ends it after " + duration_text(request.budget_seconds) : ""),
          width, 2));
  for (const json& problem : problems) print_problem(problem, width, verbose);
}

}  // namespace warpwright::tuner

// Writes recordings of a database's own measurements as T4 and as cache files of Kernel Tuner.
#include "db/exchange/recording.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "db/exchange/recording_words.hpp"
#include "db/query/views.hpp"
#include "db/store/schema.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

std::string problem_text(const TrialView& view) {
  return fmt::format("{}[{},{},{}]", view.pattern, settings_text(view.problem), view.problem.types, view.problem.shape);
}

// Params and their values (or labels), in the order of the kernel's axes.
Json params_of(const std::string& axes) {
  Json params = Json::object();
  const Json list = Json::parse(axes, nullptr, false);
  if (!list.is_array()) return params;
  for (const Json& axis : list)
    if (axis.is_object() && axis.contains("name"))
      params[axis["name"].get<std::string>()] =
          axis.value(axis.contains("labels") ? "labels" : "values", Json::array());
  return params;
}

// The params of one configuration, in the order of the axes.
Json in_order(const std::string& params_json, const Json& axes) {
  const Json given = Json::parse(params_json, nullptr, false);
  Json params = Json::object();
  for (const auto& [name, values] : axes.items())
    if (given.is_object() && given.contains(name)) params[name] = given[name];
  if (given.is_object())
    for (const auto& [name, value] : given.items()) params[name] = value;
  return params;
}

Error several(const std::set<std::string>& names) {
  std::string text = fmt::format(
      "{} recordings match, and a file holds one kernel on one problem and board. Narrow down with --pattern, "
      "--kernel, --size, --with, --type, --board or --arch:",
      names.size());
  std::size_t shown = 0;
  for (const std::string& name : names)
    if (++shown <= 10) text += "\n  " + printable(name);
  return Error(text + (names.size() > 10 ? "\n  ..." : ""));
}

Json milliseconds(const std::vector<double>& microseconds) {
  Json list = Json::array();
  for (const double us : microseconds) list.push_back(us / 1000);
  return list;
}

}  // namespace

std::optional<Recording> recording_of(const Store& store, Filter filter) {
  filter.provenance = provenance::measured;
  Condition condition = condition_of(filter);
  condition.add("t.target NOT LIKE 'host/%' AND b.id IS NOT NULL", {});
  const std::vector<TrialView> views = read_views(store, condition, "ORDER BY t.created_at DESC, t.identity DESC");
  std::set<std::string> names;
  const TrialView* timed = nullptr;  // the newest trial that passed determines the mode
  std::vector<const TrialView*> decided;
  for (const TrialView& view : views) {
    if (!t4_word(view.trial.verdict)) continue;
    decided.push_back(&view);
    names.insert(fmt::format("{}/{}, {} on {} ({})", view.pattern, view.kernel, problem_text(view), view.board->model,
                             view.trial.target));
    if (!timed && view.trial.verdict == verdict::passed && view.trial.median_us) timed = &view;
  }
  if (decided.empty()) return std::nullopt;
  if (names.size() > 1) throw several(names);
  const TrialView& first = timed ? *timed : *decided.front();
  Recording recording{.board = first.board->model,
                      .kernel = first.pattern + "/" + first.kernel,
                      .problem = problem_text(first),
                      .mode = first.trial.mode,
                      .shape = parse_shape(first.problem.shape)};
  for (const Kernel& kernel : store.kernels())
    if (kernel.pattern == first.pattern && kernel.kernel == first.kernel) recording.params = params_of(kernel.axes);
  std::set<Id> seen;
  for (const TrialView* view : decided) {
    const Trial& trial = view->trial;
    const bool passed = trial.verdict == verdict::passed;
    if (passed && (time_kind(trial.mode) != time_kind(recording.mode) || !trial.median_us)) {
      ++recording.other_modes;
      continue;
    }
    if (!seen.insert(trial.configuration_id).second) continue;
    Recorded one{.params = in_order(view->params_json, recording.params),
                 .verdict = trial.verdict,
                 .created_at = trial.created_at};
    one.trial_id = trial.id;
    if (passed) {
      one.time_us = trial.median_us;
      one.samples_us = store.samples(trial.id).microseconds;
    }
    recording.results.push_back(std::move(one));
  }
  std::ranges::reverse(recording.results);
  return recording;
}

std::string to_t4(const Recording& recording) {
  Json results = Json::array();
  for (const Recorded& one : recording.results) {
    Json measurements = Json::array();
    if (one.time_us) measurements.push_back({{"name", "time"}, {"value", *one.time_us / 1000}, {"unit", "ms"}});
    results.push_back({{"timestamp", one.created_at},
                       {"configuration", one.params},
                       {"objectives", Json::array({"time"})},
                       {"times", {{"runtimes", milliseconds(one.samples_us)}}},
                       {"invalidity", t4_word(one.verdict).value_or(t4::runtime)},
                       {"correctness", one.verdict == verdict::passed ? 1 : 0},
                       {"measurements", measurements}});
  }
  return plain_json_text({{"schema_version", t4::schema},
                          {"metadata",
                           {{"program", fmt::format("warpwright {}", program_version())},
                            {"board", recording.board},
                            {"kernel", recording.kernel},
                            {"problem", recording.problem},
                            {"problem_size", recording.shape},
                            {"mode", recording.mode}}},
                          {"results", results}});
}

std::string to_kernel_tuner(const Recording& recording) {
  Json cache = Json::object();
  std::set<std::string> known;
  for (const Recorded& one : recording.results) {
    std::string key;
    Json record = one.params;
    for (const auto& [name, value] : one.params.items())
      key += (key.empty() ? "" : ",") + (value.is_string() ? value.get<std::string>() : value.dump());
    if (!known.insert(key).second)
      throw Error(
          fmt::format("two configurations would have the key {} of a cache file: export t4 instead.", printable(key)));
    const double spent = std::accumulate(one.samples_us.begin(), one.samples_us.end(), 0.0) / 1000;
    record["time"] = one.time_us ? Json(*one.time_us / 1000) : Json(kernel_tuner_word(one.verdict));
    if (one.time_us) record["times"] = milliseconds(one.samples_us);
    record["compile_time"] = 0;
    record["verification_time"] = 0;
    record["benchmark_time"] = spent;
    record["strategy_time"] = 0;
    record["framework_time"] = 0;
    record["timestamp"] = one.created_at;
    record["verdict"] = one.verdict;
    cache[key] = std::move(record);
  }
  Json keys = Json::array();
  for (const auto& [name, values] : recording.params.items()) keys.push_back(name);
  return plain_json_text({{"device_name", recording.board},
                          {"kernel_name", recording.kernel},
                          {"problem_size", recording.shape},
                          {"tune_params_keys", keys},
                          {"tune_params", recording.params},
                          {"objective", "time"},
                          {"cache", cache}});
}

}  // namespace warpwright::db

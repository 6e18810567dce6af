// Joins predicted trials with the results of a recording by their params.
#include "db/exchange/recording_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "db/store/problem_title.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

// A param's value. Files have 0 and 1 where a kernel has false and true, and 2.0 where it has 2.
std::string value_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The values of each param.
using Values = std::map<std::string, std::set<std::string>>;

Values values_of(const std::vector<Json>& configurations) {
  Values values;
  for (const Json& params : configurations)
    for (const auto& [name, value] : params.items()) values[name].insert(value_text(value));
  return values;
}

// The names of both sides. A param of one side only must have the same value in each configuration.
std::vector<std::string> common_params(const Values& predicted, const Values& recorded, const std::string& file) {
  std::vector<std::string> common;
  const auto need = [&](const Values& of, const Values& other, const char* has, const char* lacks) {
    for (const auto& [name, values] : of)
      if (values.size() > 1 && !other.contains(name))
        throw Error(fmt::format("{}: {} has several values of the param '{}', and {} has no such param: rename it.",
                                printable(file), has, printable(name), lacks));
  };
  need(predicted, recorded, "the kernel", "the recording");
  need(recorded, predicted, "the recording", "the kernel");
  for (const auto& [name, values] : predicted)
    if (recorded.contains(name)) common.push_back(name);
  return common;
}

std::string key_of(const Json& params, const std::vector<std::string>& names) {
  std::string key;
  for (const std::string& name : names) key += value_text(params.value(name, Json())) + ",";
  return key;
}

// The newest predicted trial of each configuration, on the recording's board if there are any.
std::vector<TrialView> predictions_for(const Store& store, Filter filter, const Recording& recording,
                                       const std::string& file) {
  filter.provenance = provenance::predicted;
  std::vector<TrialView> views = trials(store, filter);
  std::erase_if(views, [](const TrialView& view) { return !view.time_us(); });
  const auto is_there = [&](const TrialView& view) {
    return view.board && bare_model(view.board->model) == bare_model(recording.board);
  };
  if (std::ranges::any_of(views, is_there))
    std::erase_if(views, [&](const TrialView& view) { return !is_there(view); });
  std::set<std::string> kinds;
  std::set<Id> seen;
  std::vector<TrialView> newest;
  for (TrialView& view : views) {
    kinds.insert(fmt::format("{}/{}, {}, {}", view.pattern, view.kernel, title_of(view.problem),
                             view.board ? view.board->model : view.trial.target));
    if (seen.insert(view.trial.configuration_id).second) newest.push_back(std::move(view));
  }
  if (kinds.empty())
    throw Error(
        fmt::format("{}: nothing that matches was predicted: run tune with --arch and --board for the board of "
                    "the recording{} first.",
                    printable(file), recording.board.empty() ? "" : " (" + printable(recording.board) + ")"));
  if (kinds.size() > 1)
    throw Error(
        fmt::format("{}: a recording is of one kernel, problem and board, and these were predicted: {}. Narrow "
                    "down with --pattern, --kernel, --size, --with, --type or --board.",
                    printable(file), printable(fmt::format("{}", fmt::join(kinds, "; ")))));
  return newest;
}

}  // namespace

RecordingCheck check_against(const Store& store, Filter filter, const Recording& recording, const std::string& file) {
  const std::vector<TrialView> predicted = predictions_for(store, std::move(filter), recording, file);
  std::vector<Json> predicted_params, recorded_params;
  for (const TrialView& view : predicted) predicted_params.push_back(Json::parse(view.params_json));
  for (const Recorded& one : recording.results) recorded_params.push_back(one.params);
  const std::vector<std::string> names = common_params(values_of(predicted_params), values_of(recorded_params), file);

  RecordingCheck result;
  std::map<std::string, const Recorded*> recorded;
  double least_us = std::numeric_limits<double>::infinity();
  for (const Recorded& one : recording.results) {
    recorded.emplace(key_of(one.params, names), &one);
    if (!one.time_us) continue;
    ++result.timed;
    least_us = std::min(least_us, *one.time_us);
  }
  ModelCheck check{.kernel = predicted.front().kernel,
                   .problem = predicted.front().problem,
                   .board = recording.board.empty() ? predicted.front().trial.target : recording.board};
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const auto found = recorded.find(key_of(predicted_params[i], names));
    if (found == recorded.end())
      ++result.unknown;
    else if (!found->second->time_us)
      ++result.failed;
    else
      check.times.push_back({.kernel = predicted[i].kernel,
                             .params = predicted[i].params_json,
                             .measured_us = *found->second->time_us,
                             .predicted_us = *predicted[i].time_us()});
  }
  if (check.times.empty())
    throw Error(
        fmt::format("{}: no predicted configuration has a time in the recording: of {}, {} failed there, and {} "
                    "are not in it. Predict more of them.",
                    printable(file), predicted.size(), result.failed, result.unknown));
  result.check = rated(std::move(check), least_us);
  return result;
}

std::string text_of(const RecordingCheck& checked) {
  const double share = static_cast<double>(checked.check.times.size()) / static_cast<double>(checked.timed);
  std::string text = text_of(std::vector{checked.check});
  text += fmt::format("  {:<20} {:.1f} % of the {} with a time in the recording\n", "predicted", 100 * share,
                      counted(static_cast<std::int64_t>(checked.timed), "configuration"));
  if (checked.failed > 0)
    text += fmt::format("  {:<20} {} failed in the recording\n", "",
                        counted(static_cast<std::int64_t>(checked.failed), "predicted configuration"));
  if (checked.unknown > 0)
    text += fmt::format("  {:<20} {} not in the recording\n", "",
                        counted(static_cast<std::int64_t>(checked.unknown), "predicted configuration"));
  return text;
}

}  // namespace warpwright::db

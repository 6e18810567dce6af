// Reads from the text of a plan how it takes its params.
#include "db/query/plan_params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

void read_line(std::string_view line, PlanParams& params) {
  const auto word = [&] {
    const std::string_view first = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), first.size() + 1));
    return std::string(first);
  };
  while (line.starts_with(' ')) line.remove_prefix(1);
  const std::string kind = word();
  if (kind == "define") {
    const std::string name = word();
    if (name.starts_with(param_macro_prefix))
      params.constants.emplace(name.substr(param_macro_prefix.size()), line);
    else
      params.macros.emplace(name, line);
  } else if (kind == "param") {
    const std::string name = word();
    const std::string how = word();
    if (how == "plan") params.macros.emplace(name, line);
    if (how == "constant") params.constants.emplace(name, line);
  } else if (kind == "launch") {
    const std::string_view entry = line.substr(0, line.find(" grid "));
    if (entry.ends_with('>') && std::ranges::find(params.instances, entry) == params.instances.end())
      params.instances.emplace_back(entry);
  }
}

}  // namespace

PlanParams plan_params(const Store& store, const Trial& trial, const std::string& params_json) {
  PlanParams params;
  const PlanText plan = trial.plan_id ? store.plan(*trial.plan_id) : PlanText{};
  std::string_view text = plan.text;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    read_line(line, params);
  }
  if (!params.macros.empty() || !params.constants.empty() || !params.instances.empty()) return params;
  const auto given = nlohmann::ordered_json::parse(params_json, nullptr, false);
  if (given.is_object())
    for (const auto& [name, value] : given.items())
      params.macros.emplace(name, value.is_string() ? value.get<std::string>() : value.dump());
  return params;
}

std::vector<std::string> notes_of(const PlanParams& params) {
  std::vector<std::string> notes;
  for (const std::string& instance : params.instances)
    notes.push_back(fmt::format("template arguments: call {}<<<...>>>(...)", instance));
  for (const auto& [name, value] : params.constants)
    notes.push_back(fmt::format("the constant {} of the source: give it the value {}", name, value));
  return notes;
}

}  // namespace warpwright::db

// Exports the best configuration of one problem as #define lines, which `-include` puts before plain CUDA source.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "db/exchange/export.hpp"
#include "db/exchange/json.hpp"
#include "db/store/schema.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

// Whether text may be a macro's value: names, numbers and operators on one line.
bool is_value(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_ .,:<>+-*()").find(c) != std::string_view::npos;
  });
}

// Text from the database for a comment that ends with the line.
std::string comment(const std::string& text) {
  std::string line = printable(text);
  for (char& c : line)
    if (c < ' ' || c > '~' || c == '\\') c = ' ';
  return "// " + line + "\n";
}

// What the text of a plan says about params.
struct PlanParams {
  std::map<std::string, std::string> macros;     // of the source, and of host code that reads them
  std::map<std::string, std::string> constants;  // of the source
  std::vector<std::string> instances;            // launched kernels with template arguments: "softmax<256, 4>"
};

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

// From the trial's plan; if this says nothing, all params are macros.
PlanParams params_of(const Store& store, const TrialView& view) {
  PlanParams params;
  const PlanText plan = view.trial.plan_id ? store.plan(*view.trial.plan_id) : PlanText{};
  std::string_view text = plan.text;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    read_line(line, params);
  }
  if (!params.macros.empty() || !params.constants.empty() || !params.instances.empty()) return params;
  const Json given = axes_of(view);
  if (given.is_object())
    for (const auto& [name, value] : given.items())
      params.macros.emplace(name, value.is_string() ? value.get<std::string>() : value.dump());
  return params;
}

}  // namespace

std::string to_defines(const Store& store, const std::vector<Best>& settings) {
  if (settings.size() != 1) {
    std::string text = fmt::format(
        "{} problems match, and a file of defines is for one. Narrow down with --pattern, --size, --with, --type or "
        "--arch:",
        settings.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(settings.size(), 10); ++i) {
      const TrialView& w = settings[i].winner;
      text += "\n  " + printable(fmt::format("{} {} {} {} {}", w.trial.target, w.pattern, settings_text(w.problem),
                                             w.problem.types, w.problem.shape));
    }
    throw Error(text + (settings.size() > 10 ? "\n  ..." : ""));
  }
  const TrialView& w = settings.front().winner;
  std::string text =
      fmt::format("// Best configuration, exported by tunedb {}. Do not edit: export again.\n", program_version());
  text += comment(fmt::format("{}/{} [{}, {}, {}]", w.pattern, w.kernel, settings_text(w.problem), w.problem.types,
                              w.problem.shape));
  text += comment(fmt::format("{} on {} ({}), {}: {} us, trial {}", w.trial.provenance,
                              w.board ? w.board->model : "an unknown board", w.trial.target, w.certainty(),
                              w.time_us().value_or(0), w.trial.identity));
  text += comment("params: " + w.params);
  const PlanParams params = params_of(store, w);
  // A macro with the name of a template parameter would break the template.
  for (const std::string& instance : params.instances)
    text += comment(fmt::format("template arguments: call {}<<<...>>>(...)", instance));
  for (const auto& [name, value] : params.constants)
    text += comment(fmt::format("the constant {} of the source: give it the value {}", name, value));
  text += "#ifndef WARPWRIGHT_DEFINES\n#define WARPWRIGHT_DEFINES\n";
  for (const auto& [name, value] : params.macros) {
    if (!is_name(name) || !is_value(value))
      throw Error(fmt::format("'{} {}' is no macro and its value, so there are no defines for it.", printable(name),
                              printable(value)));
    text += fmt::format("#define {} {}\n", name, value);
  }
  return text + "#endif\n";
}

}  // namespace warpwright::db

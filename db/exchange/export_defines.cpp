// Exports the best configuration of one problem as #define lines, which `-include` puts before plain CUDA source.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "db/exchange/export.hpp"
#include "db/query/plan_params.hpp"
#include "db/store/schema.hpp"
#include "kernels/core/text.hpp"

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
  const PlanParams params = plan_params(store, w.trial, w.params_json);
  for (const std::string& line : notes_of(params)) text += comment(line);
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

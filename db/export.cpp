// Best settings as JSON, CSV and C++.
#include "db/export.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "db/connection.hpp"
#include "db/json.hpp"
#include "db/schema.hpp"

namespace warpwright::db {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Text as a part of a C++ name: what is no letter or digit becomes one underscore.
std::string as_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (is_word(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

// A pattern, kernel or architecture is a name in C++ as it stands.
const std::string& checked_name(const std::string& name) {
  const bool good = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '_'; });
  if (!good) throw Error(fmt::format("'{}' is no C++ name, so there is no header for it.", name));
  return name;
}

// Params become code: a braced list of designated initialisers and nothing else.
const std::string& checked_params(const std::string& params) {
  const bool good = params.size() >= 2 && params.front() == '{' && params.back() == '}' &&
                    std::all_of(params.begin(), params.end(), [](char c) {
                      return is_word(c) || std::string_view(" {}.,=_+-:'").find(c) != std::string_view::npos;
                    });
  if (!good) throw Error(fmt::format("'{}' is no braced list of params, so there is no header for it.", params));
  return params;
}

// Text inside a comment that ends with its line.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c > '~' || c == '\\'; }, ' ');
  return text;
}

std::string comment_of(const Best& best) {
  const TrialView& winner = best.winner;
  std::string line = fmt::format("{} elements ({}): {}, {}", winner.problem.elements, winner.problem.shape, best.match,
                                 winner.certainty());
  if (const auto time = winner.time_us()) line += fmt::format(", {:.2f} us", *time);
  if (best.speedup) line += fmt::format(", {:.2f} times as fast as the default", *best.speedup);
  return one_line(line);
}

// The settings of one kernel on one architecture for one (types, variant), smallest size first.
struct Settings {
  std::string path;  // the namespace below warpwright::settings
  std::vector<const Best*> sizes;
};

// The number of elements from which the larger of two sizes is the nearer one: their geometric mean.
std::int64_t boundary(std::int64_t smaller, std::int64_t larger) {
  const double mean = std::sqrt(static_cast<double>(smaller)) * std::sqrt(static_cast<double>(larger));
  return std::max<std::int64_t>(std::llround(mean), smaller + 1);
}

std::string code_of(const Settings& settings) {
  const TrialView& any = settings.sizes.front()->winner;
  const std::string type = fmt::format("::warpwright::{}::{}_params", any.pattern, any.kernel);
  std::string selector;
  std::string code = fmt::format("namespace {} {{\n", settings.path);
  for (std::size_t i = 0; i < settings.sizes.size(); ++i) {
    const Best& best = *settings.sizes[i];
    const bool last = i + 1 == settings.sizes.size();
    const std::string name = last ? "best" : fmt::format("best_{}", i);
    code += fmt::format("// {}\ninline constexpr auto {} = {}{};\n", comment_of(best), name, type,
                        checked_params(best.winner.params));
    selector +=
        last
            ? "  return best;\n"
            : fmt::format("  if (elements < {}) return {};\n",
                          boundary(best.winner.problem.elements, settings.sizes[i + 1]->winner.problem.elements), name);
  }
  const bool unused = settings.sizes.size() == 1;
  return code + fmt::format("constexpr {} select({}std::int64_t elements) {{\n{}}}\n}}\n\n", type,
                            unused ? "[[maybe_unused]] " : "", selector);
}

}  // namespace

std::vector<Best> exported(const Store& store, BestQuery query) {
  std::set<std::string> architectures{query.arch};
  if (query.arch.empty()) {
    architectures.clear();
    Statement rows(store.connection(), "SELECT DISTINCT target FROM trial WHERE target <> 'host'");
    while (rows.step()) architectures.insert(rows.get<std::string>(0));
  }
  query.per_kernel = true;
  std::vector<Best> all;
  for (const std::string& arch : architectures) {
    query.arch = arch;
    for (Best& setting : best(store, query)) all.push_back(std::move(setting));
  }
  std::sort(all.begin(), all.end(), [](const Best& a, const Best& b) {
    const auto order = [](const Best& best) {
      const TrialView& w = best.winner;
      return std::tie(w.trial.target, w.pattern, w.kernel, w.problem.types, w.problem.variant, w.problem.elements,
                      w.problem.shape);
    };
    return order(a) < order(b);
  });
  return all;
}

std::string to_json(const std::vector<Best>& settings) {
  Json entries = Json::array();
  for (const Best& best : settings) entries.push_back(json_of(best));
  return text_of({{"format", export_format},
                  {"program_version", std::string(program_version())},
                  {"schema", schema_version()},
                  {"settings", entries}});
}

std::string to_csv(const std::vector<Best>& settings) {
  std::string csv =
      "format,arch,board,pattern,kernel,variant,types,shape,elements,size_class,params,provenance,certainty,time_us,"
      "low_us,high_us,mode,speedup_over_default,match,program_version,schema\r\n";
  for (const Best& best : settings) {
    const TrialView& w = best.winner;
    const std::string fields[] = {std::to_string(export_format),
                                  w.trial.target,
                                  w.board ? w.board->model : "",
                                  w.pattern,
                                  w.kernel,
                                  w.problem.variant,
                                  w.problem.types,
                                  w.problem.shape,
                                  std::to_string(w.problem.elements),
                                  w.problem.size_class,
                                  w.params,
                                  w.trial.provenance,
                                  w.certainty(),
                                  number(w.time_us()),
                                  number(w.trial.low_us),
                                  number(w.trial.high_us),
                                  w.trial.mode,
                                  number(best.speedup),
                                  best.match,
                                  std::string(program_version()),
                                  std::to_string(schema_version())};
    std::string line;
    for (const std::string& field : fields) line += (line.empty() ? "" : ",") + csv_field(field);
    csv += line + "\r\n";
  }
  return csv;
}

std::string to_header(const std::vector<Best>& settings) {
  std::set<std::string> includes;
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, Settings> groups;
  std::set<std::string> paths;
  for (const Best& best : settings) {
    const TrialView& w = best.winner;
    includes.insert(fmt::format("#include \"kernels/{}/{}.cuh\"\n", checked_name(w.pattern), checked_name(w.kernel)));
    Settings& group = groups[{w.trial.target, w.pattern, w.kernel, w.problem.types, w.problem.variant}];
    if (group.path.empty()) {
      group.path = fmt::format("{}::{}::{}::types_{}", checked_name(w.trial.target), w.pattern, w.kernel,
                               as_name(w.problem.types));
      const std::string variant = as_name(w.problem.variant);
      // One word may be a keyword or begin with a digit.
      const bool words =
          variant.find('_') != std::string::npos && !std::isdigit(static_cast<unsigned char>(variant[0]));
      if (!variant.empty()) group.path += (words ? "::" : "::variant_") + variant;
      // Two texts may be one name; then the later one is numbered.
      const std::string name = group.path;
      for (int i = 2; !paths.insert(group.path).second; ++i) group.path = fmt::format("{}_{}", name, i);
    }
    // Of several shapes of as many elements the header knows one: it selects by elements.
    if (!group.sizes.empty() && group.sizes.back()->winner.problem.elements == w.problem.elements) continue;
    group.sizes.push_back(&best);
  }
  std::string header = fmt::format(
      "// Best settings, exported by tunedb {} (format {}, schema {}). Do not edit: export again.\n#pragma "
      "once\n\n#include <cstdint>\n\n",
      program_version(), export_format, schema_version());
  for (const std::string& include : includes) header += include;
  header += fmt::format(
      "\nnamespace warpwright::settings {{\n\ninline constexpr int format = {};\ninline constexpr int schema = {};\n"
      "inline constexpr const char* program_version = \"{}\";\n\n",
      export_format, schema_version(), program_version());
  for (const auto& [key, group] : groups) header += code_of(group);
  return header + "}  // namespace warpwright::settings\n";
}

}  // namespace warpwright::db

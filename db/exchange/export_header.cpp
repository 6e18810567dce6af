// Exports best configurations as a C++ header.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "db/exchange/export.hpp"
#include "db/store/schema.hpp"

namespace warpwright::db {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Makes text part of a C++ name: every character that is no letter or digit becomes an underscore.
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

// Names of patterns, kernels and architectures must already be valid C++ names; throws otherwise.
const std::string& checked_name(const std::string& name) {
  const bool good = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '_'; });
  if (!good) throw Error(fmt::format("'{}' is no C++ name, so there is no header for it.", name));
  return name;
}

// Params become code, so they must be a braced list of designated initialisers; throws otherwise.
const std::string& checked_params(const std::string& params) {
  const bool good = params.size() >= 2 && params.front() == '{' && params.back() == '}' &&
                    std::all_of(params.begin(), params.end(), [](char c) {
                      return is_word(c) || std::string_view(" {}.,=_+-:'").find(c) != std::string_view::npos;
                    });
  if (!good) throw Error(fmt::format("'{}' is no braced list of params, so there is no header for it.", params));
  return params;
}

// A C++ string literal in ASCII.
std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c < ' ' || c > '~' ? ' ' : c;
  }
  return literal + "\"";
}

// Code that all groups share. Guarded, so that one program can include several exported headers.
constexpr const char* support = R"text(#ifndef WARPWRIGHT_SETTINGS_FORMAT
#define WARPWRIGHT_SETTINGS_FORMAT 3
#ifdef __CUDACC__
#define WARPWRIGHT_SETTINGS_FUNCTION __host__ __device__ constexpr
#define WARPWRIGHT_SETTINGS_CALLER _Pragma("nv_exec_check_disable")
#else
#define WARPWRIGHT_SETTINGS_FUNCTION constexpr
#define WARPWRIGHT_SETTINGS_CALLER
#endif

namespace warpwright::settings {

inline constexpr int format = WARPWRIGHT_SETTINGS_FORMAT;

namespace support {

// Whether two texts are one; data that is not known (null) is none.
WARPWRIGHT_SETTINGS_FUNCTION bool same(const char* a, const char* b) {
  if (!a) return false;
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

// log2(extent + 1), in units of 2^-20: the fraction's bits are found by squaring.
WARPWRIGHT_SETTINGS_FUNCTION long long place(long long extent) {
  unsigned long long x = (extent < 0 ? 0ull : static_cast<unsigned long long>(extent)) + 1;
  long long log = 0;
  int bits = 0;
  while (x >> bits > 1) ++bits;
  x = bits > 31 ? x >> (bits - 31) : x << (31 - bits);
  for (int i = 0; i < 20; ++i) {
    x = x * x >> 31;
    log = 2 * log + (x >> 32 != 0);
    if (x >> 32) x >>= 1;
  }
  return (static_cast<long long>(bits) << 20) + log;
}

// From the asked extents to those of a setting from extent I on.
template <class Setting, int I = 0, class... Rest>
WARPWRIGHT_SETTINGS_FUNCTION long long distance(long long extent, Rest... rest) {
  constexpr long long there = place(Setting::extents[I]);
  const long long apart = place(extent) < there ? there - place(extent) : place(extent) - there;
  if constexpr (sizeof...(Rest) == 0) {
    return apart;
  } else {
    return apart + distance<Setting, I + 1>(rest...);
  }
}

struct Nearest {
  int index = -1;
  bool of_data = false;
  long long distance = 0;

  WARPWRIGHT_SETTINGS_FUNCTION void offer(int other, bool other_of_data, long long other_distance) {
    const bool nearer = other_of_data != of_data ? other_of_data : other_distance < distance;
    if (index < 0 || nearer) *this = Nearest{other, other_of_data, other_distance};
  }
};

template <class... Settings, class... Extents>
WARPWRIGHT_SETTINGS_FUNCTION int nearest(const char* data, Extents... extents) {
  Nearest best;
  int index = 0;
  (best.offer(index++, same(data, Settings::data), distance<Settings>(extents...)), ...);
  return best.index;
}

WARPWRIGHT_SETTINGS_CALLER
template <class First, class... Rest, class Use>
WARPWRIGHT_SETTINGS_FUNCTION decltype(auto) apply(int index, Use&& use) {
  if constexpr (sizeof...(Rest) == 0) {
    return use(First{});
  } else {
    if (index == 0) return use(First{});
    return apply<Rest...>(index - 1, use);
  }
}

}  // namespace support
}  // namespace warpwright::settings
#elif WARPWRIGHT_SETTINGS_FORMAT != 3
#error "these settings are of another format than those included before: export both with one tunedb"
#endif

)text";

// One exported setting; if `any_data` is set, the one for unknown data.
struct ExportedBest {
  const Best* best = nullptr;
  std::string name{};
  const OneForAll* any_data = nullptr;

  const TrialView& view() const { return any_data ? any_data->setting : best->winner; }
};

// The settings of one architecture for one (pattern, types, variant, numbers).
struct Group {
  std::string path{};  // namespace inside warpwright::settings
  std::vector<const Best*> bests{};

  // Settings for unknown data come first, because the first of equally near ones is selected.
  std::vector<ExportedBest> settings() const {
    std::vector<ExportedBest> all;
    for (const Best* best : bests)
      if (best->any_data && best->any_data->worst_at == best->winner.problem.data)
        all.push_back({.best = best, .name = fmt::format("any_data_{}", all.size()), .any_data = &*best->any_data});
    for (std::size_t i = 0; i < bests.size(); ++i)
      all.push_back({.best = bests[i], .name = fmt::format("setting_{}", i)});
    return all;
  }
};

std::string text_constant(const char* name, const std::string& value) {
  return fmt::format("  static constexpr const char* {} = {};\n", name, quoted(value));
}

std::string number_constant(const char* name, double value) {
  return fmt::format("  static constexpr double {} = {};\n", name, value);
}

// The kernel, the params, and where they come from.
std::string configuration_of(const TrialView& view) {
  return text_constant("kernel", view.kernel) +
         fmt::format("  static constexpr auto params = ::warpwright::{}::{}_params{};\n", view.pattern, view.kernel,
                     checked_params(view.params)) +
         text_constant("provenance", view.trial.provenance) +
         text_constant("board", view.board ? view.board->model : "") + text_constant("certainty", view.certainty());
}

// The setting that is deterministic, where the one with that number is not known to be.
std::string code_of_deterministic(const OneForAll& other, std::size_t number_of) {
  return fmt::format("struct deterministic_{} {{\n", number_of) + configuration_of(other.setting) +
         text_constant("shape", other.setting.problem.shape) + text_constant("data", other.setting.problem.data) +
         number_constant("loss", other.loss) + "};\n";
}

// The setting for all sizes, with what it loses against the best of each.
std::string code_of(const OneForAll& all_sizes, std::size_t number_of) {
  return fmt::format("struct all_sizes_{} {{\n", number_of) + configuration_of(all_sizes.setting) +
         text_constant("data", all_sizes.setting.problem.data) + number_constant("worst_loss", all_sizes.worst_loss) +
         text_constant("worst_shape", all_sizes.worst_at) + number_constant("mean_loss", all_sizes.mean_loss) + "};\n";
}

std::string code_of(const ExportedBest& setting) {
  const TrialView& winner = setting.view();
  std::string extents;
  for (const std::int64_t extent : parse_shape(winner.problem.shape))
    extents += fmt::format("{}{}", extents.empty() ? "" : ", ", extent);
  std::string code = fmt::format("struct {} {{\n", setting.name);
  code += configuration_of(winner);
  if (winner.trial.deterministic)
    code += fmt::format("  static constexpr bool is_deterministic = {};\n", *winner.trial.deterministic);
  code += text_constant("mode", winner.trial.mode);
  code += text_constant("shape", winner.problem.shape);
  code += fmt::format("  static constexpr long long extents[] = {{{}}};\n", extents);
  code += text_constant("data", setting.any_data ? "" : winner.problem.data);
  code += text_constant("worst_data", setting.any_data ? setting.any_data->worst_at : "");
  code += number_constant("worst_loss", setting.any_data ? setting.any_data->worst_loss : 0);
  code += number_constant("microseconds", winner.time_us().value_or(0));
  if (!setting.any_data && setting.best->speedup)
    code += number_constant("speedup_over_default", *setting.best->speedup);
  if (!setting.any_data && setting.best->all_sizes)
    code += number_constant("all_sizes_loss", setting.best->all_sizes->loss);
  return code + "};\n";
}

// Both overloads of select, for settings whose shapes have `rank` extents.
std::string selection_of(const std::vector<ExportedBest>& all, std::size_t rank) {
  std::string settings, parameters, arguments;
  for (const ExportedBest& setting : all) {
    if (parse_shape(setting.view().problem.shape).size() != rank) continue;
    settings += fmt::format("{}{}", settings.empty() ? "" : ", ", setting.name);
  }
  for (std::size_t i = 0; i < rank; ++i) {
    parameters += fmt::format("long long extent_{}, ", i);
    arguments += fmt::format("extent_{}, ", i);
  }
  return fmt::format(R"text(WARPWRIGHT_SETTINGS_CALLER
template <class Use>
WARPWRIGHT_SETTINGS_FUNCTION decltype(auto) select({1}const char* data, Use&& use) {{
  return support::apply<{0}>(support::nearest<{0}>(data, {2}), use);
}}
WARPWRIGHT_SETTINGS_CALLER
template <class Use>
WARPWRIGHT_SETTINGS_FUNCTION decltype(auto) select({1}Use&& use) {{
  return select({3}nullptr, use);
}}
)text",
                     settings, parameters, arguments.substr(0, arguments.size() - 2), arguments);
}

std::string code_of(const Group& group) {
  std::string code = fmt::format("namespace {} {{\n", group.path);
  code += fmt::format("inline constexpr int schema = {};\ninline constexpr const char* program_version = {};\n\n",
                      schema_version, quoted(std::string(program_version())));
  std::set<std::size_t> ranks;
  const std::vector<ExportedBest> settings = group.settings();
  for (const ExportedBest& setting : settings) {
    code += code_of(setting);
    ranks.insert(parse_shape(setting.view().problem.shape).size());
  }
  for (std::size_t i = 0; i < group.bests.size(); ++i)
    if (group.bests[i]->deterministic) code += code_of_deterministic(*group.bests[i]->deterministic, i);
  std::size_t all_sizes = 0;
  for (const Best* best : group.bests)
    if (best->all_sizes && best->all_sizes->worst_at == best->winner.problem.shape)
      code += code_of(*best->all_sizes, all_sizes++);
  for (const std::size_t rank : ranks) code += "\n" + selection_of(settings, rank);
  return code + "}\n\n";
}

// The namespace of a group; `settings` are its variant and numbers.
std::string path_of(const TrialView& winner, const std::string& settings) {
  std::string path = fmt::format("{}::{}::types_{}", checked_name(winner.trial.target), checked_name(winner.pattern),
                                 as_name(winner.problem.types));
  const std::string name = as_name(settings);
  // A single word could be a keyword or begin with a digit.
  const bool words = name.find('_') != std::string::npos && !std::isdigit(static_cast<unsigned char>(name[0]));
  if (!name.empty()) path += (words ? "::" : "::variant_") + name;
  return path;
}

}  // namespace

bool is_users_own(const TrialView& view) {
  return view.pattern.find(':') != std::string::npos;
}

std::string to_header(const std::vector<Best>& settings) {
  std::set<std::string> includes, paths;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Group> groups;
  for (const Best& best : settings) {
    const TrialView& w = best.winner;
    // A kernel from a job file has no params type that a header could name. The other formats have its macros.
    if (is_users_own(w)) continue;
    const auto include = [&](const TrialView& view) {
      includes.insert(
          fmt::format("#include \"kernels/{}/{}.cuh\"\n", checked_name(view.pattern), checked_name(view.kernel)));
    };
    include(w);
    if (best.any_data) include(best.any_data->setting);
    if (best.all_sizes) include(best.all_sizes->setting);
    if (best.deterministic) include(best.deterministic->setting);
    const std::string parts = w.problem.variant + (w.problem.numbers.empty() ? "" : ",") + w.problem.numbers;
    Group& group = groups[{w.trial.target, w.pattern, w.problem.types, parts}];
    if (group.bests.empty()) {
      const std::string name = group.path = path_of(w, parts);
      // Two different texts may give the same name; the later one gets a number.
      for (int i = 2; !paths.insert(group.path).second; ++i) group.path = fmt::format("{}_{}", name, i);
    }
    group.bests.push_back(&best);
  }
  std::string header = fmt::format(
      "// Best configurations, exported by tunedb {} (format {}, schema {}). Do not edit: export again.\n#pragma "
      "once\n\n",
      program_version(), export_format, schema_version);
  for (const std::string& include : includes) header += include;
  header += fmt::format("\n{}namespace warpwright::settings {{\n\n", support);
  for (const auto& [key, group] : groups) header += code_of(group);
  return header + "}  // namespace warpwright::settings\n";
}

}  // namespace warpwright::db

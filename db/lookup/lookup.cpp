// The library warpwright_lookup: reads exported settings, and finds the one for a problem.
#include "db/lookup/warpwright_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/core/boards.hpp"
#include "kernels/core/settings.hpp"
#include "kernels/core/shape.hpp"
#include "kernels/core/target.hpp"
#include "kernels/core/vocabulary.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpwright;

// "reduce[op=sum,data=uniform,float,2^26]" in its parts.
struct ProblemParts {
  std::string pattern{};
  Settings settings{};  // without the data set
  std::string data{};
  std::string types{};
  Shape shape{};  // empty for all sizes, as it is asked for

  std::string text() const {
    std::string parts;
    for (const auto& [name, value] : settings) parts += fmt::format("{}={},", name, value);
    return fmt::format("{}[{}{}{},{}]", pattern, parts, data.empty() ? "" : fmt::format("data={},", data), types,
                       shape.empty() ? "*" : shape_text(shape));
  }
};

ProblemParts parse(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == 0 || open == std::string_view::npos || text.back() != ']')
    throw std::invalid_argument(
        fmt::format("'{}' is not a problem: write PATTERN[SETTINGS,TYPES,SIZE], e.g. reduce[op=sum,float,2^26]", text));
  ProblemParts parts{.pattern = std::string(text.substr(0, open))};
  std::string settings;
  bool has_size = false;
  for (std::string_view rest = text.substr(open + 1, text.size() - open - 2); !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    if (part.find('=') != std::string_view::npos)
      settings += (settings.empty() ? "" : ",") + std::string(part);
    else if (has_size = comma == std::string_view::npos; has_size)
      parts.shape = part == "*" ? Shape() : parse_shape(part);
    else
      parts.types = part;
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  if (!has_size) throw std::invalid_argument(fmt::format("'{}' has no size; the size comes last", text));
  parts.settings = parse_settings(settings);
  if (const auto data = parts.settings.extract("data"); !data.empty()) parts.data = data.mapped();
  return parts;
}

std::optional<double> bandwidth_per_sm(std::string_view model) {
  const auto known =
      std::ranges::find(boards(), bare_model(model), [](const Board& board) { return bare_model(board.device.model); });
  if (known == boards().end()) return std::nullopt;
  return known->device.memory_bandwidth_gbs / known->device.sm_count;
}

// 0 for the same model and if none is asked for.
double board_distance(std::string_view asked, std::string_view there) {
  if (asked.empty() || bare_model(asked) == bare_model(there)) return 0;
  return distance_in_bandwidth(bandwidth_per_sm(asked), bandwidth_per_sm(there));
}

int order_of(std::string_view provenance) {
  return provenance == provenance::measured ? 0 : provenance == provenance::predicted ? 1 : 2;
}

// A setting of the file, with the texts that the C struct points to.
struct Setting : warpwright_setting {
  std::list<std::string> texts{};
  ProblemParts parts{};
  enum class For { problem, any_data, all_sizes };
  For serves = For::problem;
  std::map<std::string, std::string, std::less<>> values{};

  // The winner of an entry, or what the entry has for several problems.
  Setting(const Json& winner, const Json& configuration, For what) : warpwright_setting(), serves(what) {
    const std::string variant = winner.at("variant"), numbers = winner.at("numbers");
    parts = {.pattern = winner.at("pattern"),
             .settings = parse_settings(variant + (variant.empty() || numbers.empty() ? "" : ",") + numbers),
             .data = winner.at("data"),
             .types = winner.at("types"),
             .shape = parse_shape(winner.at("shape").get<std::string>())};
    for (const auto& [name, value] : configuration.at("axes").items())
      values[name] = value.is_string() ? value.get<std::string>() : value.dump();
    const Json& measured = winner.at("median_us");
    microseconds = (measured.is_null() ? winner.at("predicted_us") : measured).get<double>();
    if (serves != For::problem) {
      microseconds *= 1 + configuration.at("loss").get<double>();
      worst_loss = configuration.at("worst_loss");
    }
    kernel = kept(configuration.at("kernel"));
    params = kept(configuration.at("params"));
    axes = kept(configuration.at("axes").dump());
    provenance = kept(winner.at("provenance"));
    certainty = kept(winner.at("certainty"));
    arch = kept(winner.at("target"));
    board = kept(winner.at("board").is_null() ? std::string() : winner.at("board").get<std::string>());
    problem = kept(parts.text());
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() = default;

  // Whether it is of the problem that was asked for, whatever the data set and the size.
  bool is_of(const ProblemParts& asked) const {
    return parts.pattern == asked.pattern && (asked.shape.empty() || parts.shape.size() == asked.shape.size()) &&
           (serves != For::all_sizes || asked.shape.empty()) && (asked.types.empty() || parts.types == asked.types) &&
           std::ranges::all_of(asked.settings, [&](const auto& setting) {
             const auto own = parts.settings.find(setting.first);
             return own != parts.settings.end() && own->second == setting.second;
           });
  }

 private:
  const char* kept(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
};

std::list<Setting> settings_in(const Json& file) {
  std::list<Setting> settings;
  for (const Json& entry : file.at("settings")) {
    const Json& winner = entry.at("winner");
    settings.emplace_back(winner, winner, Setting::For::problem);
    for (const auto& [name, what] : {std::pair("where_data_is_not_known", Setting::For::any_data),
                                     std::pair("for_all_sizes", Setting::For::all_sizes)})
      if (const auto found = entry.find(name); found != entry.end() && !found->is_null())
        settings.emplace_back(winner, *found, what);
  }
  return settings;
}

// What the file has, for a message: at most a few lines.
std::string what_there_is(const std::list<Setting>& settings, std::string_view arch, std::string_view pattern) {
  std::vector<std::string> problems;
  for (const Setting& one : settings)
    if (one.arch == arch && (pattern.empty() || one.parts.pattern == pattern) &&
        std::ranges::find(problems, one.problem) == problems.end())
      problems.emplace_back(one.problem);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(problems.size(), 3); ++i)
    text += (i == 0 ? "" : ", ") + problems[i];
  return problems.size() > 3 ? fmt::format("{} and {} more", text, problems.size() - 3) : text;
}

void say(char* error, std::size_t size, const std::string& text) {
  if (error != nullptr && size > 0) std::snprintf(error, size, "%s", text.c_str());
}

// What `work` gives; null if it throws, with the text of that.
template <class Work>
auto answered(char* error, std::size_t size, const Work& work) noexcept -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& wrong) {
    say(error, size, wrong.what());
  }
  return nullptr;
}

}  // namespace

struct warpwright_settings {
  std::string path{};
  std::list<Setting> all{};

  const Setting& find(const std::string& arch, const std::string& board, const ProblemParts& asked) const;
};

const Setting& warpwright_settings::find(const std::string& arch, const std::string& board,
                                         const ProblemParts& asked) const {
  const Setting* best = nullptr;
  const auto order = [&](const Setting& one) {
    return std::tuple(one.serves == Setting::For::any_data || one.parts.data != asked.data, order_of(one.provenance),
                      board_distance(board, one.board),
                      asked.shape.empty() ? 0 : shape_distance(one.parts.shape, asked.shape),
                      one.serves != (asked.shape.empty() ? Setting::For::all_sizes : Setting::For::any_data));
  };
  for (const Setting& one : all) {
    if (one.arch != arch || !one.is_of(asked)) continue;
    if (best && (best->parts.types != one.parts.types || best->parts.settings != one.parts.settings))
      throw std::invalid_argument(
          fmt::format("{} matches several problems in {}: {} and {}. Name the settings and types in which they differ",
                      asked.text(), path, best->problem, one.problem));
    if (!best || order(one) < order(*best)) best = &one;
  }
  if (best) return *best;
  std::string there = what_there_is(all, arch, asked.pattern);
  if (there.empty()) there = what_there_is(all, arch, "");
  throw std::invalid_argument(
      there.empty() ? fmt::format("{} has nothing for {}", path, arch)
                    : fmt::format("{} has nothing for {} on {}; it has {}", path, asked.text(), arch, there));
}

int warpwright_lookup_version() {
  return WARPWRIGHT_LOOKUP_VERSION;
}

warpwright_settings* warpwright_open(const char* path, char* error, size_t error_size) {
  return answered(error, error_size, [&]() -> warpwright_settings* {
    if (path == nullptr) throw std::invalid_argument("no path was given");
    std::ifstream file(path);
    if (!file) throw std::invalid_argument(fmt::format("{}: cannot be read", path));
    std::ostringstream text;
    text << file.rdbuf();
    const Json json = Json::parse(text.str(), nullptr, false);
    if (!json.is_object() || !json.contains("settings") || !json.contains("format"))
      throw std::invalid_argument(fmt::format("{}: is not a complete file of `tunedb export --format json`", path));
    if (json["format"] != export_format)
      throw std::invalid_argument(
          fmt::format("{}: has format {}, and this library reads format {}: export it with the tunedb of this version",
                      path, json["format"].dump(), export_format));
    try {
      return new warpwright_settings{.path = path, .all = settings_in(json)};
    } catch (const std::exception& wrong) {
      throw std::invalid_argument(fmt::format("{}: is damaged: {}", path, wrong.what()));
    }
  });
}

void warpwright_close(warpwright_settings* settings) {
  delete settings;
}

const warpwright_setting* warpwright_find(const warpwright_settings* settings, const char* arch, const char* board,
                                          const char* problem, unsigned* differs, char* error, size_t error_size) {
  return answered(error, error_size, [&]() -> const warpwright_setting* {
    if (settings == nullptr || arch == nullptr || problem == nullptr)
      throw std::invalid_argument("settings, architecture and problem must be given");
    const std::string model = board == nullptr ? "" : board;
    const ProblemParts asked = parse(problem);
    const Setting& found = settings->find(fmt::format("sm_{}", parse_arch(arch)), model, asked);
    if (differs != nullptr)
      *differs = (board_distance(model, found.board) > 0 ? WARPWRIGHT_OTHER_BOARD : 0U) |
                 (!asked.data.empty() && found.parts.data != asked.data ? WARPWRIGHT_OTHER_DATA : 0U) |
                 ((asked.shape.empty() ? found.serves != Setting::For::all_sizes : found.parts.shape != asked.shape)
                      ? WARPWRIGHT_OTHER_SIZE
                      : 0U);
    return &found;
  });
}

const char* warpwright_param(const warpwright_setting* setting, const char* name) {
  if (setting == nullptr || name == nullptr) return nullptr;
  const auto& values = static_cast<const Setting*>(setting)->values;
  const auto found = values.find(name);
  return found == values.end() ? nullptr : found->second.c_str();
}

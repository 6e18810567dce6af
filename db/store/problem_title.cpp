// Names of stored problems for people.
#include "db/store/problem_title.hpp"

#include <fmt/format.h>

#include "kernels/core/shape.hpp"

namespace warpwright::db {

Settings parse_settings(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    const std::size_t equals = part.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == part.size() || end + 1 == text.size())
      throw std::invalid_argument(
          fmt::format("'{}' is not a list of settings: write op=sum,bins=256,data=zipf.", text));
    const std::string name(part.substr(0, equals));
    if (!settings.emplace(name, part.substr(equals + 1)).second)
      throw std::invalid_argument(fmt::format("{} is given twice.", name));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return settings;
}

std::string settings_text(const Problem& problem) {
  std::string text;
  const std::string data = problem.data.empty() ? "" : "data=" + problem.data;
  for (const std::string& part : {problem.variant, problem.numbers, data})
    if (!part.empty()) text += (text.empty() ? "" : ",") + part;
  return text;
}

std::string short_title(const Problem& problem) {
  if (!problem.title.empty()) return problem.title;
  std::string text = short_shape(problem.shape) + " " + problem.types;
  for (const char c : "," + settings_text(problem)) text += c == ',' ? ", " : std::string(1, c);
  return text;
}

std::string title_of(const Problem& problem) {
  return problem.pattern + " " + short_title(problem);
}

std::string text_without_data(Problem problem) {
  problem.data.clear();
  const std::string settings = settings_text(problem);
  return fmt::format("{}[{}{}{},{}]", problem.pattern, settings, settings.empty() ? "" : ",", problem.types,
                     problem.shape);
}

}  // namespace warpwright::db

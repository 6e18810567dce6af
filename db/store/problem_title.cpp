// Names of stored problems for people.
#include "db/store/problem_title.hpp"

#include <algorithm>

#include "kernels/core/shape.hpp"

namespace warpwright::db {
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

std::string title_without_data(const Problem& problem) {
  const std::string title = title_of(problem);
  // The data come last, with their name or without; if they are the usual ones, they are not there.
  for (const std::string& end : {", data=" + problem.data, ", " + problem.data})
    if (title.ends_with(end)) return title.substr(0, title.size() - end.size());
  return title;
}

std::string title_without_shape(const Problem& problem) {
  const std::string title = short_title(problem);
  return problem.pattern + title.substr(std::min(title.find(' '), title.size()));
}

}  // namespace warpwright::db

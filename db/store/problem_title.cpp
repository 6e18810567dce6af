// Names of stored problems for people.
#include "db/store/problem_title.hpp"

#include <fmt/format.h>

#include "kernels/core/shape.hpp"

namespace warpwright::db {
namespace {

// The pattern, and in brackets those parts that are not empty.
std::string bracketed(const Problem& problem) {
  std::string text = settings_text(problem);
  for (const std::string& part : {problem.types, problem.shape})
    if (!part.empty()) text += (text.empty() ? "" : ",") + part;
  return fmt::format("{}[{}]", problem.pattern, text);
}

}  // namespace

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
  return bracketed(problem);
}

std::string text_without_shape(Problem problem) {
  problem.shape.clear();
  return bracketed(problem);
}

}  // namespace warpwright::db

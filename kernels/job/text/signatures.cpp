// What kernels take, and how the host code that is left out launches them.
#include "kernels/job/text/signatures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace warpwright::job {
namespace {

constexpr std::array<std::string_view, 8> left_out = {"const",    "__restrict__",      "__restrict", "restrict",
                                                      "volatile", "__grid_constant__", "typename",   "struct"};
constexpr std::array<std::string_view, 11> built_in = {"unsigned", "signed", "int",  "float", "double", "char",
                                                       "short",    "long",   "bool", "void",  "auto"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool opens(std::string_view text) {
  return text == "(" || text == "[" || text == "{";
}

bool closes(std::string_view text) {
  return text == ")" || text == "]" || text == "}";
}

/// Half-open ranges of tokens between the commas of [first, last) that are in no bracket; `angles` says whether '<' and
/// '>' are brackets.
std::vector<std::pair<std::size_t, std::size_t>> split(const Tokens& tokens, std::size_t first, std::size_t last,
                                                       bool angles) {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  int depth = 0;
  std::size_t begin = first;
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view text = tokens.view(i);
    if (opens(text) || (angles && text == "<")) ++depth;
    if (closes(text) || (angles && text == ">")) --depth;
    if (depth != 0 || text != ",") continue;
    parts.emplace_back(begin, i);
    begin = i + 1;
  }
  if (begin < last) parts.emplace_back(begin, last);
  return parts;
}

/// The token of the bracket that closes the one at `open`.
std::size_t closing(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (opens(tokens.view(i))) ++depth;
    if (closes(tokens.view(i)) && --depth == 0) return i;
  }
  return tokens.size();
}

/// Without what follows a '=' there.
std::size_t without_default(const Tokens& tokens, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    if (tokens.is(i, "=")) return i;
  return last;
}

Parameter parameter_of(const Tokens& tokens, std::size_t first, std::size_t last) {
  Parameter parameter;
  std::vector<std::size_t> kept;
  int stars = 0;
  bool is_array = false;
  for (std::size_t i = first; i < last && !is_array; ++i) {
    if (tokens[i].kind == TokenKind::directive) continue;
    if (tokens.is(i, "[")) {
      is_array = true;
    } else if (tokens.is(i, "*")) {
      ++stars;
    } else if (is_one_of(tokens.view(i), left_out)) {
      parameter.is_const = parameter.is_const || (tokens.is(i, "const") && stars == 0);
    } else {
      kept.push_back(i);
    }
  }
  // What stands last is the name, unless there is nothing else to be the type.
  const bool is_named = kept.size() > 1 && tokens.is_word(kept.back()) &&
                        !is_one_of(tokens.view(kept.back()), built_in) && !tokens.is(kept[kept.size() - 2], "::");
  if (is_named) {
    parameter.name = tokens.view(kept.back());
    kept.pop_back();
  }
  for (const std::size_t i : kept) {
    const std::string_view next = tokens.view(i);
    if (!parameter.type.empty() && is_of_a_word(parameter.type.back()) && is_of_a_word(next.front()))
      parameter.type += ' ';
    parameter.type += next;
  }
  parameter.is_pointer = stars > 0 || is_array;
  for (int star = is_array ? 0 : 1; star < stars; ++star) parameter.type += '*';
  return parameter;
}

bool is_triple(const Tokens& tokens, std::size_t at, std::string_view bracket) {
  return tokens.is(at, bracket) && tokens.is(at + 1, bracket) && tokens.is(at + 2, bracket) &&
         tokens[at].end == tokens[at + 1].begin && tokens[at + 1].end == tokens[at + 2].begin;
}

std::vector<std::string> spelt(const Tokens& tokens, std::size_t first, std::size_t last, bool angles) {
  std::vector<std::string> parts;
  for (const auto& [begin, end] : split(tokens, first, last, angles)) parts.push_back(tokens.spelling(begin, end));
  return parts;
}

/// The launch whose `<<<` begins there.
HostLaunch launch_at(const Tokens& tokens, std::size_t at) {
  HostLaunch launch{.kernel = "", .line = tokens.line_of(at)};
  std::size_t name = at - 1;
  if (tokens.is(name, ">")) {
    int depth = 0;
    std::size_t open = name;
    do {
      depth += tokens.is(open, ">") ? 1 : tokens.is(open, "<") ? -1 : 0;
    } while (depth > 0 && open-- > 0);
    name = open - 1;
  }
  std::size_t first = name;
  while (first >= 2 && tokens.is(first - 1, "::") && tokens.is_word(first - 2)) first -= 2;
  launch.kernel = tokens.spelling(first, name + 1);
  std::size_t end = at + 3;
  int depth = 0;
  for (; end < tokens.size() && (depth > 0 || !is_triple(tokens, end, ">")); ++end)
    depth += opens(tokens.view(end)) ? 1 : closes(tokens.view(end)) ? -1 : 0;
  launch.configuration = spelt(tokens, at + 3, end, false);
  if (tokens.is(end + 3, "(")) launch.arguments = spelt(tokens, end + 4, closing(tokens, end + 3), false);
  return launch;
}

}  // namespace

GlobalFunction signature_of(const Tokens& tokens, const Item& item) {
  GlobalFunction kernel{.name = item.scope + item.names.front(),
                        .line = tokens.line_of(item.parameters),
                        .file = tokens.file_of(item.parameters)};
  const std::size_t close = closing(tokens, item.parameters);
  for (const auto& [first, last] : split(tokens, item.parameters + 1, close, true)) {
    const std::size_t end = without_default(tokens, first, last);
    if (end == first + 1 && tokens.is(first, "void")) continue;
    kernel.parameters.push_back(parameter_of(tokens, first, end));
  }
  for (const auto& [first, last] : split(tokens, item.template_first, item.template_last, true))
    kernel.template_parameters.push_back(tokens.spelling(first, without_default(tokens, first, last)));
  return kernel;
}

std::vector<HostLaunch> launches_in(const Tokens& tokens) {
  std::vector<HostLaunch> launches;
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i)
    if (is_triple(tokens, i, "<")) launches.push_back(launch_at(tokens, i));
  return launches;
}

bool launches_within(const Tokens& tokens, const Item& item) {
  for (std::size_t i = item.first; i + 2 < item.last; ++i)
    if (is_triple(tokens, i, "<")) return true;
  return false;
}

}  // namespace warpwright::job

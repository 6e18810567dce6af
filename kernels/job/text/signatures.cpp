// Reads the parameters of kernels.
#include "kernels/job/text/signatures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace warpwright::job {
namespace {

constexpr std::array<std::string_view, 8> left_out = {"const",    "__restrict__",      "__restrict", "restrict",
                                                      "volatile", "__grid_constant__", "typename",   "struct"};
/// The last word of a number type.
constexpr std::array<std::string_view, 10> number_words = {"int",  "float",    "double", "char",          "short",
                                                           "long", "unsigned", "half",   "__nv_bfloat16", "__half"};
constexpr std::array<std::string_view, 11> built_in = {"unsigned", "signed", "int",  "float", "double", "char",
                                                       "short",    "long",   "bool", "void",  "auto"};

/// Whether a word is a number's type, or that of a vector of numbers: float4, uchar4.
bool names_numbers(const std::string& word) {
  if (is_one_of(word, number_words)) return true;
  if (word.empty() || word.back() < '1' || word.back() > '4') return false;
  const std::string one = word.substr(0, word.size() - 1);
  return is_one_of(one, number_words) || (one.starts_with("u") && is_one_of(one.substr(1), number_words)) ||
         one == "longlong" || one == "ulonglong";
}

/// The end of the declaration before a default value.
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
      parameter.is_restrict = parameter.is_restrict || tokens.view(i).starts_with("__restrict");
      parameter.is_const = parameter.is_const || (tokens.is(i, "const") && stars == 0);
      parameter.is_grid_constant = parameter.is_grid_constant || tokens.is(i, "__grid_constant__");
    } else {
      kept.push_back(i);
    }
  }
  // The last word is the name, unless it must be the type.
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

}  // namespace

GlobalFunction signature_of(const Tokens& tokens, const Item& item) {
  GlobalFunction kernel{.name = item.scope + item.names.front(),
                        .line = tokens.line_of(item.parameters),
                        .file = tokens.file_of(item.parameters)};
  const std::size_t close = closing_bracket(tokens, item.parameters);
  for (const auto& [first, last] : split_at_commas(tokens, item.parameters + 1, close, true)) {
    const std::size_t end = without_default(tokens, first, last);
    if (end == first + 1 && tokens.is(first, "void")) continue;
    kernel.parameters.push_back(parameter_of(tokens, first, end));
  }
  for (std::size_t i = item.first; i < item.parameters; ++i)
    if (tokens.is(i, "__launch_bounds__") && tokens.is(i + 1, "("))
      if (const auto bounds = split_at_commas(tokens, i + 2, closing_bracket(tokens, i + 1), true); !bounds.empty())
        kernel.launch_bounds = tokens.spelling(bounds.front().first, bounds.front().second);
  for (std::size_t i = item.first; i < item.parameters; ++i)
    if (tokens.is(i, "__cluster_dims__") && tokens.is(i + 1, "("))
      kernel.cluster_dims = tokens.spelling(i + 2, closing_bracket(tokens, i + 1));
  for (const auto& [first, last] : split_at_commas(tokens, item.template_first, item.template_last, true))
    kernel.template_parameters.push_back(tokens.spelling(first, without_default(tokens, first, last)));
  return kernel;
}

std::vector<std::string> template_names(const GlobalFunction& function) {
  std::vector<std::string> names;
  for (const std::string& parameter : function.template_parameters)
    names.push_back(parameter.substr(parameter.find_last_of(" .") + 1));
  return names;
}

namespace {

/// The end of the function that a struct declares or defines here, such as its constructor; `first` if it is no
/// function, or one that needs a place in the struct.
std::size_t behind_function(const Tokens& tokens, std::size_t first, std::size_t close) {
  std::size_t at = first;
  for (; at < close && !tokens.is(at, "("); ++at)
    if (tokens.is(at, ";") || tokens.is(at, "=") || tokens.is(at, "{") || tokens.is(at, "virtual")) return first;
  if (at == close || at == first || tokens.is(at + 1, "*") || tokens.view(at - 1).starts_with("__") ||
      tokens.is(at - 1, "alignas"))
    return first;
  at = closing_bracket(tokens, at) + 1;
  while (tokens.is_word(at) || tokens.is(at, "=")) ++at;  // const, noexcept, = default
  // Initialisers: `: x{}, y(0)`
  for (bool is_in_list = tokens.is(at, ":"); is_in_list; is_in_list = tokens.is(at, ","))
    at = closing_bracket(tokens, at + 2) + 1;
  if (tokens.is(at, "{")) at = closing_bracket(tokens, at) + 1;
  return tokens.is(at, ";") ? at + 1 : at;
}

bool is_access(const Tokens& tokens, std::size_t at) {
  return (tokens.is(at, "public") || tokens.is(at, "private") || tokens.is(at, "protected")) && tokens.is(at + 1, ":");
}

}  // namespace

std::vector<Parameter> members_of(const Tokens& tokens, const Item& item) {
  std::size_t at = item.first;
  if (item.kind != ItemKind::type || !item.is_definition || item.template_last != 0) return {};
  if (tokens.is(at, "typedef")) ++at;
  if (!tokens.is(at, "struct")) return {};
  for (; at < item.last && !tokens.is(at, "{"); ++at)
    if (tokens.is(at, ":")) return {};  // it has a base class
  const std::size_t close = closing_bracket(tokens, at);
  std::vector<Parameter> members;
  for (std::size_t first = at + 1; first < close;) {
    if (is_access(tokens, first)) {
      first += 2;
      continue;
    }
    if (const std::size_t behind = behind_function(tokens, first, close); behind > first) {
      first = behind;
      continue;
    }
    std::size_t last = first;
    for (; last < close && !tokens.is(last, ";"); ++last)
      if (tokens.is(last, "(") || tokens.is(last, "{") || tokens.is(last, ":") || tokens.is(last, "static")) return {};
    std::string type;
    for (const auto& [begin, end] : split_at_commas(tokens, first, last, true)) {
      Parameter member = parameter_of(tokens, begin, without_default(tokens, begin, end));
      // After a comma the type is not repeated: `float a, b;`
      if (member.name.empty()) std::swap(member.name, member.type);
      if (member.type.empty()) member.type = type;
      type = member.type;
      if (member.name.empty() || member.type.ends_with('*')) return {};
      for (std::size_t i = begin; i < end; i = tokens.is(i, "[") ? closing_bracket(tokens, i) : i + 1) {
        if (!tokens.is(i, "[")) continue;
        const std::string extent = tokens.spelling(i + 1, closing_bracket(tokens, i));
        member.extent = member.extent.empty() ? extent : "(" + member.extent + ")*(" + extent + ")";
        member.is_pointer = false;
      }
      member.use.escapes = member.is_pointer;  // what is done with it is not followed
      members.push_back(std::move(member));
    }
    first = last + 1;
  }
  return members;
}

std::string aliased_type(const Tokens& tokens, const Item& item) {
  if (item.kind != ItemKind::type || item.names.size() != 1 || item.is_definition || item.template_last != 0) return {};
  const bool is_typedef = tokens.is(item.first, "typedef");
  if (!is_typedef && !tokens.is(item.first, "using")) return {};
  // `typedef TYPE NAME ;` or `using NAME = TYPE ;`
  const std::size_t first = item.first + (is_typedef ? 1 : 3);
  const std::size_t last = item.last - (is_typedef ? 2 : 1);
  if (first >= last) return {};
  const Parameter type = parameter_of(tokens, first, last);
  return type.is_pointer || !type.name.empty() ? std::string{} : type.type;
}

std::map<std::string, std::string> aliases_of(const Tokens& tokens, const Items& found) {
  std::map<std::string, std::string> aliases;
  for (const Item& item : found.items)
    if (const std::string type = aliased_type(tokens, item); !type.empty() && !found.passed_by[item.first])
      aliases[item.names.front()] = type;
  for (const auto& [name, macro] : found.macros) {
    if (macro.takes_arguments || macro.bodies.empty()) continue;
    // The first body is the one that is compiled.
    const std::vector<std::string> words = words_in(macro.bodies.front());
    if (!words.empty() && names_numbers(words.back()) &&
        fmt::format("{}", fmt::join(words, " ")) == macro.bodies.front())
      aliases[name] = macro.bodies.front();
  }
  return aliases;
}

}  // namespace warpwright::job

// Expands the macros of a source that make kernels.
#include "kernels/job/text/macro_kernels.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {
namespace {

struct KernelMacro {
  std::vector<std::string> parameters = {};
  std::string body = {};
  bool has_arguments = true;
  bool makes_kernels = false;  ///< perhaps by another one
};
using KernelMacros = std::map<std::string, KernelMacro>;

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

/// The macro of a line, with its name, unless the number of its arguments is not fixed.
std::optional<std::pair<std::string, KernelMacro>> macro_in(const Directive& line, const KernelMacros& known) {
  if (line.name != "define") return std::nullopt;
  const std::string& rest = line.rest;
  std::size_t end = 0;
  while (end < rest.size() && is_of_a_word(rest[end])) ++end;
  if (end == rest.size() || rest[end] != '(')
    return std::pair(rest.substr(0, end), KernelMacro{.body = rest.substr(end), .has_arguments = false});
  const std::size_t close = rest.find(')', end);
  if (close == std::string::npos) return std::nullopt;
  KernelMacro macro{.body = rest.substr(close + 1)};
  const std::string list = rest.substr(end + 1, close - end - 1);
  if (list.find("...") != std::string::npos) return std::nullopt;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    if (std::string name = trimmed(std::string_view(list).substr(begin, comma - begin)); !name.empty())
      macro.parameters.push_back(std::move(name));
    begin = comma + 1;
  }
  macro.makes_kernels = std::ranges::any_of(words_in(macro.body), [&](const auto& word) {
    const auto used = known.find(word);
    return word == "__global__" || (used != known.end() && used->second.makes_kernels);
  });
  return std::pair(rest.substr(0, end), std::move(macro));
}

/// The body with arguments in place of parameters.
std::string expanded(const KernelMacro& macro, const std::vector<std::string>& arguments) {
  std::string text;
  const std::string& body = macro.body;
  for (std::size_t at = 0; at < body.size();) {
    if (body.compare(at, 2, "##") == 0) {
      text.erase(text.find_last_not_of(" \t") + 1);
      at = std::min(body.find_first_not_of(" \t", at + 2), body.size());
      continue;
    }
    std::size_t end = at;
    while (end < body.size() && is_of_a_word(body[end])) ++end;
    if (end == at) {
      text += body[at++];
      continue;
    }
    const std::string word = body.substr(at, end - at);
    const auto parameter = std::ranges::find(macro.parameters, word);
    if (parameter == macro.parameters.end()) {
      text += word;
    } else {
      const std::string& argument = arguments[static_cast<std::size_t>(parameter - macro.parameters.begin())];
      const bool is_quoted = !text.empty() && text.back() == '#';
      if (is_quoted) text.back() = '"';
      text += argument + (is_quoted ? "\"" : "");
    }
    at = end;
  }
  return trimmed(text);
}

/// The token with the name of the kernel that begins there, which is followed by its parameters; the number of tokens
/// if there is none.
std::size_t name_behind(const Tokens& tokens, std::size_t global) {
  for (std::size_t i = global + 1; i < tokens.size() && tokens.is_word(i); ++i) {
    if (!tokens.is(i + 1, "(")) continue;
    const std::size_t close = closing_bracket(tokens, i + 1);
    if (!tokens.view(i).starts_with("__")) return i;
    i = close;
  }
  return tokens.size();
}

/// The text with the uses of macros replaced that make kernels, or the names of kernels, and are not within another
/// one's arguments.
std::string expanded_once(const std::string& text, bool& has_changed) {
  const Tokens tokens(text, "");
  KernelMacros macros;
  std::size_t name = tokens.size();
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::directive) {
      if (auto macro = macro_in(tokens.directive(i), macros))
        macros.insert_or_assign(macro->first, std::move(macro->second));
      continue;
    }
    if (tokens.is(i, "__global__")) name = name_behind(tokens, i);
    const auto macro = tokens.is_word(i) ? macros.find(std::string(tokens.view(i))) : macros.end();
    if (macro == macros.end() || !tokens.is(i + 1, "(")) continue;
    if (i != name && !macro->second.makes_kernels) continue;
    std::size_t close = i;
    std::vector<std::string> arguments;
    if (macro->second.has_arguments) {
      close = closing_bracket(tokens, i + 1);
      if (close == tokens.size()) continue;
      for (const auto& [first, last] : split_at_commas(tokens, i + 2, close, false))
        arguments.push_back(first == last ? "" : tokens.spelling(first, last));
    }
    if (arguments.size() != macro->second.parameters.size()) continue;
    result.append(text, done, tokens[i].begin - done);
    result += expanded(macro->second, arguments);
    done = tokens[close].end;
    const auto used = std::string_view(text).substr(tokens[i].begin, done - tokens[i].begin);
    result.append(static_cast<std::size_t>(std::ranges::count(used, '\n')), '\n');
    has_changed = true;
    i = close;
  }
  return result.append(text, done);
}

}  // namespace

std::string with_expanded_kernels(const std::string& text) {
  constexpr int deepest = 8;  // of macros that use others
  std::string result = text;
  bool has_changed = text.find("__global__") != std::string::npos;
  for (int depth = 0; has_changed && depth < deepest; ++depth) {
    has_changed = false;
    result = expanded_once(result, has_changed);
  }
  return result;
}

}  // namespace warpwright::job

// Reads and replaces the initialisers of constant integers, and finds unguarded macros.
#include "kernels/job/text/constants.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "kernels/job/text/host_calls.hpp"

namespace warpwright::job {

std::map<std::string, std::string> constants_of(const Tokens& tokens, const Item& item) {
  constexpr std::array<std::string_view, 7> no_integers = {"float", "double", "half", "__half", "auto", "bool", "["};
  constexpr std::array<std::string_view, 11> integers = {
      "int", "unsigned", "long", "short", "size_t", "int32_t", "int64_t", "uint32_t", "uint64_t", "uint", "char"};
  if (item.kind != ItemKind::variable || !item.is_const || item.is_constant || item.template_last != 0) return {};
  bool is_whole = false;
  for (std::size_t i = item.first; i < item.last && !tokens.is(i, "=") && !tokens.is(i, "{"); ++i) {
    if (is_one_of(tokens.view(i), no_integers) || tokens.is(i, "*")) return {};
    is_whole = is_whole || is_one_of(tokens.view(i), integers);
  }
  if (!is_whole) return {};
  auto values = locals_of(tokens, item.first, item.last);
  for (auto& [name, value] : values)
    if (value.starts_with('{') && value.ends_with('}')) value = value.substr(1, value.size() - 2);
  return values;
}

std::map<std::string, std::string> unguarded_macros(const Tokens& tokens) {
  std::map<std::string, std::string> unguarded;
  std::vector<std::string> guards;  // for each condition around a line: the name in its #ifndef, or empty
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::directive) continue;
    const Directive line = tokens.directive(i);
    const std::vector<std::string> words = words_in(line.rest);
    const std::string name = words.empty() ? "" : words.front();
    if (line.name.starts_with("if"))
      guards.push_back(line.name == "ifndef"                                                  ? name
                       : line.rest.starts_with("!") && name == "defined" && words.size() == 2 ? words.back()
                                                                                              : "");
    else if (line.name == "endif" && !guards.empty())
      guards.pop_back();
    else if (line.name == "define" && std::ranges::find(guards, name) == guards.end())
      unguarded.emplace(name, tokens.place(i));
  }
  return unguarded;
}

void initialise_by(std::string& text, const std::string& name, const std::string& macro) {
  const Tokens tokens(text, "");
  const Items found = items_of(tokens);
  for (const Item& item : found.items) {
    if (found.passed_by[item.first] || !constants_of(tokens, item).contains(name)) continue;
    for (std::size_t i = item.first; i + 2 < item.last; ++i) {
      if (!tokens.is(i, name) || !(tokens.is(i + 1, "=") || tokens.is(i + 1, "{"))) continue;
      const std::size_t begin = tokens[i + 2].begin;
      const std::size_t last =
          tokens.is(i + 1, "{") ? closing_bracket(tokens, i + 1) : end_of_value(tokens, i + 2, item.last);
      std::string value = macro;
      value.append(static_cast<std::size_t>(std::count(&text[begin], &text[tokens[last].begin], '\n')), '\n');
      text.replace(begin, tokens[last].begin - begin, value);
      return;
    }
  }
}

}  // namespace warpwright::job

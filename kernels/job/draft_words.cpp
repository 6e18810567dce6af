// Text pieces of drafts: quotes and lists of JSON, and notes about a kernel's buffers.
#include "kernels/job/draft_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kernels/core/text.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {
namespace {

constexpr const char* kIndices = R"(Are its values indices, "data": {"below": "n"}, or row offsets, {"rows": "n"}?)";

void add_factors(const std::string& text, std::vector<std::string>& factors) {
  const Tokens tokens(text, "");
  std::size_t first = 0;
  std::size_t last = tokens.size();
  for (; first < last && tokens.is(first, "(") && closing_bracket(tokens, first) + 1 == last; --last) ++first;
  const auto spelt = [&](std::size_t begin, std::size_t end) {
    return begin < end ? text.substr(tokens[begin].begin, tokens[end - 1].end - tokens[begin].begin) : "";
  };
  std::vector<std::string> parts;
  std::size_t begin = first;
  for (std::size_t i = first; i < last; ++i) {
    if (tokens.is(i, "(")) i = closing_bracket(tokens, i);
    if (i < last && tokens[i].kind == TokenKind::punctuation && !tokens.is(i, ")") && !tokens.is(i, "*")) {
      factors.push_back(spelt(first, last));
      return;
    }
    if (!tokens.is(i, "*")) continue;
    if (tokens.is(i + 1, "*")) {  // a power
      ++i;
      continue;
    }
    parts.push_back(spelt(begin, i));
    begin = i + 1;
  }
  parts.push_back(spelt(begin, last));
  if (parts.size() == 1) factors.push_back(parts.front());
  if (parts.size() > 1)
    for (const std::string& part : parts) add_factors(part, factors);
}

}  // namespace

std::string in_quotes(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string listed(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(in_quotes(text));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::vector<std::int64_t> around(std::int64_t number) {
  if (number == 1) return {1, 2};
  if (number < 2 || number % 2 != 0) return {number};
  return {number / 2, number, number * 2};
}

bool is_pitch(const std::string& name) {
  const std::string lower = lower_case(name);
  return lower.find("pitch") != std::string::npos || lower.find("stride") != std::string::npos ||
         lower.starts_with("ld");
}

std::string with_name(const std::string& expression, std::int64_t number, const std::string& name) {
  const Tokens tokens(expression, "");
  std::string made = expression;
  for (std::size_t i = tokens.size(); i-- > 0;) {
    if (tokens[i].kind != TokenKind::number) continue;
    const bool is_it = tokens.view(i) == std::to_string(number);
    if (is_it || tokens.view(i) == std::to_string(number - 1))
      made.replace(tokens[i].begin, tokens[i].end - tokens[i].begin, is_it ? name : "(" + name + " - 1)");
  }
  return made;
}

std::vector<std::string> factors_of(const std::string& text) {
  std::vector<std::string> factors;
  add_factors(text, factors);
  return factors;
}

std::string elements_in(const std::string& bytes, std::size_t size) {
  std::vector<std::string> factors = factors_of(bytes);
  if (size > 1) {
    const auto found = std::ranges::find(factors, std::to_string(size));
    if (found == factors.end()) return {};
    factors.erase(found);
  }
  if (factors.size() > 1)
    for (std::string& factor : factors)
      if (!is_one_word(factor)) factor = "(" + factor + ")";
  return factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * "));
}

bool is_hexadecimal(const std::string& text) {
  for (std::size_t at = 0; (at = text.find('0', at)) != std::string::npos; ++at)
    if (at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X') &&
        (at == 0 || !is_of_a_word(text[at - 1])))
      return true;
  return false;
}

std::string drafted_role(const Parameter& parameter) {
  const PointerUse use = parameter.use;
  if (parameter.is_const || (!use.writes && !use.escapes)) return "in";
  return use.reads || use.escapes ? "inout" : "out";
}

bool is_index_type(const std::string& type) {
  const auto word = type_word(type);
  return word && word->lanes == 1 && !is_floating(word->element) && size_of(word->element) >= sizeof(int);
}

std::string asks_for_indices() {
  return fmt::format("    // ??? {}\n", kIndices);
}

std::string what_to_see_to(const std::string& role, const Parameter& parameter, const std::string& type,
                           const std::string& allocated) {
  const bool is_known = !allocated.empty();
  const char* const count = is_known ? "" : ", and how many elements has it";
  if (role == "in" && is_index_type(type))
    return fmt::format("??? {}{}", is_known ? "" : "How many elements has it? ", kIndices);
  if (role == "in") return is_known ? "As the host code allocates it" : "??? How many elements has it?";
  if (role == "out") return fmt::format("??? Is it an output (out) or scratch{}?", count);
  return fmt::format("??? Is it inout, out or scratch ({}){}?",
                     parameter.use.escapes ? "what the kernel does with it was not seen" : "it is read and written",
                     count);
}

std::string size_in_dimension(const std::vector<std::string>& names, std::size_t dimension) {
  constexpr std::array<std::array<std::string_view, 4>, 3> kWords{
      {{"width", "col", "nx", "_x"}, {"height", "row", "ny", "_y"}, {"depth", "slice", "nz", "_z"}}};
  constexpr std::string_view kInitials = "whd";
  for (const std::string_view word : kWords.at(dimension))
    for (const std::string& name : names)
      if (lower_case(name).find(word) != std::string::npos) return name;
  // "w", or "imageW"
  const char initial = kInitials.at(dimension);
  for (const std::string& name : names)
    if (name == std::string(1, initial) || name.ends_with(static_cast<char>(std::toupper(initial)))) return name;
  return {};
}

std::string beside(const std::filesystem::path& file, const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_relative(std::filesystem::absolute(file).parent_path()).string();
}

std::string shared_array(const std::string& text) {
  const Tokens tokens(text, "");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "extern")) continue;
    std::size_t first = 0;  // where the type begins
    for (std::size_t at = i + 1; at < tokens.size() && !tokens.is(at, ";") && !tokens.is(at, "{"); ++at) {
      if (tokens.is(at, "__shared__")) first = at + 1;
      if (first == 0 || !tokens.is(at, "[")) continue;
      // __align__(16) may precede the type.
      while (first < at && tokens.is(first + 1, "(")) first = closing_bracket(tokens, first + 1) + 1;
      return at > first + 1 ? tokens.spelling(first, at - 1) : "";
    }
  }
  return {};
}

bool is_one_word(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, is_of_a_word);
}

std::string no_oracle() {
  return R"(  // ??? What gives right answers? A plain kernel, {"kernel": "plain", "grid": ..., "block": ...}, or a C++ function,
  // {"function": "f", "file": "f.cpp", "arguments": [...]}; "default": only the default configuration itself
  "oracle": "default",
)";
}

std::string guessed_bound() {
  return R"(  // ??? How much may rounding change? {"depth": "k"}: k terms are added up; "equal": nothing; this is a guess
  "bound": {"relative": 1e-4, "absolute": 1e-5}
)";
}

}  // namespace warpwright::job

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
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

std::string in_quotes(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string listed(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(in_quotes(text));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string around(std::int64_t number) {
  if (number < 4 || number % 2 != 0) return fmt::format("{}", number);
  return fmt::format("{}, {}, {}", number / 2, number, number * 2);
}

bool is_hexadecimal(const std::string& text) {
  for (std::size_t at = 0; (at = text.find('0', at)) != std::string::npos; ++at)
    if (at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X') &&
        (at == 0 || !is_of_a_word(text[at - 1])))
      return true;
  return false;
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

std::string drafted_role(const Parameter& parameter) {
  const PointerUse use = parameter.use;
  if (parameter.is_const || (!use.writes && !use.escapes)) return "in";
  return use.reads || use.escapes ? "inout" : "out";
}

std::string what_to_see_to(const std::string& role, const Parameter& parameter) {
  if (role == "in") return "??? How many elements has it?";
  if (role == "out") return "??? How many elements has it, and is it an output (out) or scratch?";
  return parameter.use.escapes
             ? "??? Is it inout, out or scratch (what the kernel does with it was not seen), and how many elements has "
               "it?"
             : "??? Is it inout, out or scratch (it is read and written), and how many elements has it?";
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

}  // namespace warpwright::job

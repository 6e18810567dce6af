// Splitting an expression into its words.
#include "kernels/job/words.hpp"

#include <array>
#include <cctype>
#include <charconv>

#include "kernels/job/expression.hpp"

namespace warpwright::job {
namespace {

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::vector<Word> words_of(std::string_view text) {
  static constexpr std::array<std::string_view, 11> kLongSigns{
      "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::"};
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
      continue;
    }
    Word word{.offset = at};
    if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      word.kind = Word::Kind::number;
      const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), word.number);
      if (error != std::errc{}) throw ExpressionError(at, "a number that cannot be read");
      at = static_cast<std::size_t>(end - text.data());
      // Suffixes of C++: 4ULL, 1.5f.
      while (at < text.size() && std::string_view("uUlLfF").find(text[at]) != std::string_view::npos) ++at;
      if (at < text.size() && (begins_name(text[at]) || is_digit(text[at])))
        throw ExpressionError(word.offset, "a number that cannot be read");
    } else if (begins_name(c)) {
      word.kind = Word::Kind::name;
      std::size_t end = at;
      while (end < text.size() && (begins_name(text[end]) || is_digit(text[end]) || text[end] == '.')) ++end;
      word.text = text.substr(at, end - at);
      at = end;
    } else {
      word.kind = Word::Kind::sign;
      word.text = c;
      for (const std::string_view sign : kLongSigns)
        if (text.substr(at).starts_with(sign)) word.text = sign;
      at += word.text.size();
    }
    words.push_back(std::move(word));
  }
  words.push_back({.offset = text.size()});
  return words;
}

}  // namespace warpwright::job

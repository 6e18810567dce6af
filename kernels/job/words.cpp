// Splits an expression into tokens.
#include "kernels/job/words.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

#include "kernels/job/expression.hpp"

namespace warpwright::job {
namespace {

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The length of the number at the beginning of a text, even if the number is malformed.
std::size_t length_of_number(std::string_view text) {
  const bool has_prefix = text.starts_with("0x") || text.starts_with("0X");
  const auto is_of_it = [&](std::size_t at) {
    const char c = text[at];
    if (c == '\'') return at + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[at + 1])) != 0;
    if (c == '+' || c == '-') return !has_prefix && (text[at - 1] == 'e' || text[at - 1] == 'E');
    return begins_name(c) || is_digit(c) || c == '.';
  };
  std::size_t length = 1;
  while (length < text.size() && is_of_it(length)) ++length;
  return length;
}

/// Decimal, or with 0x or 0b. Digits may be separated as in 1'000, and C++ suffixes may follow: 4ULL, 1.5f.
Word number_of(std::string_view text, std::size_t offset) {
  std::string digits(text);
  std::erase(digits, '\'');
  const std::string mark = digits.substr(0, 2);
  const int base = mark == "0x" || mark == "0X" ? 16 : mark == "0b" || mark == "0B" ? 2 : 10;
  Word word{.kind = Word::Kind::number, .offset = offset};
  const char* const last = digits.data() + digits.size();
  std::uint64_t bits = 0;
  const auto [end, error] = base == 10 ? std::from_chars(digits.data(), last, word.number)
                                       : std::from_chars(digits.data() + 2, last, bits, base);
  if (error != std::errc{} || std::string_view(end, last).find_first_not_of("uUlLfF") != std::string_view::npos)
    throw ExpressionError(offset, "a number that cannot be read");
  if (base != 10) word.number = static_cast<long double>(bits);
  word.is_real = base == 10 && digits.find_first_of(".eE") != std::string::npos;
  return word;
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
      const std::size_t length = length_of_number(text.substr(at));
      word = number_of(text.substr(at, length), at);
      at += length;
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

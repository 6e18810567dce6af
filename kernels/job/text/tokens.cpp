// Splits a CUDA C++ source into tokens.
#include "kernels/job/text/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace warpwright::job {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Whether the word before a quote belongs to the literal.
bool is_prefix(std::string_view word) {
  for (const std::string_view known : {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"})
    if (word == known) return true;
  return false;
}

/// The text without comments, and with continued lines joined.
std::string plain_line(std::string_view line) {
  std::string plain;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.substr(at, 2) == "//") break;
    if (line.substr(at, 2) == "/*") {
      at = std::min(line.find("*/", at + 2), line.size() - 2) + 1;
      plain += ' ';
    } else if (line[at] == '\\' && (line.substr(at + 1, 1) == "\n" || line.substr(at + 1, 2) == "\r\n")) {
      at = line.find('\n', at);
      plain += ' ';
    } else {
      plain += line[at];
    }
  }
  while (!plain.empty() && is_space(plain.back())) plain.pop_back();
  return plain;
}

}  // namespace

bool is_of_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_of_a_word(text[end])) ++end;
    if (end > begin && !is_digit(text[begin])) words.emplace_back(text.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
  return words;
}

Tokens::Tokens(std::string text, const std::string& file) : text_(std::move(text)) {
  marks_.push_back({.offset = 0, .file = file, .line = 1});
  bool line_begins = true;
  for (std::size_t at = 0; at < text_.size();) read(at, line_begins);
}

void Tokens::read(std::size_t& at, bool& line_begins) {
  const char c = text_[at];
  if (c == '\n') line_begins = true;
  if (is_space(c) || c == '\\') {
    ++at;
    return;
  }
  const std::string_view two = std::string_view(text_).substr(at, 2);
  if (two == "//") {
    at = std::min(text_.find('\n', at), text_.size());
    return;
  }
  if (two == "/*") {
    const std::size_t end = text_.find("*/", at + 2);
    if (end == std::string::npos) refuse(at, "a comment begins here and does not end");
    at = end + 2;
    return;
  }
  const std::size_t begin = at;
  TokenKind kind = TokenKind::punctuation;
  if (c == '#' && line_begins) {
    kind = TokenKind::directive;
    at = end_of_directive(begin);
  } else if (c == '"' || c == '\'') {
    kind = TokenKind::literal;
    at = end_of_literal(begin, begin);
  } else if (is_digit(c) || (c == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]))) {
    kind = TokenKind::number;
    const auto is_sign_of_exponent = [&] {
      return (text_[at] == '+' || text_[at] == '-') &&
             std::string_view("eEpP").find(text_[at - 1]) != std::string_view::npos &&
             (text_.compare(begin, 2, "0x") != 0 || text_[at - 1] == 'p' || text_[at - 1] == 'P');
    };
    while (at < text_.size() && (is_of_a_word(text_[at]) || text_[at] == '.' || is_sign_of_exponent() ||
                                 (text_[at] == '\'' && at + 1 < text_.size() && is_of_a_word(text_[at + 1]))))
      ++at;
  } else if (is_of_a_word(c)) {
    kind = TokenKind::word;
    while (at < text_.size() && is_of_a_word(text_[at])) ++at;
    const bool quoted = at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
    if (quoted && is_prefix(std::string_view(text_).substr(begin, at - begin))) {
      kind = TokenKind::literal;
      at = end_of_literal(begin, at);
    }
  } else {
    at += two == "::" || two == "->" ? 2 : 1;
  }
  line_begins = false;
  tokens_.push_back({.kind = kind, .begin = begin, .end = at});
  if (kind != TokenKind::directive) return;
  const Directive line = directive(tokens_.size() - 1);
  if (line.name != "line") return;
  int number = 1;
  std::from_chars(line.rest.data(), line.rest.data() + line.rest.size(), number);
  const std::size_t open = line.rest.find('"');
  const std::size_t close = line.rest.rfind('"');
  const std::string name = open < close ? line.rest.substr(open + 1, close - open - 1) : marks_.back().file;
  marks_.push_back({.offset = std::min(text_.find('\n', at), text_.size() - 1) + 1, .file = name, .line = number});
}

std::size_t Tokens::end_of_literal(std::size_t begin, std::size_t quote) const {
  if (quote > begin && text_[quote - 1] == 'R' && text_[quote] == '"') {
    const std::size_t open = text_.find('(', quote);
    if (open == std::string::npos) refuse(begin, "a raw string begins here and does not end");
    const std::string closing = ")" + text_.substr(quote + 1, open - quote - 1) + "\"";
    const std::size_t close = text_.find(closing, open);
    if (close == std::string::npos) refuse(begin, "a raw string begins here and does not end");
    return close + closing.size();
  }
  for (std::size_t at = quote + 1; at < text_.size() && text_[at] != '\n'; ++at) {
    if (text_[at] == text_[quote]) return at + 1;
    if (text_[at] == '\\') ++at;
  }
  return quote + 1;  // an apostrophe in text that is never compiled
}

std::size_t Tokens::end_of_directive(std::size_t begin) const {
  for (std::size_t at = begin; at < text_.size(); ++at) {
    if (text_.compare(at, 2, "/*") == 0) {
      const std::size_t end = text_.find("*/", at + 2);
      if (end == std::string::npos) refuse(at, "a comment begins here and does not end");
      at = end + 1;
    } else if (text_[at] == '\n') {
      const std::size_t last = at > begin && text_[at - 1] == '\r' ? at - 1 : at;
      if (text_[last - 1] != '\\') return last;
    }
  }
  return text_.size();
}

std::string_view Tokens::view(std::size_t number) const {
  if (number >= tokens_.size()) return {};
  return std::string_view(text_).substr(tokens_[number].begin, tokens_[number].end - tokens_[number].begin);
}

bool Tokens::is(std::size_t number, std::string_view spelling) const {
  return number < tokens_.size() && view(number) == spelling;
}

bool Tokens::is_word(std::size_t number) const {
  return number < tokens_.size() && tokens_[number].kind == TokenKind::word;
}

Directive Tokens::directive(std::size_t number) const {
  const std::string line = plain_line(view(number).substr(1));
  std::size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && is_of_a_word(line[end])) ++end;
  std::size_t rest = end;
  while (rest < line.size() && is_space(line[rest])) ++rest;
  return {.name = line.substr(begin, end - begin), .rest = line.substr(rest)};
}

const Tokens::Mark& Tokens::mark_of(std::size_t offset) const {
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), offset,
                                      [](std::size_t place, const Mark& mark) { return place < mark.offset; });
  return *std::prev(after);
}

int Tokens::line_at(std::size_t offset) const {
  const Mark& mark = mark_of(offset);
  const auto first = text_.begin() + static_cast<std::ptrdiff_t>(mark.offset);
  return mark.line + static_cast<int>(std::count(first, text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

std::string Tokens::place(std::size_t number) const {
  return fmt::format("{}:{}", file_of(number), line_of(number));
}

std::string Tokens::file_of(std::size_t number) const {
  return mark_of(tokens_[number].begin).file;
}

int Tokens::line_of(std::size_t number) const {
  return line_at(tokens_[number].begin);
}

void Tokens::refuse(std::size_t offset, std::string_view why) const {
  throw std::runtime_error(fmt::format("{}:{}: {}", mark_of(offset).file, line_at(offset), why));
}

std::string Tokens::spelling(std::size_t first, std::size_t last) const {
  std::string text;
  for (std::size_t number = first; number < last; ++number) {
    if (tokens_[number].kind == TokenKind::directive) continue;
    const std::string_view next = view(number);
    const bool touches = !text.empty() && is_of_a_word(text.back()) && is_of_a_word(next.front());
    const bool follows_comma = !text.empty() && text.back() == ',';
    if (touches || follows_comma) text += ' ';
    text += next;
  }
  return text;
}

std::size_t closing_bracket(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (opens_bracket(tokens.view(i))) ++depth;
    if (closes_bracket(tokens.view(i)) && --depth == 0) return i;
  }
  return tokens.size();
}

std::vector<std::pair<std::size_t, std::size_t>> split_at_commas(const Tokens& tokens, std::size_t first,
                                                                 std::size_t last, bool angles) {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  int depth = 0;
  std::size_t begin = first;
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view text = tokens.view(i);
    if (opens_bracket(text) || (angles && text == "<")) ++depth;
    if (closes_bracket(text) || (angles && text == ">")) --depth;
    if (depth != 0 || text != ",") continue;
    parts.emplace_back(begin, i);
    begin = i + 1;
  }
  if (begin < last) parts.emplace_back(begin, last);
  return parts;
}

}  // namespace warpwright::job

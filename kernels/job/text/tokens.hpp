// A CUDA C++ source as tokens: words, numbers, literals, punctuation and preprocessor lines, without comments.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright::job {

enum class TokenKind { word, number, literal, punctuation, directive };

/// A part of the source. Punctuation is one character, except for "::" and "->". A directive is a whole preprocessor
/// line with its continuation lines.
struct Token {
  TokenKind kind = TokenKind::punctuation;
  std::size_t begin = 0, end = 0;
};

/// A preprocessor line without '#', comments and continuations: its name and the rest.
struct Directive {
  std::string name, rest;
};

class Tokens {
 public:
  /// `file` is the name in positions, until a line `#line N "FILE"` gives another one. Throws std::runtime_error with
  /// file:line if a comment or literal does not end.
  Tokens(std::string text, const std::string& file);

  const std::string& text() const { return text_; }
  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t number) const { return tokens_[number]; }
  std::string_view view(std::size_t number) const;
  bool is(std::size_t number, std::string_view spelling) const;
  bool is_word(std::size_t number) const;
  Directive directive(std::size_t number) const;

  /// The position "file:line" of a token, and its two parts.
  std::string place(std::size_t number) const;
  std::string file_of(std::size_t number) const;
  int line_of(std::size_t number) const;

  /// The text of tokens [first, last), with one space between words.
  std::string spelling(std::size_t first, std::size_t last) const;

 private:
  struct Mark {
    std::size_t offset;  ///< where the line begins
    std::string file;
    int line;
  };
  const Mark& mark_of(std::size_t offset) const;
  int line_at(std::size_t offset) const;
  [[noreturn]] void refuse(std::size_t offset, std::string_view why) const;
  std::size_t end_of_literal(std::size_t begin, std::size_t quote) const;
  std::size_t end_of_directive(std::size_t begin) const;
  void read(std::size_t& at, bool& line_begins);

  std::string text_;
  std::vector<Token> tokens_;
  std::vector<Mark> marks_;
};

template <class Word, std::size_t N>
bool is_one_of(std::string_view word, const std::array<Word, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether a token is one of the opening brackets ( [ {.
inline bool opens_bracket(std::string_view token) {
  return token == "(" || token == "[" || token == "{";
}
inline bool closes_bracket(std::string_view token) {
  return token == ")" || token == "]" || token == "}";
}

/// The token that closes the bracket at `open`. If there is none, the number of tokens.
std::size_t closing_bracket(const Tokens& tokens, std::size_t open);

/// Splits [first, last) at its commas outside of brackets, into half-open ranges. With `angles`, '<' and '>' are
/// brackets too.
std::vector<std::pair<std::size_t, std::size_t>> split_at_commas(const Tokens& tokens, std::size_t first,
                                                                 std::size_t last, bool angles);

/// Whether a character belongs to a C++ word: a letter, digit, '_' or '$'.
bool is_of_a_word(char c);

/// The words in a fragment of a source: a directive or an expression.
std::vector<std::string> words_in(std::string_view text);

}  // namespace warpwright::job

// A text of CUDA C++ as tokens: words, numbers, literals, punctuation and lines of the preprocessor, without comments.
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

/// A stretch of the text. Punctuation is one character, but "::" and "->" are one token; a directive is a whole line
/// of the preprocessor with those that continue it.
struct Token {
  TokenKind kind = TokenKind::punctuation;
  std::size_t begin = 0, end = 0;
};

/// A line of the preprocessor without its '#', comments and continuations: the name, and what follows it.
struct Directive {
  std::string name, rest;
};

class Tokens {
 public:
  /// `file` is what places are named after until a line `#line N "FILE"` names another one. Throws std::runtime_error
  /// with file:line where a comment or literal does not end.
  Tokens(std::string text, const std::string& file);

  const std::string& text() const { return text_; }
  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t number) const { return tokens_[number]; }
  std::string_view view(std::size_t number) const;
  bool is(std::size_t number, std::string_view spelling) const;
  bool is_word(std::size_t number) const;
  Directive directive(std::size_t number) const;

  /// "file:line" of a token, and both apart.
  std::string place(std::size_t number) const;
  std::string file_of(std::size_t number) const;
  int line_of(std::size_t number) const;

  /// Tokens [first, last) with one space where two words meet, as they would be written.
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

/// Whether a token is a bracket of these three kinds: ( [ {.
inline bool opens_bracket(std::string_view token) {
  return token == "(" || token == "[" || token == "{";
}
inline bool closes_bracket(std::string_view token) {
  return token == ")" || token == "]" || token == "}";
}

/// The token of the bracket that closes the one at `open`; the number of tokens where none does.
std::size_t closing_bracket(const Tokens& tokens, std::size_t open);

/// Half-open ranges of tokens between the commas of [first, last) that are in no bracket; `angles` says whether '<' and
/// '>' are brackets.
std::vector<std::pair<std::size_t, std::size_t>> split_at_commas(const Tokens& tokens, std::size_t first,
                                                                 std::size_t last, bool angles);

/// What of the text is a word of C++ of its own: letters, digits, '_' and '$'.
bool is_of_a_word(char c);

/// The words of a text that is no whole file: what a directive or an expression mentions.
std::vector<std::string> words_in(std::string_view text);

}  // namespace warpwright::job

// Device source as tokens, brackets, functions and statements: as much of its structure as mutation rules need.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::conformance {

/// A token of a source text. Comments and preprocessor lines give none.
struct Token {
  enum class Kind { identifier, number, text, punctuation };
  Kind kind = Kind::punctuation;
  std::size_t begin = 0, end = 0;  ///< bytes of the text
  int line = 1;
};

/// Tokens [first, last]; empty when last < first.
struct TokenRange {
  std::size_t first = 1, last = 0;

  bool empty() const { return last < first; }
  bool contains(std::size_t token) const { return first <= token && token <= last; }
};

struct Statement {
  enum class Kind { simple, branch, loop };
  Kind kind = Kind::simple;
  TokenRange all;
  TokenRange head;       ///< what stands in the parentheses of an `if`, `for` or `while`
  TokenRange body;       ///< the statement they govern
  TokenRange otherwise;  ///< after `else`
};

struct Parameter {
  std::string name;
  std::string type;  ///< of what a pointer points to, without const
  bool pointer = false;
  bool read_only = false;  ///< points to const
};

struct DeviceFunction {
  std::string name;  ///< empty for operators
  bool is_kernel = false;
  TokenRange head;  ///< from `template` or the first word up to the parameters' closing parenthesis
  std::vector<Parameter> parameters;
  std::vector<std::string> type_names;  ///< type parameters of its template
  std::string returned;                 ///< last word of the return type
  TokenRange body;                      ///< from brace to brace
  std::vector<Statement> statements;    ///< all of the body, outer ones before those within
};

class DeviceSource {
 public:
  DeviceSource(std::string path, std::string text);

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<DeviceFunction>& functions() const { return functions_; }

  std::string_view word(std::size_t token) const;
  /// The text from the first to the last token, white space and line ends as one space.
  std::string words(TokenRange range) const;
  /// The bracket that belongs to this one; the token itself when it is none.
  std::size_t partner(std::size_t token) const { return partners_[token]; }
  bool is_identifier(std::size_t token) const { return tokens_[token].kind == Token::Kind::identifier; }
  /// The parts between the commas of a bracketed list, `open` being its bracket.
  std::vector<TokenRange> arguments(std::size_t open) const;

 private:
  void scan();
  void match();
  void find_functions();
  void read_head(DeviceFunction& function, std::size_t name) const;
  /// Adds the statement that begins at `first`; gives the token after it.
  std::size_t read_statement(DeviceFunction& function, std::size_t first, std::size_t end);
  void read_block(DeviceFunction& function, std::size_t open);

  std::string path_, text_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
  std::vector<DeviceFunction> functions_;
};

/// Names of the functions of these sources that the named ones can reach: all whose name is mentioned, and operators.
std::vector<std::string> reachable_functions(const std::vector<DeviceSource>& sources, std::vector<std::string> from);

}  // namespace warpwright::conformance

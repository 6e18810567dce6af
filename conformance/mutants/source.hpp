// Device source as tokens, brackets, functions and statements: the structure that mutation rules need.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::conformance {

/// A token of a source text. Comments and preprocessor lines are skipped.
struct Token {
  enum class Kind { identifier, number, text, punctuation };
  Kind kind = Kind::punctuation;
  std::size_t begin = 0, end = 0;  ///< byte offsets in the text
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
  TokenRange head;       ///< the text in the parentheses of an `if`, `for` or `while`
  TokenRange body;       ///< the statement that they control
  TokenRange otherwise;  ///< the statement after `else`
};

struct Parameter {
  std::string name;
  std::string type;  ///< without const; for a pointer, the type it points to
  bool pointer = false;
  bool read_only = false;  ///< points to const
};

struct DeviceFunction {
  std::string name;  ///< empty for operators
  bool is_kernel = false;
  TokenRange head;  ///< from `template` or the first word to the closing parenthesis of the parameters
  std::vector<Parameter> parameters;
  std::vector<std::string> type_names;  ///< type parameters of its template
  std::string returned;                 ///< last word of the return type
  TokenRange body;                      ///< from brace to brace
  std::vector<Statement> statements;    ///< all statements of the body, outer ones before those inside them
};

class DeviceSource {
 public:
  DeviceSource(std::string path, std::string text);

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<DeviceFunction>& functions() const { return functions_; }

  std::string_view word(std::size_t token) const;
  /// The text from the first to the last token, with white space replaced by single spaces.
  std::string words(TokenRange range) const;
  /// The matching bracket; the token itself if it is no bracket.
  std::size_t partner(std::size_t token) const { return partners_[token]; }
  bool is_identifier(std::size_t token) const { return tokens_[token].kind == Token::Kind::identifier; }
  /// The comma-separated parts of the list that the bracket `open` begins.
  std::vector<TokenRange> arguments(std::size_t open) const;

 private:
  void scan();
  void match();
  void find_functions();
  void read_head(DeviceFunction& function, std::size_t name) const;
  /// Appends the statement that begins at `first`; returns the token after it.
  std::size_t read_statement(DeviceFunction& function, std::size_t first, std::size_t end);
  void read_block(DeviceFunction& function, std::size_t open);

  std::string path_, text_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
  std::vector<DeviceFunction> functions_;
};

/// Names of the functions in these sources that the named functions can reach: all whose name occurs, and operators.
std::vector<std::string> reachable_functions(const std::vector<DeviceSource>& sources, std::vector<std::string> from);

}  // namespace warpwright::conformance

// Inline PTX in device code: an `asm` statement, its operands and its instructions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::simulator {

/// Reads C++ from a position on. A text that ends too early stops at its end.
class TextReader {
 public:
  TextReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  bool is_over() const { return at_ >= text_.size(); }
  char next() const { return is_over() ? '\0' : text_[at_]; }
  /// Whether a name may have the next character.
  bool is_in_a_word() const;

  /// Skips a comment, a literal, or one character.
  void skip_one();
  /// Skips white space, comments and continuations of lines.
  void skip_space();
  bool take(std::string_view what);
  std::string take_word();
  /// The characters of neighbouring string literals; nothing if something else comes.
  std::optional<std::string> take_strings();
  /// An expression in brackets, without them, on one line.
  std::optional<std::string> take_in_brackets();

 private:
  void skip_to(std::string_view end, std::size_t beyond);
  void skip_raw();
  void skip_literal();

  std::string_view text_;
  std::size_t at_;
};

/// "@p mbarrier.arrive.shared::cta.b64 _, [%0]"
struct PtxInstruction {
  std::string guard = {};                   ///< "p" or "!p"; empty: none
  std::string opcode = {};                  ///< or a label: "DONE:"
  std::vector<std::string> arguments = {};  ///< "{%0, %1}" or "[%4]"
};

struct AsmOperand {
  std::string name, constraint, expression;
};

/// asm volatile("text" : operands : operands : clobbers)
struct AsmStatement {
  std::vector<PtxInstruction> instructions;
  std::vector<AsmOperand> operands;

  /// The expression of "%3" or "%[name]"; empty if there is none.
  std::string expression(std::string reference) const;
};

/// Reads what follows the word `asm`; empty if it is no statement that begins with a literal.
std::optional<AsmStatement> asm_statement_at(TextReader& from);

/// The parts of a list, between commas outside of brackets, without space around them.
std::vector<std::string> split_list(std::string_view list);

}  // namespace warpwright::simulator

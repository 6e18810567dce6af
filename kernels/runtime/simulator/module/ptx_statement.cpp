// Inline PTX in device code: an `asm` statement, its operands and its instructions.
#include "kernels/runtime/simulator/module/ptx_statement.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace warpwright::simulator {
namespace {

bool is_of_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// PTX with one space in place of white space and comments.
std::string in_one_line(std::string text) {
  for (const auto& [begin, end] : {std::pair("//", "\n"), std::pair("/*", "*/")})
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
      const std::size_t last = text.find(end, at + 2);
      text.replace(at, last == std::string::npos ? last : last + std::string_view(end).size() - at, " ");
    }
  std::string result;
  for (const char c : text) {
    if (!is_space(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return trimmed(result);
}

PtxInstruction instruction_of(std::string text) {
  PtxInstruction made;
  if (text.starts_with('@')) {
    const std::size_t end = std::min(text.find(' '), text.size());
    made.guard = text.substr(1, end - 1);
    text = trimmed(text.substr(end));
  }
  const std::size_t end = std::min(text.find_first_of(" [{"), text.size());
  made.opcode = text.substr(0, end);
  made.arguments = split_list(text.substr(end));
  return made;
}

/// The instructions of PTX on one line, which may be in braces.
std::vector<PtxInstruction> instructions_of(std::string text) {
  while (!text.empty() && (text.back() == ';' || text.back() == ' ')) text.pop_back();
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  std::vector<PtxInstruction> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string one = trimmed(text.substr(0, end));
    text.erase(0, end + 1);
    // Labels before it. A colon may also be part of an opcode: "shared::cta".
    for (std::size_t colon = one.find(':'); colon != std::string::npos; colon = one.find(':')) {
      const std::string label = trimmed(one.substr(0, colon));
      if (one.compare(colon, 2, "::") == 0 || label.find_first_of(" .,[") != std::string::npos) break;
      all.push_back({.opcode = label + ":"});
      one = trimmed(one.substr(colon + 1));
    }
    if (!one.empty()) all.push_back(instruction_of(one));
  }
  return all;
}

}  // namespace

bool TextReader::is_in_a_word() const {
  return is_of_a_word(next());
}

void TextReader::skip_one() {
  if (text_.compare(at_, 2, "//") == 0) return skip_to("\n", 0);
  if (text_.compare(at_, 2, "/*") == 0) return skip_to("*/", 2);
  if (text_.compare(at_, 2, "R\"") == 0 && (at_ == 0 || !is_of_a_word(text_[at_ - 1]))) return skip_raw();
  if (next() == '"' || (next() == '\'' && (at_ == 0 || !is_of_a_word(text_[at_ - 1])))) return skip_literal();
  ++at_;
}

void TextReader::skip_space() {
  for (;;) {
    if (std::isspace(static_cast<unsigned char>(next())) != 0 || text_.compare(at_, 2, "\\\n") == 0)
      ++at_;
    else if (text_.compare(at_, 2, "//") == 0 || text_.compare(at_, 2, "/*") == 0)
      skip_one();
    else
      return;
  }
}

bool TextReader::take(std::string_view what) {
  skip_space();
  if (text_.compare(at_, what.size(), what) != 0) return false;
  at_ += what.size();
  return true;
}

std::string TextReader::take_word() {
  skip_space();
  const std::size_t begin = at_;
  while (is_of_a_word(next())) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

std::optional<std::string> TextReader::take_strings() {
  skip_space();
  if (next() != '"') return std::nullopt;
  std::string all;
  for (; next() == '"'; skip_space()) {
    for (++at_; !is_over() && next() != '"'; ++at_) {
      if (next() != '\\') {
        all += next();
        continue;
      }
      ++at_;
      if (next() == 'n')
        all += '\n';
      else if (next() == 't')
        all += ' ';
      else if (next() != '\n')
        all += next();
    }
    ++at_;
  }
  return all;
}

std::optional<std::string> TextReader::take_in_brackets() {
  if (!take("(")) return std::nullopt;
  std::string inside;
  for (int depth = 1; !is_over();) {
    const std::size_t begin = at_;
    if (next() == '(') ++depth;
    if (next() == ')' && --depth == 0) {
      ++at_;
      return inside;
    }
    if (text_.compare(at_, 2, "\\\n") == 0) ++at_;
    const bool is_comment = text_.compare(at_, 2, "//") == 0 || text_.compare(at_, 2, "/*") == 0;
    skip_one();
    const std::string_view taken = text_.substr(begin, at_ - begin);
    inside += is_comment || taken.find('\n') != std::string_view::npos ? " " : taken;
  }
  return std::nullopt;
}

void TextReader::skip_to(std::string_view end, std::size_t beyond) {
  const auto found = text_.find(end, at_ + 2);
  at_ = found == std::string_view::npos ? text_.size() : found + beyond;
}

void TextReader::skip_raw() {
  const std::size_t open = text_.find('(', at_);
  if (open == std::string_view::npos) return void(at_ = text_.size());
  const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
  skip_to(end, end.size());
}

void TextReader::skip_literal() {
  const char quote = next();
  for (++at_; !is_over() && next() != quote && next() != '\n'; ++at_)
    if (next() == '\\') ++at_;
  ++at_;
}

std::string AsmStatement::expression(std::string reference) const {
  if (!reference.starts_with('%')) return {};
  reference.erase(0, 1);
  if (reference.starts_with('[')) {
    for (const AsmOperand& operand : operands)
      if ("[" + operand.name + "]" == reference) return operand.expression;
    return {};
  }
  if (reference.empty() || reference.find_first_not_of("0123456789") != std::string::npos) return {};
  const std::size_t number = std::strtoul(reference.c_str(), nullptr, 10);
  return number < operands.size() ? operands[number].expression : "";
}

std::optional<AsmStatement> asm_statement_at(TextReader& from) {
  while (from.take("volatile") || from.take("__volatile__")) {
  }
  if (!from.take("(")) return std::nullopt;
  const auto text = from.take_strings();
  if (!text) return std::nullopt;
  AsmStatement statement{.instructions = instructions_of(in_one_line(*text)), .operands = {}};
  for (int part = 0; from.take(":"); ++part) {
    for (from.skip_space(); from.next() == '"' || from.next() == '['; from.skip_space()) {
      AsmOperand operand;
      if (from.take("[")) {
        operand.name = from.take_word();
        if (!from.take("]")) return std::nullopt;
      }
      operand.constraint = from.take_strings().value_or("");
      if (part < 2) {
        const auto expression = from.take_in_brackets();
        if (!expression) return std::nullopt;
        operand.expression = *expression;
        statement.operands.push_back(operand);
      }
      if (!from.take(",")) break;
    }
  }
  if (!from.take(")")) return std::nullopt;
  return statement;
}

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '{' || list[i] == '[' || list[i] == '(') ++depth;
    if (list[i] == '}' || list[i] == ']' || list[i] == ')') --depth;
    if (list[i] != ',' || depth > 0) continue;
    parts.push_back(trimmed(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (std::string last = trimmed(list.substr(begin)); !last.empty() || !parts.empty()) parts.push_back(std::move(last));
  return parts;
}

}  // namespace warpwright::simulator

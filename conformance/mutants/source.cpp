// Tokenizes and parses device source for mutation rules.
#include "conformance/mutants/source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace warpwright::conformance {
namespace {

constexpr std::array<std::string_view, 26> kOperators{"<<=", ">>=", "...", "->*", "::", "->", "++", "--", "<<",
                                                      ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                                      "*=",  "/=",  "%=",  "&=",  "|=", "^=", "##", ".*"};

bool begins_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of the string or character literal that begins at `at`.
std::size_t end_of_literal(const std::string& text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t end_of_number(const std::string& text, std::size_t at) {
  while (at < text.size()) {
    const bool exponent =
        (text[at] == '+' || text[at] == '-') && std::string_view("eEpP").find(text[at - 1]) != std::string_view::npos;
    const bool separator = text[at] == '\'' && at + 1 < text.size() && in_word(text[at + 1]);
    if (!in_word(text[at]) && text[at] != '.' && !exponent && !separator) break;
    ++at;
  }
  return at;
}

/// The end of the preprocessor line that begins at `at`, including continuation lines.
std::size_t end_of_directive(const std::string& text, std::size_t at) {
  while (at < text.size() && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

}  // namespace

DeviceSource::DeviceSource(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  scan();
  match();
  find_functions();
}

std::string_view DeviceSource::word(std::size_t token) const {
  if (token >= tokens_.size()) return {};
  return std::string_view(text_).substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
}

std::string DeviceSource::words(TokenRange range) const {
  std::string words;
  for (std::size_t i = range.first; i <= range.last && !range.empty(); ++i) {
    if (i > range.first && tokens_[i - 1].end < tokens_[i].begin) words += ' ';
    words += word(i);
  }
  return words;
}

std::vector<TokenRange> DeviceSource::arguments(std::size_t open) const {
  std::vector<TokenRange> parts;
  std::size_t first = open + 1;
  for (std::size_t i = first; i <= partner(open); ++i) {
    if (i == partner(open) || word(i) == ",") {
      if (i > first) parts.push_back({first, i - 1});
      first = i + 1;
    } else if (partner(i) > i) {
      i = partner(i);
    }
  }
  return parts;
}

void DeviceSource::scan() {
  int line = 1;
  std::size_t counted = 0;
  bool line_is_empty = true;
  for (std::size_t at = 0; at < text_.size();) {
    const char c = text_[at];
    std::size_t end = at + 1;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      line_is_empty = line_is_empty || c == '\n';
    } else if (text_.compare(at, 2, "//") == 0) {
      end = std::min(text_.find('\n', at), text_.size());
    } else if (text_.compare(at, 2, "/*") == 0) {
      const std::size_t close = text_.find("*/", at + 2);
      end = close == std::string::npos ? text_.size() : close + 2;
    } else if (c == '#' && line_is_empty) {
      end = end_of_directive(text_, at);
    } else {
      Token token{.kind = Token::Kind::punctuation, .begin = at, .end = end, .line = 0};
      if (begins_word(c)) {
        token.kind = Token::Kind::identifier;
        while (end < text_.size() && in_word(text_[end])) ++end;
      } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
        token.kind = Token::Kind::number;
        end = end_of_number(text_, end);
      } else if (c == '"' || c == '\'') {
        token.kind = Token::Kind::text;
        end = end_of_literal(text_, at);
      } else {
        for (const std::string_view known : kOperators)
          if (text_.compare(at, known.size(), known) == 0) {
            end = at + known.size();
            break;
          }
      }
      token.end = end;
      line += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted),
                                          text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      counted = at;
      token.line = line;
      tokens_.push_back(token);
      line_is_empty = false;
    }
    at = end;
  }
}

void DeviceSource::match() {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    partners_.push_back(i);
    const std::string_view w = word(i);
    if (w == "(" || w == "[" || w == "{") open.push_back(i);
    if ((w == ")" || w == "]" || w == "}") && !open.empty()) {
      partners_[i] = open.back();
      partners_[open.back()] = i;
      open.pop_back();
    }
  }
}

void DeviceSource::find_functions() {
  for (std::size_t i = 1; i < tokens_.size(); ++i) {
    if (word(i) != "{") continue;
    std::size_t close = i - 1;
    while (close > 0 && (word(close) == "const" || word(close) == "noexcept")) --close;
    if (word(close) != ")" || partner(close) == close || partner(close) == 0) continue;
    DeviceFunction function;
    function.head.last = close;
    function.body = {i, partner(i)};
    read_head(function, partner(close) - 1);
    read_block(function, i);
    i = std::max(i, function.body.last);
    functions_.push_back(std::move(function));
  }
}

void DeviceSource::read_head(DeviceFunction& function, std::size_t name) const {
  if (is_identifier(name)) function.name = word(name);
  std::size_t first = name;
  while (first > 0) {
    const std::string_view before = word(first - 1);
    if (before == ";" || before == "{" || before == "}" || before == ":") break;
    --first;
  }
  function.head.first = first;
  for (std::size_t i = first; i < name; ++i) {
    function.is_kernel = function.is_kernel || word(i) == "__global__";
    if ((word(i) == "class" || word(i) == "typename") && is_identifier(i + 1))
      function.type_names.emplace_back(word(i + 1));
    if (is_identifier(i) && !word(i).starts_with("__")) function.returned = word(i);
  }
  for (const TokenRange part : arguments(name + 1)) {
    Parameter parameter;
    for (std::size_t i = part.first; i <= part.last; ++i) {
      if (!parameter.pointer && word(i) != "*" && word(i) != "const")
        parameter.type += (parameter.type.empty() ? "" : " ") + std::string(word(i));
      parameter.pointer = parameter.pointer || word(i) == "*";
      parameter.read_only = parameter.read_only || (word(i) == "const" && !parameter.pointer);
      if (is_identifier(i)) parameter.name = word(i);
    }
    function.parameters.push_back(std::move(parameter));
  }
}

void DeviceSource::read_block(DeviceFunction& function, std::size_t open) {
  for (std::size_t at = open + 1; at < partner(open);) at = read_statement(function, at, partner(open));
}

std::size_t DeviceSource::read_statement(DeviceFunction& function, std::size_t first, std::size_t end) {
  if (word(first) == "{") {
    read_block(function, first);
    return partner(first) + 1;
  }
  const bool branch = word(first) == "if";
  if (branch || word(first) == "for" || word(first) == "while" || word(first) == "switch") {
    std::size_t open = first + 1;
    while (open < end && word(open) != "(") ++open;
    const std::size_t index = function.statements.size();
    function.statements.push_back({.kind = branch ? Statement::Kind::branch : Statement::Kind::loop,
                                   .all = {first, first},
                                   .head = {open + 1, partner(open) - 1},
                                   .body = {},
                                   .otherwise = {}});
    const std::size_t body = partner(open) + 1;
    std::size_t next = read_statement(function, body, end);
    function.statements[index].body = {body, next - 1};
    if (branch && word(next) == "else") {
      const std::size_t otherwise = next + 1;
      next = read_statement(function, otherwise, end);
      function.statements[index].otherwise = {otherwise, next - 1};
    }
    function.statements[index].all.last = next - 1;
    return next;
  }
  const std::size_t index = function.statements.size();
  function.statements.push_back({.kind = Statement::Kind::simple, .all = {}, .head = {}, .body = {}, .otherwise = {}});
  std::size_t at = first;
  while (at < end && word(at) != ";") {
    // The body of a lambda has statements too.
    if (word(at) == "{" && (word(at - 1) == ")" || word(at - 1) == "]" || word(at - 1) == "mutable"))
      read_block(function, at);
    if (partner(at) > at && word(at) != "(") {
      at = partner(at);
    }
    ++at;
  }
  const std::size_t last = std::min(at, end - 1);
  function.statements[index].all = {first, last};
  return std::max(last, first) + 1;
}

std::vector<std::string> reachable_functions(const std::vector<DeviceSource>& sources, std::vector<std::string> from) {
  std::set<std::string> known(from.begin(), from.end());
  known.insert("");
  from.emplace_back("");
  while (!from.empty()) {
    const std::string name = from.back();
    from.pop_back();
    for (const DeviceSource& source : sources)
      for (const DeviceFunction& function : source.functions()) {
        if (function.name != name) continue;
        for (std::size_t i = function.head.first; i <= function.body.last; ++i)
          if (source.is_identifier(i) && known.insert(std::string(source.word(i))).second)
            from.emplace_back(source.word(i));
      }
  }
  return {known.begin(), known.end()};
}

}  // namespace warpwright::conformance

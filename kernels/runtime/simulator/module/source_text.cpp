// Reads device code at a position that the compiler reports.
#include "kernels/runtime/simulator/module/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace warpwright::simulator {
namespace {

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of the text before `end`, without white space and pairs of brackets.
std::size_t end_of_name(std::string_view text, std::size_t end) {
  for (;;) {
    while (end > 0 && is_space(text[end - 1])) --end;
    if (end == 0 || text[end - 1] != ']') return end;
    int depth = 0;
    do {
      --end;
      depth += text[end] == ']' ? 1 : text[end] == '[' ? -1 : 0;
    } while (depth > 0 && end > 0);
  }
}

std::string without_comments(std::string_view text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const bool is_line = rest.starts_with("//");
    if (!is_line && !rest.starts_with("/*")) {
      code += text[at++];
      continue;
    }
    const std::size_t end = is_line ? text.find('\n', at) : text.find("*/", at + 2);
    if (end == std::string_view::npos) break;
    at = is_line ? end : end + 2;
    if (!is_line) code += ' ';
  }
  return code;
}

/// A parameter from its declaration: its name is the last word, unless that is part of its type.
KernelParameter parameter_of(const std::string& declaration) {
  KernelParameter parameter;
  std::string word;
  std::size_t words = 0;
  const std::string until = declaration.substr(0, declaration.find('='));
  for (std::size_t i = 0; i <= until.size(); ++i) {
    if (i < until.size() && is_of_a_name(until[i])) {
      word += until[i];
      continue;
    }
    if (word == "__restrict__" || word == "__restrict") parameter.is_restrict = true;
    if (!word.empty() && ++words > 1) parameter.name = word;
    word.clear();
  }
  if (parameter.name.starts_with("__restrict")) parameter.name.clear();
  return parameter;
}

/// Adds the names of the declarators behind `at`, up to the end of the declaration.
void add_declared(std::string_view text, std::size_t at, std::set<std::string>& names) {
  std::string last;  // the name before the current position
  bool is_value = false;
  for (int depth = 0; at < text.size();) {
    const char c = text[at];
    if (is_of_a_name(c)) {
      const std::size_t begin = at;
      while (at < text.size() && is_of_a_name(text[at])) ++at;
      if (depth == 0 && !is_value) last = text.substr(begin, at - begin);
      continue;
    }
    const bool ends = depth == 0 && (c == ';' || c == ',' || c == '=' || c == '[' || c == '{' || c == '(');
    if (ends && !is_value && !last.empty()) names.insert(last);
    if (depth == 0 && (c == ';' || c == '}')) return;
    if (depth == 0 && c == '=') is_value = true;
    if (depth == 0 && c == ',') is_value = false;
    // Angle brackets enclose template arguments here: comparisons are inside of other brackets, or of a value.
    if (c == '(' || c == '[' || c == '{' || (c == '<' && !is_value)) ++depth;
    if (c == ')' || c == ']' || c == '}' || (c == '>' && !is_value)) --depth;
    if (depth < 0) return;
    ++at;
  }
}

}  // namespace

std::set<std::string> declared_with(std::string_view word, std::string_view text) {
  std::set<std::string> names;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
    const std::size_t end = at + word.size();
    if ((at > 0 && is_of_a_name(text[at - 1])) || (end < text.size() && is_of_a_name(text[end]))) continue;
    const auto line = text.rfind('\n', at);
    const std::string_view before = text.substr(line == std::string_view::npos ? 0 : line + 1, at - line - 1);
    if (before.starts_with('#') || before.find("//") != std::string_view::npos) continue;
    add_declared(text, end, names);
  }
  return names;
}

std::vector<std::vector<KernelParameter>> parameters_of_kernel(std::string_view name, std::string_view text) {
  const std::string code = without_comments(text);
  std::vector<std::vector<KernelParameter>> all;
  for (auto at = code.find(name); at != std::string::npos; at = code.find(name, at + name.size())) {
    std::size_t open = at + name.size();
    while (open < code.size() && is_space(code[open])) ++open;
    if (open >= code.size() || code[open] != '(' || (at > 0 && is_of_a_name(code[at - 1]))) continue;
    const auto before = code.find_last_of(";{}", at);
    const std::size_t first = before == std::string::npos ? 0 : before;
    const std::string head = code.substr(first, at - first);
    if (head.find("__global__") == std::string::npos) continue;
    std::vector<KernelParameter>& parameters = all.emplace_back();
    int depth = 0;
    for (std::size_t begin = open + 1, i = open; i < code.size(); ++i) {
      const char c = code[i];
      if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
      if (!(depth == 1 && c == ',') && depth != 0) continue;
      if (const std::string one = code.substr(begin, i - begin); one.find_first_not_of(" \t\n\r") != std::string::npos)
        parameters.push_back(parameter_of(one));
      begin = i + 1;
      if (depth == 0) break;
    }
  }
  return all;
}

std::string indexed_name(std::string_view text, int line, int column) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return "";
    ++begin;
  }
  const std::size_t at = begin + static_cast<std::size_t>(column) - 1;
  if (line < 1 || column < 1 || at >= text.size() || (text[at] != '[' && text[at] != ']')) return "";
  const std::size_t end = end_of_name(text, text[at] == ']' ? at + 1 : at);
  std::size_t first = end;
  while (first > 0 && is_of_a_name(text[first - 1])) --first;
  return std::string(text.substr(first, end - first));
}

std::map<std::string, std::string> marked_files(std::string_view text) {
  std::map<std::string, std::vector<std::string>> lines;
  std::vector<std::string>* file = nullptr;
  std::size_t number = 0;  // of the next line of the file
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line(text.substr(begin, end - begin));
    begin = end + 1;
    if (line.starts_with("#line ")) {
      const std::size_t open = line.find('"');
      const std::size_t close = line.rfind('"');
      if (open == close) continue;
      file = &lines[line.substr(open + 1, close - open - 1)];
      number = std::max(std::strtoul(line.c_str() + 6, nullptr, 10), 1UL);
    } else if (file != nullptr) {
      // Lines that were inserted before a `#line` are replaced by those that it numbers.
      file->resize(std::max(file->size(), number));
      file->at(number++ - 1) = line;
    }
  }
  std::map<std::string, std::string> files;
  for (const auto& [name, all] : lines)
    for (const std::string& line : all) files[name] += line + '\n';
  return files;
}

}  // namespace warpwright::simulator

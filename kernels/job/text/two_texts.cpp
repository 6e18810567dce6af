// Marks kernels whose source has branches on the compiler.
#include "kernels/job/text/two_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {
namespace {

/// Macros that one of the compilers defines and the other does not.
constexpr std::array<std::string_view, 13> compilers = {
    "__CUDACC_RTC__",  "__NVCC__",     "__EDG__",      "__clang__", "__NVCOMPILER", "__VERSION__", "__ELF__",
    "__STRICT_ANSI__", "__OPTIMIZE__", "__CHAR_BIT__", "_LP64",     "_GNU_SOURCE",  "__DEPRECATED"};
/// What the names of others begin with: those of g++, and of what it compiles for.
constexpr std::array<std::string_view, 38> of_compilers = {
    "WARPWRIGHT_", "__GNU",      "__GXX_",   "__GCC_",    "__gnu_",  "__linux",   "__unix",   "__x86_64",
    "__amd64",     "__k8",       "__SSE",    "__MMX",     "__AVX",   "__SIZEOF_", "__ORDER_", "__BYTE_",
    "__FLT",       "__DBL_",     "__LDBL_",  "__DEC",     "__INT8",  "__INT16",   "__INT32",  "__INT64",
    "__INT_",      "__INTMAX",   "__INTPTR", "__UINT",    "__LONG_", "__SCHAR",   "__SHRT",   "__WCHAR",
    "__SIZE_",     "__PTRDIFF_", "__SAN",    "__ATOMIC_", "__PIC__", "__has_"};

bool names_compiler(const Directive& line) {
  const std::vector<std::string> words = words_in(line.rest);
  return std::ranges::any_of(words, [](const std::string& word) {
    return is_one_of(word, compilers) ||
           std::ranges::any_of(of_compilers, [&](std::string_view begin) { return word.starts_with(begin); });
  });
}

/// "#ifdef __NVCC__ at a.cu:3", for the first such branch that is more than includes; empty if there is none.
std::string first_branch(const Tokens& tokens) {
  std::vector<std::string> open;  // of each condition around a token: the branch, if it names a compiler
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_directive = tokens[i].kind == TokenKind::directive;
    const Directive line = is_directive ? tokens.directive(i) : Directive{};
    if (line.name.starts_with("if"))
      open.emplace_back();
    else if (line.name == "endif" && !open.empty())
      open.pop_back();
    if ((line.name.starts_with("if") || line.name.starts_with("elif")) && !open.empty() && names_compiler(line))
      open.back() = fmt::format("#{} {} at {}", line.name, line.rest, tokens.place(i));
    if (is_directive && line.name != "define" && line.name != "undef") continue;
    for (const std::string& branch : open)
      if (!branch.empty()) return branch;
  }
  return {};
}

}  // namespace

void mark_two_texts(std::string& text, const std::string& file) {
  const Tokens tokens(text, file);
  std::string branch = first_branch(tokens);
  if (branch.empty()) return;
  std::ranges::replace(branch, '"', '\'');  // it becomes a string literal
  const Items found = items_of(tokens);
  std::vector<std::size_t> bodies;
  for (const Item& item : found.items) {
    if (item.kind != ItemKind::function || !item.is_global || !item.is_definition) continue;
    std::size_t body = closing_bracket(tokens, item.parameters);
    while (body < item.last && !tokens.is(body, "{")) ++body;
    if (body < item.last) bodies.push_back(tokens[body].end);
  }
  for (auto body = bodies.rbegin(); body != bodies.rend(); ++body)
    text.insert(*body, fmt::format(" WARPWRIGHT_TWO_TEXTS(\"{}\")", branch));
}

}  // namespace warpwright::job

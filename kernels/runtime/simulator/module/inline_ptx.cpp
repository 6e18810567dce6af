// Finds inline PTX in device code, and replaces what the simulator models by calls of its model.
#include "kernels/runtime/simulator/module/inline_ptx.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <regex>
#include <string_view>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/simulator/module/debug_info.hpp"

namespace warpwright::simulator {
namespace {

bool is_of_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Reads C++ from a position on. A text that ends too early stops at its end.
class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  bool is_over() const { return at_ >= text_.size(); }
  char next() const { return is_over() ? '\0' : text_[at_]; }

  /// Skips a comment, a literal, or one character.
  void skip_one() {
    if (text_.compare(at_, 2, "//") == 0) return skip_to("\n", 0);
    if (text_.compare(at_, 2, "/*") == 0) return skip_to("*/", 2);
    if (text_.compare(at_, 2, "R\"") == 0 && (at_ == 0 || !is_of_a_word(text_[at_ - 1]))) return skip_raw();
    if (next() == '"' || (next() == '\'' && (at_ == 0 || !is_of_a_word(text_[at_ - 1])))) return skip_literal();
    ++at_;
  }
  /// Skips white space, comments and continuations of lines.
  void skip_space() {
    for (;;) {
      if (std::isspace(static_cast<unsigned char>(next())) != 0 || text_.compare(at_, 2, "\\\n") == 0)
        ++at_;
      else if (text_.compare(at_, 2, "//") == 0 || text_.compare(at_, 2, "/*") == 0)
        skip_one();
      else
        return;
    }
  }
  bool take(std::string_view what) {
    skip_space();
    if (text_.compare(at_, what.size(), what) != 0) return false;
    at_ += what.size();
    return true;
  }
  std::string take_word() {
    skip_space();
    const std::size_t begin = at_;
    while (is_of_a_word(next())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  /// The characters of neighbouring string literals; empty if something else comes.
  std::string take_strings() {
    std::string all;
    for (skip_space(); next() == '"'; skip_space()) {
      for (++at_; !is_over() && next() != '"'; ++at_) {
        if (next() != '\\') {
          all += next();
          continue;
        }
        ++at_;
        if (next() == 'n' || next() == 't')
          all += ' ';
        else if (next() != '\n')
          all += next();
      }
      ++at_;
    }
    return all;
  }
  /// An expression in brackets, without them, on one line.
  std::optional<std::string> take_in_brackets() {
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

 private:
  void skip_to(std::string_view end, std::size_t beyond) {
    const auto found = text_.find(end, at_ + 2);
    at_ = found == std::string_view::npos ? text_.size() : found + beyond;
  }
  void skip_raw() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return void(at_ = text_.size());
    const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    skip_to(end, end.size());
  }
  void skip_literal() {
    const char quote = next();
    for (++at_; !is_over() && next() != quote && next() != '\n'; ++at_)
      if (next() == '\\') ++at_;
    ++at_;
  }

  std::string_view text_;
  std::size_t at_;
};

struct Operand {
  std::string name, constraint, expression;
};

/// asm volatile("text" : operands : operands : clobbers)
struct Statement {
  std::string text;  ///< one space between words
  std::vector<Operand> operands;

  /// The expression of "%3" or "%[name]"; empty if there is none.
  std::string expression(std::string reference) const {
    if (reference.empty() || reference[0] != '%') return {};
    reference.erase(0, 1);
    if (reference[0] == '[') {
      for (const Operand& operand : operands)
        if ("[" + operand.name + "]" == reference) return operand.expression;
      return {};
    }
    const std::size_t number = std::strtoul(reference.c_str(), nullptr, 10);
    return number < operands.size() ? operands[number].expression : "";
  }
  /// The same, or the number itself.
  std::string value(const std::string& reference) const {
    return reference[0] == '%' ? expression(reference) : reference;
  }
  /// Those in "{%0, %1}" or "%0"; empty if one of them is something else.
  std::vector<std::string> registers(const std::string& list) const {
    std::vector<std::string> all;
    static const std::regex reference(R"(%(\d+|\[\w+\])|[^\s{},]+)");
    for (std::sregex_iterator at(list.begin(), list.end(), reference), end; at != end; ++at) {
      all.push_back(expression(at->str()));
      if (all.back().empty()) return {};
    }
    return all;
  }
};

std::string in_one_line(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == ';')) result.pop_back();
  return result;
}

/// Reads what follows the word `asm`; empty if it is no statement with operands.
std::optional<Statement> statement_at(Reader& from) {
  while (from.take("volatile") || from.take("__volatile__")) {
  }
  if (!from.take("(")) return std::nullopt;
  Statement statement{.text = in_one_line(from.take_strings()), .operands = {}};
  if (statement.text.empty()) return std::nullopt;
  for (int part = 0; from.take(":"); ++part) {
    for (from.skip_space(); from.next() == '"' || from.next() == '['; from.skip_space()) {
      Operand operand;
      if (from.take("[")) {
        operand.name = from.take_word();
        if (!from.take("]")) return std::nullopt;
      }
      operand.constraint = from.take_strings();
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

/// Texts of PTX: a list of registers, or one of them.
constexpr const char* kList = R"(\s*(\{[^{}]*\}|%\d+|%\[\w+\])\s*)";

std::string type_of(const std::string& ptx) {
  if (ptx == "f16") return "::warpwright::float16";
  if (ptx == "bf16") return "::warpwright::bfloat16";
  if (ptx == "tf32") return "::warpwright::tfloat32";
  if (ptx == "f32") return "float";
  if (ptx == "f64") return "double";
  if (ptx == "s8") return "signed char";
  return ptx == "u8" ? "unsigned char" : "int";
}

/// A statement that may stand wherever `asm` may.
std::string block(const std::string& body) {
  return "do { " + body + " } while (0)";
}

/// Whether there is such a product.
bool exists(int m, int n, int k, const std::string& a, const std::string& b, const std::string& sum) {
  if (n != 8 || (m != 8 && m != 16)) return false;
  if (sum == "s32") return a[1] == '8' && b[1] == '8' && (k == 16 || (m == 16 && k == 32));
  if (a != b) return false;
  if (a == "f64") return sum == "f64" && (k == 4 || (m == 16 && (k == 8 || k == 16)));
  if (m != 16 || (sum != "f32" && (sum != "f16" || a != "f16"))) return false;
  return a == "tf32" ? k == 4 || k == 8 : (a == "f16" || a == "bf16") && (k == 8 || k == 16);
}

/// Registers of a lane for that many elements of a warp.
std::size_t registers_for(int elements, const std::string& type) {
  const int bits = std::atoi(type.c_str() + type.find_first_of("0123456789"));
  return static_cast<std::size_t>(elements / 32 * (type == "tf32" ? 32 : bits) / (type == "f64" ? 64 : 32));
}

std::optional<std::string> product(const Statement& statement) {
  static const std::regex form(std::string(R"(mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.row\.col\.)"
                                           R"((f16|f32|f64|s32)\.(f16|bf16|tf32|f64|s8|u8)\.)"
                                           R"((f16|bf16|tf32|f64|s8|u8)\.(f16|f32|f64|s32))") +
                               kList + "," + kList + "," + kList + "," + kList);
  std::smatch is;
  if (!std::regex_match(statement.text, is, form) || is[4] != is[7]) return std::nullopt;
  const auto to = statement.registers(is[8]), a = statement.registers(is[9]), b = statement.registers(is[10]),
             from = statement.registers(is[11]);
  const int m = std::stoi(is[1]), n = std::stoi(is[2]), k = std::stoi(is[3]);
  if (!exists(m, n, k, is[5], is[6], is[4]) || to.size() != registers_for(m * n, is[4]) || from.size() != to.size() ||
      a.size() != registers_for(m * k, is[5]) || b.size() != registers_for(n * k, is[6]))
    return std::nullopt;
  std::string put;
  for (std::size_t i = 0; i < to.size(); ++i) put += fmt::format(" ({}) = warpwright_d.of[{}];", to[i], i);
  const std::string sum = type_of(is[4]);
  return block(
      fmt::format("::warpwright::simulator::fragment<{5}, {8}> warpwright_d(({9})); "
                  "const ::warpwright::simulator::fragment<{3}, {6}> warpwright_a(({10})); "
                  "const ::warpwright::simulator::fragment<{4}, {7}> warpwright_b(({11})); "
                  "::warpwright::multiply_add<{0}, {1}, {2}, {3}, {4}, {5}>(warpwright_d.of, warpwright_a.of, "
                  "warpwright_b.of);{12}",
                  m, n, k, type_of(is[5]), type_of(is[6]), sum, a.size(), b.size(), to.size(), fmt::join(from, "), ("),
                  fmt::join(a, "), ("), fmt::join(b, "), ("), put));
}

std::optional<std::string> load(const Statement& statement) {
  static const std::regex form(
      std::string(R"(ldmatrix\.sync\.aligned\.(?:m8n8\.x([124])|x([124])\.m8n8)(\.trans)?\.shared(?:::cta)?\.b16)") +
      kList + R"(,\s*\[\s*(%\d+|%\[\w+\])\s*(?:\+\s*(\d+|%\d+)\s*)?\])");
  std::smatch is;
  if (!std::regex_match(statement.text, is, form)) return std::nullopt;
  const auto to = statement.registers(is[4]);
  const std::string from = statement.expression(is[5]);
  const std::string count = is[1].matched ? is[1] : is[2];
  if (from.empty() || std::to_string(to.size()) != count) return std::nullopt;
  std::string put;
  for (std::size_t i = 0; i < to.size(); ++i) put += fmt::format(" ({}) = warpwright_d[{}];", to[i], i);
  const std::string offset = is[6].matched ? statement.value(is[6]) : "0";
  return block(
      fmt::format("unsigned warpwright_d[{}]; ::warpwright::load_matrices{}(warpwright_d, "
                  "::warpwright::simulator::in_shared_memory(({}) + ({})));{}",
                  count, is[3].matched ? "_transposed" : "", from, offset, put));
}

std::optional<std::string> copy(const Statement& statement) {
  static const std::regex form(
      R"(cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::\d+B)? \[\s*(%\d+)\s*\],\s*\[\s*(%\d+)\s*\],\s*(\d+|%\d+))");
  static const std::regex wait(R"(cp\.async\.wait_group\s+(\d+|%\d+))");
  std::smatch is;
  if (statement.text == "cp.async.commit_group") return block("::warpwright::async_commit();");
  if (statement.text == "cp.async.wait_all")
    return block("::warpwright::async_commit(); ::warpwright::async_wait<0>();");
  if (std::regex_match(statement.text, is, wait))
    return block(fmt::format("::warpwright::async_wait<({})>();", statement.value(is[1])));
  if (!std::regex_match(statement.text, is, form)) return std::nullopt;
  const std::string to = statement.expression(is[1]), from = statement.expression(is[2]),
                    bytes = statement.value(is[3]);
  if (to.empty() || from.empty() || bytes.empty()) return std::nullopt;
  return block(
      fmt::format("::warpwright::async_copy<({})>(::warpwright::simulator::in_shared_memory({}), (const void*)({}));",
                  bytes, to, from));
}

std::optional<std::string> other(const Statement& statement) {
  static const std::regex rounding(R"(cvt\.rna\.tf32\.f32 (%\d+),\s*(%\d+))");
  static const std::regex address(
      R"(\{ ?\.reg \.u64 (\w+); ?cvta\.to\.shared\.u64 \1, ?(%\d+); ?cvt\.u32\.u64 (%\d+), ?\1; ?\})");
  std::smatch is;
  if (std::regex_match(statement.text, is, rounding))
    return block(
        fmt::format("({}) = ::warpwright::to_tfloat32({});", statement.expression(is[1]), statement.expression(is[2])));
  if (std::regex_match(statement.text, is, address))
    return block(fmt::format("({}) = static_cast<unsigned>(__cvta_generic_to_shared((const void*)({})));",
                             statement.expression(is[3]), statement.expression(is[2])));
  return std::nullopt;
}

/// The ends of lines in a part of the text, with their continuations.
std::string line_ends(std::string_view text) {
  std::string ends;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') ends += i > 0 && text[i - 1] == '\\' ? "\\\n" : "\n";
  return ends;
}

}  // namespace

std::string with_modelled_ptx(const std::string& text) {
  std::string result;
  std::size_t kept = 0;  // so much of the text is in the result
  for (Reader at(text, 0); !at.is_over();) {
    const std::size_t begin = at.at();
    if (!is_of_a_word(at.next()) || text.compare(begin, 2, "R\"") == 0) {
      at.skip_one();
      continue;
    }
    const std::string word = at.take_word();
    if (word != "asm" && word != "__asm__" && word != "__asm") continue;
    Reader behind = at;
    const auto statement = statement_at(behind);
    if (!statement) continue;
    std::optional<std::string> call;
    for (const auto model : {product, load, copy, other})
      if (!call) call = model(*statement);
    if (!call) continue;
    const std::string_view whole = std::string_view(text).substr(begin, behind.at() - begin);
    result += text.substr(kept, begin - kept) + *call + line_ends(whole);
    kept = behind.at();
    at = behind;
  }
  return result + text.substr(kept);
}

std::string original_path(const std::string& file, const std::string& text) {
  const bool is_changed = !file.starts_with("kernels/runtime/") && text.find("asm") != std::string::npos;
  return is_changed ? "original/" + file : file;
}

std::string source_texts(const std::map<std::string, std::string>& sources, const std::set<std::string>& files) {
  std::string text = fmt::format("__asm__(R\"(.pushsection {},\"\",@progbits\n", source_section);
  for (const std::string& file : files) {
    if (is_cpu_model(file)) continue;
    const auto source = sources.find(file);
    const std::string path = original_path(file, source == sources.end() ? "" : source->second);
    text += fmt::format(".asciz \"{}\"\n.incbin \"{}\"\n.byte 0\n", file, path);
  }
  return text + ".popsection)\");\n";
}

}  // namespace warpwright::simulator

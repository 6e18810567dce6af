// Finds out how a kernel uses the memory behind its pointers.
#include "kernels/job/text/uses.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

#include "kernels/job/text/signatures.hpp"

namespace warpwright::job {
namespace {

constexpr std::array<std::string_view, 8> compound_signs = {"+", "-", "*", "/", "%", "&", "|", "^"};
/// CUDA's functions that only store to their first argument, and those that only load from it.
constexpr std::array<std::string_view, 6> stores = {"__stwb", "__stcg", "__stcs", "__stwt", "memset", "memcpy"};
constexpr std::array<std::string_view, 6> loads = {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"};
/// Functions that return their pointer argument.
constexpr std::array<std::string_view, 2> passes_on = {"__builtin_assume_aligned", "assume_aligned"};
/// Words after which '*' and '&' are unary operators.
constexpr std::array<std::string_view, 5> before_values = {"return", "else", "do", "case", "throw"};
/// Words whose brackets do not contain the arguments of a function.
constexpr std::array<std::string_view, 8> conditions = {"if",     "while",    "for",           "switch",
                                                        "sizeof", "decltype", "static_assert", "assert"};

/// The tokens [first, last) of an expression: a pointer to the memory, or an element of it.
struct Stretch {
  std::size_t first = 0, last = 0;
  bool is_element = false;
};

/// What was already followed: the beginning of a function's body, a name in it, and whether the name is an element.
using Followed = std::set<std::tuple<std::size_t, std::string, bool>>;

/// Follows names in one function's body that are pointers to the memory, or elements of it.
class Reader {
 public:
  Reader(const Tokens& tokens, const Items& found, const Item& function, Followed& followed)
      : tokens_(tokens), found_(found), last_(function.last), followed_(followed) {
    first_ = closing_bracket(tokens, function.parameters) + 1;
  }

  PointerUse use(const std::string& name, bool is_element) {
    if (!followed_.insert({first_, name, is_element}).second) return {};
    PointerUse use;
    for (std::size_t i = first_; i < last_; ++i)
      if (is(i, name) && !is(i - 1, ".") && !is(i - 1, "->") && !is(i - 1, "::") && !is_declared_at(i))
        settle(use, {.first = i, .last = i + 1, .is_element = is_element});
    for (const auto& [macro, definition] : found_.macros)
      for (const std::string& body : definition.bodies)
        if (const auto words = words_in(body); std::ranges::find(words, name) != words.end())
          use_macro(use, macro, definition.takes_arguments, body, name);
    return use;
  }

 private:
  /// Whether the tokens from `first` on are `name[...]`, perhaps in brackets.
  static bool stands_for_element(const Tokens& tokens, std::size_t first, std::string_view name) {
    std::size_t last = tokens.size();
    for (; first < last && tokens.is(first, "(") && closing_bracket(tokens, first) + 1 == last; --last) ++first;
    return tokens.is(first, name) && tokens.is(first + 1, "[") && closing_bracket(tokens, first + 1) + 1 == last;
  }

  /// Whether the macro stands for an element of its first argument: #define GET(a, i) a[i]
  bool is_index_macro(const std::string& name) const {
    const auto macro = found_.macros.find(name);
    if (macro == found_.macros.end() || !macro->second.takes_arguments) return false;
    const Tokens body(macro->second.bodies.front(), "");
    return stands_for_element(body, closing_bracket(body, 0) + 1, body.view(1));
  }

  /// For a macro with the name in its text: #define OUT(x, y) out[(y) * width + (x)]
  void use_macro(PointerUse& use, const std::string& macro, bool takes_arguments, const std::string& text,
                 const std::string& name) {
    const Tokens body(text, "");
    const std::size_t begin = takes_arguments ? closing_bracket(body, 0) + 1 : 0;
    for (std::size_t i = 0; i < begin; ++i)
      if (body.is(i, name)) return;  // its own parameter
    const bool is_element = stands_for_element(body, begin, name);
    for (std::size_t i = first_; i < last_; ++i) {
      if (!is(i, macro) || tokens_[i].kind == TokenKind::directive) continue;
      const std::size_t last = takes_arguments && is(i + 1, "(") ? closing_bracket(tokens_, i + 1) + 1 : i + 1;
      if (is_element)
        settle(use, {.first = i, .last = last, .is_element = true});
      else
        use.escapes = true;
    }
  }

  bool is(std::size_t at, std::string_view text) const { return tokens_.is(at, text); }
  bool is_twice(std::size_t at, std::string_view sign) const {
    return is(at, sign) && is(at + 1, sign) && tokens_[at].end == tokens_[at + 1].begin;
  }
  bool steps(std::size_t at) const { return is_twice(at, "+") || is_twice(at, "-"); }
  bool assigns(std::size_t at) const { return is(at, "=") && !is(at + 1, "="); }
  bool changes(std::size_t at) const {
    const bool is_shift = (is_twice(at, "<") || is_twice(at, ">")) && assigns(at + 2);
    return is_shift || (is_one_of(tokens_.view(at), compound_signs) && assigns(at + 1));
  }
  /// Whether the '=' here assigns to the expression before it.
  bool is_assignment(std::size_t at) const {
    constexpr std::array<std::string_view, 4> comparing = {"=", "!", "<", ">"};
    return assigns(at) && !is_one_of(tokens_.view(at - 1), comparing) &&
           !is_one_of(tokens_.view(at - 1), compound_signs);
  }

  std::size_t opening_bracket(std::size_t close) const {
    int depth = 0;
    for (std::size_t i = close; i > first_; --i) {
      depth += closes_bracket(tokens_.view(i)) ? 1 : opens_bracket(tokens_.view(i)) ? -1 : 0;
      if (depth == 0) return i;
    }
    return first_;
  }

  /// The first token after `at`, outside of brackets, that is one of these or closes a surrounding bracket.
  template <std::size_t N>
  std::size_t next_of(std::size_t at, const std::array<std::string_view, N>& ends) const {
    while (at < last_ && !closes_bracket(tokens_.view(at)) && !is_one_of(tokens_.view(at), ends))
      at = opens_bracket(tokens_.view(at)) ? closing_bracket(tokens_, at) + 1 : at + 1;
    return at;
  }
  /// The position after the last token before `at`, outside of brackets, that is one of these or opens a surrounding
  /// bracket.
  template <std::size_t N>
  std::size_t behind_last_of(std::size_t at, const std::array<std::string_view, N>& ends) const {
    while (at > first_ && !opens_bracket(tokens_.view(at - 1)) && !is_one_of(tokens_.view(at - 1), ends))
      at = closes_bracket(tokens_.view(at - 1)) ? opening_bracket(at - 1) : at - 1;
    return at;
  }
  static constexpr std::array<std::string_view, 4> statement_ends = {";", "}", "else", "do"};
  static constexpr std::array<std::string_view, 11> sum_ends = {",", ";", "?", ":", "=",     "<",
                                                                ">", "!", "&", "|", "return"};
  static constexpr std::array<std::string_view, 4> choice_ends = {",", ";", "=", "return"};

  /// Whether a name is declared here: `float* row`, `const auto& r`, the second one in `float *a = x, *b = y`.
  bool is_declared_at(std::size_t at) const {
    const std::size_t begin = behind_last_of(at, statement_ends);
    if (is(begin - 1, "(") && !is(begin - 2, "for") && !is(begin - 2, "if") && !is(begin - 2, "while")) return false;
    std::size_t words = 0;
    std::size_t i = begin;
    for (int angles = 0;
         i < at + 1 && (tokens_.is_word(i) || is(i, "::") || is(i, "*") || is(i, "&") || is(i, "<") || is(i, ">") ||
                        is(i, "[") || angles > 0 || tokens_[i].kind == TokenKind::directive);
         ++i) {
      angles += is(i, "<") ? 1 : is(i, ">") ? -1 : 0;
      if (is_one_of(tokens_.view(i), before_values) || is(i, "[")) return false;
      if (angles == 0 && tokens_.is_word(i) && !is(i + 1, "::")) ++words;
    }
    if (words < 2) return false;
    if (i > at) return true;
    // A further declarator in a statement: only stars between the comma and the name.
    std::size_t before = at - 1;
    while (is(before, "*") || is(before, "&") || is(before, "const") || is(before, "__restrict__")) --before;
    return is(before, ",");
  }

  /// Whether a value ends here, so that a '&' after it is a binary operator.
  bool ends_value(std::size_t at) const {
    if (is(at, ")")) return !is_cast(at);
    return (tokens_.is_word(at) && !is_one_of(tokens_.view(at), before_values)) || is(at, "]") ||
           tokens_[at].kind == TokenKind::number;
  }
  /// Whether the bracket that closes here is that of a cast: `(float4*)`.
  bool is_cast(std::size_t close) const { return is(close, ")") && is(close - 1, "*"); }

  /// Extends an expression outwards until its use is clear.
  void settle(PointerUse& use, Stretch at) {
    while (widen(use, at)) {
    }
  }

  /// Extends it by one step; false if its use is known.
  bool widen(PointerUse& use, Stretch& at) {
    const std::size_t behind = at.last;
    const std::size_t before = at.first - 1;
    if (is(behind, "[")) {
      at.last = closing_bracket(tokens_, behind) + 1;
      return at.is_element = true;
    }
    if (is(behind, ".") || is(behind, "->")) {
      at.last = behind + 2;
      at.is_element = at.is_element || is(behind, "->");
      if (is(at.last, "(")) use.escapes = true;
      return !is(at.last, "(");
    }
    if (steps(behind) || (before > 0 && steps(before - 1))) {
      if (at.is_element) use.reads = use.writes = true;
      if (at.is_element) return false;
      (steps(behind) ? at.last : at.first) = steps(behind) ? behind + 2 : before - 1;
      return true;
    }
    if (!at.is_element && is(before, "*")) {
      at.first = before;
      return at.is_element = true;
    }
    if (at.is_element && is(before, "&") && !is(before - 1, "&") && !ends_value(before - 1)) {
      at.first = before;
      at.is_element = false;
      return true;
    }
    if (!at.is_element && is_cast(before)) {
      at.first = opening_bracket(before);
      return true;
    }
    if (!at.is_element && (is(behind, "+") || is(behind, "-")) && !is(behind + 1, "=")) {
      at.last = next_of(behind, sum_ends);
      return true;
    }
    if (!at.is_element && (is(before, "+") || is(before, "-"))) {
      at.first = behind_last_of(before, sum_ends);
      return true;
    }
    if (is_chosen(at)) return true;
    if (is(before, "(") && is(behind, ")")) return leave_brackets(use, at);
    if (is(before, ",") || is(before, "(") || is(before, "{"))
      if (is(behind, ",") || is(behind, ")") || is(behind, "}")) return pass(use, at);
    return assign(use, at);
  }

  /// In `c ? p : q`, both operands are followed.
  bool is_chosen(Stretch& at) const {
    const bool is_first = is(at.first - 1, "?");
    if (!is_first && !is(at.first - 1, ":")) return false;
    constexpr std::array<std::string_view, 3> marks = {"?", ";", "}"};
    const std::size_t mark = is_first ? at.first - 1 : behind_last_of(at.first - 1, marks) - 1;
    if (!is(mark, "?")) return false;
    if (is_first) at.last = next_of(at.last, choice_ends);
    at.first = behind_last_of(mark, choice_ends);
    while (is(at.first - 1, "=") && !is_assignment(at.first - 1)) at.first = behind_last_of(at.first - 1, choice_ends);
    return true;
  }

  /// The word before this bracket: the name of a function, perhaps with template arguments. 0 if there is none.
  std::size_t function_before(std::size_t open) const {
    std::size_t at = open - 1;
    if (is(at, ">")) {
      int angles = 0;
      do {
        angles += is(at, ">") ? 1 : is(at, "<") ? -1 : 0;
        --at;
      } while (angles > 0 && at > first_);
    }
    return tokens_.is_word(at) && !is_one_of(tokens_.view(at), before_values) ? at : 0;
  }

  bool leave_brackets(PointerUse& use, Stretch& at) {
    const std::size_t open = at.first - 1;
    const std::size_t function = function_before(open);
    const std::string_view name = tokens_.view(function);
    // A macro whose result is stored to, or indexed, stands for its argument: FLOAT4(out[i]) = value.
    const bool is_stored_to = at.is_element && (assigns(at.last + 1) || changes(at.last + 1) || is(at.last + 1, "."));
    const bool gives_it = name.ends_with("_cast") || is_one_of(name, passes_on) || is_stored_to ||
                          (found_.macros.contains(std::string(name)) && is(at.last + 1, "["));
    if (function != 0 && !gives_it) return pass(use, at);
    // An operand of inline PTX.
    if (tokens_[open - 1].kind == TokenKind::literal) {
      use.escapes = true;
      return false;
    }
    at.first = function == 0 ? open : function;
    ++at.last;
    return true;
  }

  /// For an argument of a function, an element of a list, or an operand of a condition.
  bool pass(PointerUse& use, Stretch& at) {
    constexpr std::array<std::string_view, 1> none = {";"};
    const std::size_t open = behind_last_of(at.first, none) - 1;
    const std::size_t function = is(open, "(") ? function_before(open) : 0;
    const std::string_view name = tokens_.view(function);
    std::size_t number = 0;
    for (std::size_t i = open + 1; i < at.first; i = next_of(i, std::array<std::string_view, 1>{","}) + 1) ++number;
    if (function != 0 && is_one_of(name, passes_on) && number == 0) {
      at = {.first = function, .last = closing_bracket(tokens_, open) + 1, .is_element = at.is_element};
      return true;
    }
    if (!at.is_element && number == 0 && is_index_macro(std::string(name))) {
      at = {.first = function, .last = closing_bracket(tokens_, open) + 1, .is_element = true};
      return true;
    }
    if (function == 0) {
      // An element of a list; or an iteration of a loop, which only moves a pointer.
      if (at.is_element) use.reads = true;
      if (!at.is_element && !is(open, ";")) use.escapes = true;
    } else if (at.is_element && name == "swap") {
      use.reads = use.writes = true;
    } else if (is_one_of(name, conditions)) {
      use.reads = use.reads || (at.is_element && name != "sizeof" && name != "decltype");
    } else if (!at.is_element && (is_one_of(name, loads) || (name == "memcpy" && number == 1))) {
      use.reads = true;
    } else if (!at.is_element && number == 0 && is_one_of(name, stores)) {
      use.writes = true;
    } else if (!at.is_element && number == 0 && name.starts_with("atomic")) {
      use.reads = use.writes = true;
    } else if (!enter(use, std::string(name), number, at.is_element)) {
      (at.is_element ? use.reads : use.escapes) = true;
    }
    return false;
  }

  static void add(PointerUse& use, const PointerUse& more) {
    use.reads = use.reads || more.reads;
    use.writes = use.writes || more.writes;
    use.escapes = use.escapes || more.escapes;
  }

  /// Applies what functions of that name in this source do with such an argument; false if there are none.
  bool enter(PointerUse& use, const std::string& name, std::size_t number, bool is_element) {
    bool any = false;
    for (const Item& item : found_.items) {
      if (item.kind != ItemKind::function || !item.is_definition || item.names.front() != name) continue;
      const GlobalFunction function = signature_of(tokens_, item);
      if (number >= function.parameters.size()) continue;
      const Parameter& parameter = function.parameters[number];
      const bool is_reference = parameter.type.ends_with("&");
      if (is_element ? parameter.is_pointer : !parameter.is_pointer) continue;
      any = true;
      if (is_element && !is_reference)
        use.reads = true;
      else
        add(use, Reader(tokens_, found_, item, followed_).use(parameter.name, is_element));
    }
    return any;
  }

  /// For the operands of '=', and for all other uses.
  bool assign(PointerUse& use, const Stretch& at) {
    const std::size_t before = at.first - 1;
    const bool is_value = is_assignment(before);
    const std::string name = is_value && tokens_.is_word(before - 1) ? std::string(tokens_.view(before - 1)) : "";
    const bool is_member = is(before - 2, ".") || is(before - 2, "->");
    if (at.is_element) {
      if (assigns(at.last)) {
        use.writes = true;
      } else if (changes(at.last)) {
        use.reads = use.writes = true;
      } else if (!name.empty() && is(before - 2, "&") && is_declared_at(before - 1)) {
        add(use, this->use(name, true));
      } else {
        use.reads = true;
      }
      return false;
    }
    if (is_value && !name.empty() && !is_member) {
      add(use, this->use(name, false));
    } else if (is_value || is(before, "return")) {
      use.escapes = true;
    }
    return false;
  }

  const Tokens& tokens_;
  const Items& found_;
  std::size_t first_ = 0, last_ = 0;
  Followed& followed_;
};

}  // namespace

PointerUse use_of(const Tokens& tokens, const Items& found, const Item& function, const std::string& parameter) {
  Followed followed;
  return Reader(tokens, found, function, followed).use(parameter, false);
}

}  // namespace warpwright::job

// What a kernel does with the memory that it is given.
#include "kernels/job/text/uses.hpp"

#include <array>
#include <set>
#include <string_view>
#include <vector>

namespace warpwright::job {
namespace {

constexpr std::array<std::string_view, 8> compound_signs = {"+", "-", "*", "/", "%", "&", "|", "^"};
/// Functions of CUDA's that store to their first argument.
constexpr std::array<std::string_view, 5> stores = {"__stcs", "__stcg", "__stwb", "__stwt", "__stwb"};
constexpr std::array<std::string_view, 5> loads = {"__ldg", "__ldcs", "__ldcg", "__ldca", "__ldlu"};

class Reader {
 public:
  Reader(const Tokens& tokens, const Item& function) : tokens_(tokens), last_(function.last) {
    first_ = closing_bracket(tokens, function.parameters) + 1;
  }

  PointerUse use(const std::string& name) {
    known_.insert(name);
    PointerUse use;
    for (std::size_t i = first_; i < last_; ++i) {
      if (!tokens_.is(i, name) || tokens_.is(i - 1, ".") || tokens_.is(i - 1, "->")) continue;
      add(use, i);
    }
    return use;
  }

 private:
  bool assigns(std::size_t at) const { return tokens_.is(at, "=") && !tokens_.is(at + 1, "="); }
  bool changes(std::size_t at) const {
    const bool is_step =
        (tokens_.is(at, "+") && tokens_.is(at + 1, "+")) || (tokens_.is(at, "-") && tokens_.is(at + 1, "-"));
    return is_step || (is_one_of(tokens_.view(at), compound_signs) && assigns(at + 1));
  }

  /// What stands behind an element decides: `= value`, `.x = value`, `+= value`, or nothing of these.
  void add_element(PointerUse& use, std::size_t behind) const {
    while (tokens_.is(behind, ".") || tokens_.is(behind, "["))
      behind = tokens_.is(behind, ".") ? behind + 2 : closing_bracket(tokens_, behind) + 1;
    if (assigns(behind)) {
      use.writes = true;
    } else if (changes(behind)) {
      use.reads = use.writes = true;
    } else {
      use.reads = true;
    }
  }

  void add(PointerUse& use, std::size_t at) {
    const std::size_t behind = at + 1;
    if (tokens_.is(behind, "[")) {
      const std::size_t end = closing_bracket(tokens_, behind) + 1;
      const bool is_address = tokens_.is(at - 1, "&") && !tokens_.is(at - 2, "&") && !tokens_.is_word(at - 2) &&
                              !closes_bracket(tokens_.view(at - 2));
      if (is_address) return follow(use, at);
      const bool is_stepped =
          (tokens_.is(at - 1, "+") && tokens_.is(at - 2, "+")) || (tokens_.is(at - 1, "-") && tokens_.is(at - 2, "-"));
      if (is_stepped) use.writes = true;
      return add_element(use, end);
    }
    // The pointer itself is moved.
    if (assigns(behind) || changes(behind)) return;
    const bool is_dereferenced = tokens_.is(at - 1, "*") && !tokens_.is_word(at - 2) &&
                                 tokens_[at - 2].kind != TokenKind::number && !closes_bracket(tokens_.view(at - 2));
    if (is_dereferenced) return add_element(use, behind);
    // *(p + i)
    if (tokens_.is(at - 1, "(") && tokens_.is(at - 2, "*"))
      return add_element(use, closing_bracket(tokens_, at - 1) + 1);
    follow(use, at);
  }

  /// The pointer that is made of it, `float* row = p + i`, or the function that takes it.
  void follow(PointerUse& use, std::size_t at) {
    int depth = 0;
    for (std::size_t i = at; i-- > first_;) {
      const std::string_view text = tokens_.view(i);
      if (text == ";" || text == "{" || text == "}") break;
      depth += closes_bracket(text) ? 1 : opens_bracket(text) ? -1 : 0;
      if (depth < 0 && text == "(" && tokens_.is_word(i - 1)) {
        const std::string_view function = tokens_.view(i - 1);
        if (is_one_of(function, stores) || is_one_of(function, loads)) {
          (is_one_of(function, stores) ? use.writes : use.reads) = true;
          return;
        }
        if (function.starts_with("atomic")) {
          use.reads = use.writes = true;
          return;
        }
      }
      if (text != "=" || !tokens_.is_word(i - 1)) continue;
      const bool is_pointer = tokens_.is(i - 2, "*") || tokens_.is(i - 2, "auto") || tokens_.is(i - 2, "__restrict__");
      if (!is_pointer) break;
      const std::string made(tokens_.view(i - 1));
      if (known_.contains(made)) return;
      const PointerUse of_made = this->use(made);
      use.reads = use.reads || of_made.reads;
      use.writes = use.writes || of_made.writes;
      use.escapes = use.escapes || of_made.escapes;
      return;
    }
    use.escapes = true;
  }

  const Tokens& tokens_;
  std::size_t first_ = 0, last_ = 0;
  std::set<std::string> known_;
};

}  // namespace

PointerUse use_of(const Tokens& tokens, const Item& function, const std::string& parameter) {
  return Reader(tokens, function).use(parameter);
}

}  // namespace warpwright::job

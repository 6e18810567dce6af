// Finds the declarations at namespace scope in a CUDA C++ source, in enough detail to tell device code from host code.
#include "kernels/job/text/items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "kernels/job/text/conditions.hpp"

namespace warpwright::job {
namespace {

constexpr std::array<std::string_view, 5> type_keywords = {"struct", "class", "union", "enum", "typedef"};
/// Words with brackets that do not contain a function's parameters.
constexpr std::array<std::string_view, 14> attributes = {
    "alignas",           "__align__",   "__attribute__",    "__declspec",     "decltype", "noexcept",      "asm",
    "__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__block_size__", "requires", "static_assert", "explicit"};
constexpr std::array<std::string_view, 24> no_names = {
    "const",      "static",   "inline",       "constexpr",  "extern",       "volatile",    "unsigned",     "signed",
    "int",        "float",    "double",       "char",       "short",        "long",        "bool",         "void",
    "__device__", "__host__", "__constant__", "__shared__", "__restrict__", "__managed__", "thread_local", "auto"};

class Reader {
 public:
  explicit Reader(const Tokens& tokens) : tokens_(tokens) {}

  Items read() {
    read_macros();
    for (std::size_t at = 0; at < tokens_.size();) at = read_at(at);
    if (!scopes_.empty()) refuse(scopes_.back().token, "a bracket opens here and does not close");
    return std::move(found_);
  }

 private:
  struct Scope {
    std::size_t token;
    std::string name;  ///< empty for extern "C" and for unnamed namespaces
  };

  [[noreturn]] void refuse(std::size_t token, std::string_view why) const {
    throw std::runtime_error(fmt::format("{}: {}", tokens_.place(token), why));
  }

  bool is_directive(std::size_t at) const { return tokens_[at].kind == TokenKind::directive; }
  bool is_passed(std::size_t at) const { return at < tokens_.size() && (found_.dead[at] || is_directive(at)); }
  std::size_t next(std::size_t at) const {
    do {
      ++at;
    } while (is_passed(at));
    return at;
  }

  void read_macros() {
    found_.dead.resize(tokens_.size(), false);
    found_.passed_by.resize(tokens_.size(), false);
    Branches branches;
    std::set<std::string> compiled;  // macros with a definition that is compiled
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool is_passed_by = branches.is_passed_by();
      found_.dead[i] = branches.is_dead();
      found_.passed_by[i] = is_passed_by;
      if (!is_directive(i)) continue;
      const Directive line = tokens_.directive(i);
      branches.read(line);
      if (line.name != "define" || found_.dead[i]) continue;
      const Definition made = definition_of(line);
      Macro& macro = found_.macros[made.name];
      macro.takes_arguments = made.takes_arguments;
      // The first definition that is compiled comes before those that are not.
      const bool is_first = !is_passed_by && compiled.insert(made.name).second;
      macro.bodies.insert(is_first ? macro.bodies.begin() : macro.bodies.end(), made.body);
    }
  }

  /// Whether the token is that word, or a macro whose text contains it.
  bool means(std::size_t at, std::string_view word) const {
    if (!tokens_.is_word(at)) return false;
    if (tokens_.is(at, word)) return true;
    const auto macro = found_.macros.find(std::string(tokens_.view(at)));
    if (macro == found_.macros.end()) return false;
    return std::any_of(macro->second.bodies.begin(), macro->second.bodies.end(), [&](const std::string& body) {
      const auto words = words_in(body);
      return std::find(words.begin(), words.end(), word) != words.end();
    });
  }

  /// Reads a bracket of a scope, or a declaration, and returns the position after it.
  std::size_t read_at(std::size_t at) {
    if (is_passed(at) || tokens_.is(at, ";")) return at + 1;
    if (tokens_.is(at, "}")) {
      if (scopes_.empty()) refuse(at, "a bracket closes here that no bracket before opens");
      scopes_.pop_back();
      return at + 1;
    }
    if (const std::size_t body = body_of_scope(at); body != 0) return body;
    return read_item(at);
  }

  /// If `namespace a::b {` or `extern "C" {` begins here, enters it and returns the position after its bracket; else 0.
  std::size_t body_of_scope(std::size_t at) {
    std::size_t i = at;
    if (tokens_.is(i, "inline")) i = next(i);
    if (tokens_.is(i, "extern") && tokens_[next(i)].kind == TokenKind::literal && tokens_.is(next(next(i)), "{")) {
      scopes_.push_back({.token = i, .name = ""});
      return next(next(i)) + 1;
    }
    if (!tokens_.is(i, "namespace")) return 0;
    std::string name;
    for (i = next(i); tokens_.is_word(i) || tokens_.is(i, "::"); i = next(i)) name += tokens_.view(i);
    if (!tokens_.is(i, "{")) return 0;
    scopes_.push_back({.token = i, .name = name.empty() ? "" : name + "::"});
    return i + 1;
  }

  /// The position after the '>' that closes this '<'.
  std::size_t behind_angles(std::size_t at) const {
    int angles = 0;
    int others = 0;
    for (std::size_t i = at; i < tokens_.size(); i = next(i)) {
      const std::string_view text = tokens_.view(i);
      if (opens_bracket(text)) ++others;
      if (closes_bracket(text)) --others;
      if (others == 0 && text == "<") ++angles;
      if (others == 0 && text == ">" && --angles == 0) return next(i);
    }
    refuse(at, "a '<' opens here and does not close");
  }

  void note_qualifier(Item& item, std::size_t at) const {
    item.is_global = item.is_global || means(at, "__global__");
    item.is_device = item.is_device || means(at, "__device__") || means(at, "__managed__");
    item.is_constant = item.is_constant || means(at, "__constant__");
    item.is_shared = item.is_shared || means(at, "__shared__");
    item.is_constexpr = item.is_constexpr || means(at, "constexpr") || means(at, "consteval");
    item.is_const = item.is_const || means(at, "const") || means(at, "constexpr");
  }

  std::size_t read_item(std::size_t at) {
    Item item{.first = at};
    for (const Scope& scope : scopes_) item.scope += scope.name;
    if (const auto macro = found_.macros.find(std::string(tokens_.view(at)));
        macro != found_.macros.end() && macro->second.takes_arguments && tokens_.is(next(at), "(")) {
      item.kind = ItemKind::macro_call;
      item.last = closing(next(at)) + 1;
      if (item.last < tokens_.size() && tokens_.is(item.last, ";")) ++item.last;
      found_.items.push_back(item);
      return item.last;
    }
    item.last = end_of_item(item);
    name(item);
    found_.items.push_back(item);
    return item.last;
  }

  /// The bracket that closes this one.
  std::size_t closing(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at; i < tokens_.size(); i = next(i)) {
      const std::string_view text = tokens_.view(i);
      if (opens_bracket(text)) ++depth;
      if (closes_bracket(text) && --depth == 0) return i;
    }
    refuse(at, "a bracket opens here and does not close");
  }

  /// Finds the end of a declaration, and its kind. Each branch of a preprocessor condition begins at the bracket depth
  /// of the first one.
  std::size_t end_of_item(Item& item) {
    std::vector<std::size_t> open;
    std::vector<std::vector<std::size_t>> conditions;
    bool assigned = false, has_body = false;
    std::size_t before = tokens_.size();  // the previous token at depth 0
    for (std::size_t i = item.first; i < tokens_.size(); ++i) {
      if (is_directive(i) && !found_.dead[i]) {
        const std::string directive = tokens_.directive(i).name;
        if (directive.starts_with("if")) conditions.push_back(open);
        if (directive.starts_with("el") && !conditions.empty()) open = conditions.back();
        if (directive == "endif" && !conditions.empty()) conditions.pop_back();
        continue;
      }
      if (found_.dead[i]) continue;
      const std::string_view text = tokens_.view(i);
      const bool opens = opens_bracket(text);
      if (open.empty()) {
        if (text == ";") return i + 1;
        if (text == "}") refuse(i, "a bracket closes here within a declaration");
        if (text == "template" && tokens_.is(next(i), "<")) {
          item.template_first = next(next(i));
          i = behind_angles(next(i)) - 1;
          while (is_passed(i)) --i;
          item.template_last = i;
          continue;
        }
        if (text == "template" && i == item.first) item.kind = ItemKind::instantiation;
        if (text == "using" || text == "namespace") item.kind = ItemKind::directive;
        if (text == "operator") item.is_operator = true;
        if (!assigned && item.parameters == 0) note_qualifier(item, i);
        if (text == "=" && !item.is_operator) assigned = true;
        if (text == "(" && !assigned && item.parameters == 0) {
          const bool in_attribute = before < tokens_.size() && is_attribute(before);
          const bool is_named = before < tokens_.size() && (tokens_.is_word(before) || item.is_operator);
          if (!in_attribute && is_named) item.parameters = i;
        }
        if (text == "{") {
          has_body = item.parameters != 0 && !assigned && !tokens_.is(item.first, "typedef");
          item.is_definition = true;
        }
        before = i;
      }
      if (opens) open.push_back(i);
      if (!closes_bracket(text)) continue;
      if (open.empty()) refuse(i, "a bracket closes here that no bracket before opens");
      open.pop_back();
      if (open.empty() && text == "}" && has_body) {
        if (item.kind != ItemKind::instantiation) item.kind = ItemKind::function;
        return i + 1;
      }
      if (open.empty()) before = i;
    }
    refuse(open.empty() ? item.first : open.back(),
           open.empty() ? "a declaration begins here and does not end" : "a bracket opens here and does not close");
  }

  bool is_attribute(std::size_t at) const {
    const auto macro = found_.macros.find(std::string(tokens_.view(at)));
    return is_one_of(tokens_.view(at), attributes) || (macro != found_.macros.end() && macro->second.takes_arguments);
  }

  /// Finds the kind of a declaration that is no function with a body, and the names that any declaration declares.
  void name(Item& item) const {
    std::size_t begin = item.template_last == 0 ? item.first : item.template_last + 1;
    while (begin < item.last && is_passed(begin)) ++begin;
    if (item.kind == ItemKind::directive) return name_directive(item, begin);
    if (item.kind == ItemKind::instantiation) return;
    if (item.kind == ItemKind::function || is_prototype(item, begin)) {
      item.kind = ItemKind::function;
      std::size_t named = item.parameters - 1;
      while (named > item.first && is_passed(named)) --named;
      item.names.emplace_back(tokens_.view(named));
      // The class of a member that is defined here counts as a name too.
      if (named > item.first && tokens_.is(named - 1, "::")) item.names.emplace_back(tokens_.view(named - 2));
      return;
    }
    if (tokens_.is(begin, "static_assert") || tokens_.is(begin, "asm")) return;
    std::size_t type = item.last;
    for (std::size_t i = begin; i < item.last && type == item.last && !tokens_.is(i, "{") && !tokens_.is(i, "="); ++i)
      if (is_one_of(tokens_.view(i), type_keywords)) type = i;
    const bool is_definition = item.is_definition || tokens_.is(begin, "typedef");
    item.kind =
        type < item.last && (is_definition || next(next(type)) + 1 >= item.last) ? ItemKind::type : ItemKind::variable;
    if (item.kind == ItemKind::type) return name_type(item, type);
    name_variables(item, begin);
  }

  bool is_prototype(const Item& item, std::size_t begin) const {
    return item.parameters != 0 && !item.is_definition && !tokens_.is(begin, "typedef");
  }

  void name_directive(Item& item, std::size_t begin) const {
    if (tokens_.is(begin, "using") && tokens_.is(next(next(begin)), "=")) {
      item.kind = ItemKind::type;
      item.names.emplace_back(tokens_.view(next(begin)));
    } else if (tokens_.is(begin, "namespace")) {
      item.names.emplace_back(tokens_.view(next(begin)));
    } else if (!tokens_.is(next(begin), "namespace")) {
      item.names.emplace_back(tokens_.view(item.last - 2));
    }
  }

  /// The tag, the enumerators, and the names after the body or after a typedef.
  void name_type(Item& item, std::size_t keyword) const {
    std::size_t i = keyword;
    bool has_tag = false;
    for (; i < item.last && !tokens_.is(i, "{"); i = next(i)) {
      if (is_one_of(tokens_.view(i), attributes) && tokens_.is(next(i), "(")) {
        i = closing(next(i));
      } else if (tokens_.is(i, ":")) {
        has_tag = true;
      } else if (tokens_.is_word(i) && !has_tag && !is_one_of(tokens_.view(i), type_keywords)) {
        item.names.emplace_back(tokens_.view(i));
        has_tag = !tokens_.is(keyword, "typedef");
      }
    }
    if (i >= item.last && tokens_.is(keyword, "typedef")) return name_alias(item, keyword);
    if (i >= item.last) return;
    const std::size_t end = closing(i);
    const bool is_enum = tokens_.is(keyword, "enum") || tokens_.is(next(keyword), "enum");
    for (; is_enum && i < end; i = next(i))
      if (tokens_.is_word(i) && (tokens_.is(i - 1, "{") || tokens_.is(i - 1, ",")))
        item.names.emplace_back(tokens_.view(i));
    for (i = end; i < item.last; i = next(i))
      if (tokens_.is_word(i)) item.names.emplace_back(tokens_.view(i));
  }

  /// The names in a typedef without a body: words before the end, a comma or extents, or after a '*' in brackets.
  void name_alias(Item& item, std::size_t keyword) const {
    item.names.clear();
    int angles = 0;
    for (std::size_t i = keyword; i < item.last; i = next(i)) {
      if (tokens_.is(i, "<")) ++angles;
      if (tokens_.is(i, ">")) --angles;
      const std::size_t behind = next(i);
      if (tokens_.is(i, "(") && tokens_.is(behind, "*") && tokens_.is_word(next(behind)))
        item.names.emplace_back(tokens_.view(next(behind)));
      if (tokens_.is(i, "(")) i = closing(i);
      const bool ends = tokens_.is(behind, ";") || tokens_.is(behind, "[") || tokens_.is(behind, ",");
      if (angles == 0 && tokens_.is_word(i) && ends) item.names.emplace_back(tokens_.view(i));
    }
  }

  /// Words before a '=', '[', '{', '(', ',' or ';' outside of brackets.
  void name_variables(Item& item, std::size_t begin) const {
    std::size_t before = begin;
    for (std::size_t i = begin; i < item.last; i = next(i)) {
      const std::string_view text = tokens_.view(i);
      const bool opens = opens_bracket(text);
      const bool ends = opens || text == "=" || text == "," || text == ";";
      if (ends && tokens_.is_word(before) && !is_one_of(tokens_.view(before), no_names))
        item.names.emplace_back(tokens_.view(before));
      if (opens) i = closing(i);
      before = i;
    }
  }

  const Tokens& tokens_;
  std::vector<Scope> scopes_;
  Items found_;
};

}  // namespace

Items items_of(const Tokens& tokens) {
  return Reader(tokens).read();
}

}  // namespace warpwright::job

// Selects the declarations in a source that its kernels need.
#include "kernels/job/text/selection.hpp"

#include <algorithm>
#include <array>

namespace warpwright::job {
namespace {

/// Namespaces of CUDA's device headers, and the namespace of plain.cuh.
constexpr std::array<std::string_view, 5> known_namespaces = {"cooperative_groups", "nvcuda", "cuda", "std", "cub"};

/// Types of the C++ library, and of CUDA for the host, that device code cannot have. A declaration with one of them is
/// for the host, even if a kernel uses a name that it declares.
constexpr std::array<std::string_view, 24> host_types = {
    "vector",      "string",       "map",     "unordered_map", "set",        "list",
    "deque",       "ostream",      "istream", "ofstream",      "ifstream",   "stringstream",
    "shared_ptr",  "function",     "thread",  "mutex",         "unique_ptr", "cudaError_t",
    "cudaEvent_t", "cudaStream_t", "FILE",    "exception",     "iterator",   "initializer_list"};

/// Replaces everything but line ends and preprocessor lines by spaces. A pragma is removed with the code that it is
/// for.
void blank(std::string& text, const Tokens& tokens, const Item& item) {
  std::size_t at = tokens[item.first].begin;
  const auto clear = [&](std::size_t end) {
    for (; at < end; ++at)
      if (text[at] != '\n') text[at] = ' ';
  };
  for (std::size_t i = item.first; i < item.last; ++i) {
    if (tokens[i].kind != TokenKind::directive || tokens.directive(i).name == "pragma") continue;
    clear(tokens[i].begin);
    at = tokens[i].end;
  }
  clear(tokens[item.last - 1].end);
}

/// The CPU's compiler does not allow alignas inside a declaration, but allows CUDA's own word with the same meaning.
void respell_alignments(std::string& text, const Tokens& tokens, const Item& item) {
  constexpr std::array<std::string_view, 7> before = {"__shared__", "__device__", "__constant__", "static",
                                                      "extern",     "const",      "constexpr"};
  constexpr std::string_view word = "alignas";
  for (std::size_t i = item.last; i-- > item.first + 1;)
    if (tokens.is(i, word) && is_one_of(tokens.view(i - 1), before))
      text.replace(tokens[i].begin, word.size(), "__align__");
}

}  // namespace

Selection::Selection(const Tokens& tokens, const Items& found, Side side)
    : tokens_(tokens), found_(found), side_(side), kept_(found.items.size()) {
  for (std::size_t i = 0; i < found.items.size(); ++i) {
    for (const std::string& name : found.items[i].names) declaring_[name].push_back(i);
    for (const std::string& name : words_in(found.items[i].scope)) namespaces_.insert(name);
  }
}

void Selection::keep(std::size_t number) {
  if (kept_[number]) return;
  kept_[number] = true;
  const Item& item = found_.items[number];
  for (std::size_t i = item.first; i < item.last; ++i)
    if (!found_.dead[i] && (tokens_.is_word(i) || tokens_[i].kind == TokenKind::directive))
      for (const std::string& word : words_in(tokens_.view(i))) reach(word);
}

void Selection::keep_unnamed() {
  for (std::size_t i = 0; i < found_.items.size(); ++i) {
    const Item& item = found_.items[i];
    const bool is_used = item.kind == ItemKind::directive && tokens_.is(item.first, "using") &&
                         tokens_.is(item.first + 1, "namespace") && is_known(tokens_.view(item.first + 2)) &&
                         (tokens_.is(item.first + 3, ";") || !tokens_.is(item.first + 2, "std"));
    const bool is_operator =
        item.kind == ItemKind::function && item.is_operator && (item.is_device || side_ == Side::host);
    if (is_used || is_operator || (side_ == Side::device && makes_device_code(item))) keep(i);
  }
}

void Selection::keep_named_by_host() {
  for (const Item& item : found_.items) {
    if (item.kind != ItemKind::function || item.is_device || item.is_global) continue;
    for (std::size_t i = item.first; i < item.last; ++i)
      if (const auto named = declaring_.find(std::string(tokens_.view(i))); named != declaring_.end())
        for (const std::size_t one : named->second)
          if (is_made_for_device(found_.items[one])) keep(one);
  }
}

std::string Selection::text() const {
  std::string text = tokens_.text();
  // From the end, so that positions of earlier declarations stay valid.
  for (std::size_t i = found_.items.size(); i-- > 0;) {
    const Item& item = found_.items[i];
    if (!kept_[i]) {
      blank(text, tokens_, item);
      continue;
    }
    respell_alignments(text, tokens_, item);
    if (item.kind == ItemKind::function && !item.is_global && !item.is_device) {
      // Device code may call constexpr functions of the host only if the compiler is told so. This marks all of them.
      const std::size_t begin = item.template_last == 0 ? item.first : item.template_last + 1;
      text.insert(tokens_[begin].begin, "__host__ __device__ ");
    }
  }
  return text;
}

bool Selection::is_made_for_device(const Item& item) const {
  if (item.kind == ItemKind::function) return item.is_device;
  if (item.kind != ItemKind::type || !is_for_side(item)) return false;
  for (std::size_t i = item.first; i < item.last; ++i)
    if (tokens_.is(i, "__device__")) return true;
  return false;
}

bool Selection::is_known(std::string_view name) const {
  return namespaces_.contains(name) || is_one_of(name, known_namespaces);
}

bool Selection::makes_device_code(const Item& item) const {
  if (item.kind != ItemKind::macro_call) return false;
  const Macro& macro = found_.macros.at(std::string(tokens_.view(item.first)));
  return std::any_of(macro.bodies.begin(), macro.bodies.end(), [](const std::string& body) {
    return body.find("__device__") != std::string::npos || body.find("__global__") != std::string::npos ||
           body.find("__constant__") != std::string::npos;
  });
}

bool Selection::names_host_types(const Item& item) const {
  for (std::size_t i = item.first; i < item.last; ++i) {
    if (!tokens_.is_word(i) || declaring_.contains(std::string(tokens_.view(i)))) continue;
    if (!is_one_of(tokens_.view(i), host_types)) continue;
    // As a type, not as the name of a member.
    const bool is_type = tokens_.is(i + 1, "<") || tokens_.is(i + 1, "*") || tokens_.is(i + 1, "&") ||
                         tokens_.is_word(i + 1) || (i > item.first && tokens_.is(i - 1, "::"));
    if (is_type) return true;
  }
  return false;
}

/// Whether code of that side may use it. For the device, declarations for the host only are left out.
bool Selection::is_for_side(const Item& item) const {
  if (side_ == Side::host)
    return item.kind == ItemKind::type || item.kind == ItemKind::variable || item.kind == ItemKind::directive ||
           (item.kind == ItemKind::function && !item.is_global);
  if (item.kind == ItemKind::type && names_host_types(item)) return false;
  switch (item.kind) {
    case ItemKind::function:
      return item.is_device || item.is_constexpr;
    case ItemKind::variable:
      return item.is_device || item.is_constant || item.is_shared || item.is_const;
    case ItemKind::type:
    case ItemKind::directive:
      return true;
    default:
      return false;
  }
}

void Selection::reach(const std::string& word) {
  if (!reached_.insert(word).second) return;
  if (const auto macro = found_.macros.find(word); macro != found_.macros.end())
    for (const std::string& body : macro->second.bodies)
      for (const std::string& next : words_in(body)) reach(next);
  if (const auto items = declaring_.find(word); items != declaring_.end())
    for (const std::size_t item : items->second)
      if (is_for_side(found_.items[item])) keep(item);
}

}  // namespace warpwright::job

// The device part of a plain .cu file: text that NVRTC compiles for a GPU, and the host compiler for the executor.
#include "kernels/job/text/device_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "kernels/job/text/includes.hpp"
#include "kernels/job/text/items.hpp"
#include "kernels/job/text/launches.hpp"
#include "kernels/job/text/signatures.hpp"
#include "kernels/job/text/tokens.hpp"
#include "kernels/job/text/uses.hpp"

namespace warpwright::job {
namespace {

constexpr std::string_view first_line = "#include \"kernels/job/text/plain.cuh\"\n";
/// Namespaces of CUDA's device headers, and that which plain.cuh fills.
constexpr std::array<std::string_view, 5> known_namespaces = {"cooperative_groups", "nvcuda", "cuda", "std", "cub"};
/// What Kernel Tuner defines from outside, in texts that are written for it.
constexpr std::array<std::string_view, 6> names_of_kernel_tuner = {"block_size_x", "block_size_y", "block_size_z",
                                                                   "grid_size_x",  "grid_size_y",  "grid_size_z"};

/// The last word of a number's type.
constexpr std::array<std::string_view, 10> number_words = {"int",  "float",    "double", "char",          "short",
                                                           "long", "unsigned", "half",   "__nv_bfloat16", "__half"};
/// What stands before the type of a __constant__ variable.
constexpr std::array<std::string_view, 6> storage_words = {"__constant__", "__device__", "static",
                                                           "extern",       "const",      "volatile"};

/// Types of the C++ library, and of CUDA's for the host, that no device code has: what names them is for the host, even
/// where a kernel uses a name that it declares too.
constexpr std::array<std::string_view, 24> host_types = {
    "vector",      "string",       "map",     "unordered_map", "set",        "list",
    "deque",       "ostream",      "istream", "ofstream",      "ifstream",   "stringstream",
    "shared_ptr",  "function",     "thread",  "mutex",         "unique_ptr", "cudaError_t",
    "cudaEvent_t", "cudaStream_t", "FILE",    "exception",     "iterator",   "initializer_list"};

/// Which items of a text its kernels need.
class Selection {
 public:
  Selection(const Tokens& tokens, const Items& found) : tokens_(tokens), found_(found), kept_(found.items.size()) {
    for (std::size_t i = 0; i < found.items.size(); ++i) {
      for (const std::string& name : found.items[i].names) declaring_[name].push_back(i);
      for (const std::string& name : words_in(found.items[i].scope)) namespaces_.insert(name);
    }
  }

  bool is_kept(std::size_t item) const { return kept_[item]; }
  bool is_mentioned(const std::string& word) const { return reached_.contains(word); }

  void keep(std::size_t number) {
    if (kept_[number]) return;
    kept_[number] = true;
    const Item& item = found_.items[number];
    for (std::size_t i = item.first; i < item.last; ++i)
      if (!found_.dead[i] && (tokens_.is_word(i) || tokens_[i].kind == TokenKind::directive))
        for (const std::string& word : words_in(tokens_.view(i))) reach(word);
  }

  /// What counts whatever names it: operators of device code, namespaces that are used, calls of macros that make such.
  void keep_unnamed() {
    for (std::size_t i = 0; i < found_.items.size(); ++i) {
      const Item& item = found_.items[i];
      const bool is_used = item.kind == ItemKind::directive && tokens_.is(item.first, "using") &&
                           tokens_.is(item.first + 1, "namespace") && is_known(tokens_.view(item.first + 2)) &&
                           (tokens_.is(item.first + 3, ";") || !tokens_.is(item.first + 2, "std"));
      const bool is_operator = item.kind == ItemKind::function && item.is_operator && item.is_device;
      if (is_used || is_operator || makes_device_code(item)) keep(i);
    }
  }

  /// What the host code may give to kernels as a template argument: functions and types of device code that it names.
  void keep_named_by_host() {
    for (const Item& item : found_.items) {
      if (item.kind != ItemKind::function || item.is_device || item.is_global) continue;
      for (std::size_t i = item.first; i < item.last; ++i)
        if (const auto named = declaring_.find(std::string(tokens_.view(i))); named != declaring_.end())
          for (const std::size_t one : named->second)
            if (is_made_for_device(found_.items[one])) keep(one);
    }
  }

 private:
  bool is_made_for_device(const Item& item) const {
    if (item.kind == ItemKind::function) return item.is_device;
    if (item.kind != ItemKind::type || !is_for_device(item)) return false;
    for (std::size_t i = item.first; i < item.last; ++i)
      if (tokens_.is(i, "__device__")) return true;
    return false;
  }

  bool is_known(std::string_view name) const {
    return namespaces_.contains(name) ||
           std::find(known_namespaces.begin(), known_namespaces.end(), name) != known_namespaces.end();
  }

  bool makes_device_code(const Item& item) const {
    if (item.kind != ItemKind::macro_call) return false;
    const Macro& macro = found_.macros.at(std::string(tokens_.view(item.first)));
    return std::any_of(macro.bodies.begin(), macro.bodies.end(), [](const std::string& body) {
      return body.find("__device__") != std::string::npos || body.find("__global__") != std::string::npos ||
             body.find("__constant__") != std::string::npos;
    });
  }

  bool names_host_types(const Item& item) const {
    for (std::size_t i = item.first; i < item.last; ++i) {
      if (!tokens_.is_word(i) || declaring_.contains(std::string(tokens_.view(i)))) continue;
      if (std::find(host_types.begin(), host_types.end(), tokens_.view(i)) == host_types.end()) continue;
      // As a type, and not as the name of a member.
      const bool is_type = tokens_.is(i + 1, "<") || tokens_.is(i + 1, "*") || tokens_.is(i + 1, "&") ||
                           tokens_.is_word(i + 1) || (i > item.first && tokens_.is(i - 1, "::"));
      if (is_type) return true;
    }
    return false;
  }

  /// Whether device code may use it: what is of the host alone has no place in the text.
  bool is_for_device(const Item& item) const {
    if (item.kind == ItemKind::type && names_host_types(item)) return false;
    switch (item.kind) {
      case ItemKind::function:
        return item.is_global || item.is_device || item.is_constexpr;
      case ItemKind::variable:
        return item.is_device || item.is_constant || item.is_shared || item.is_const;
      case ItemKind::type:
      case ItemKind::directive:
        return true;
      default:
        return false;
    }
  }

  void reach(const std::string& word) {
    if (!reached_.insert(word).second) return;
    if (const auto macro = found_.macros.find(word); macro != found_.macros.end())
      for (const std::string& body : macro->second.bodies)
        for (const std::string& next : words_in(body)) reach(next);
    if (const auto items = declaring_.find(word); items != declaring_.end())
      for (const std::size_t item : items->second)
        if (is_for_device(found_.items[item])) keep(item);
  }

  const Tokens& tokens_;
  const Items& found_;
  std::vector<bool> kept_;
  std::set<std::string> reached_;
  std::map<std::string, std::vector<std::size_t>> declaring_;
  std::set<std::string, std::less<>> namespaces_;
};

std::string last_of(const std::string& name) {
  const auto scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// The kernels that are asked for, as items.
std::vector<std::size_t> wanted_kernels(const Items& found, const std::string& file, const TextRequest& request) {
  std::vector<std::size_t> kernels;
  std::set<std::string> names;
  for (std::size_t i = 0; i < found.items.size(); ++i) {
    const Item& item = found.items[i];
    if (!item.is_global || item.kind != ItemKind::function || !item.is_definition) continue;
    const std::string name = item.scope + item.names.front();
    names.insert(name);
    const bool is_wanted = std::any_of(request.kernels.begin(), request.kernels.end(), [&](const std::string& wanted) {
      return wanted == name || wanted == item.names.front();
    });
    if (request.kernels.empty() || is_wanted) kernels.push_back(i);
  }
  if (names.empty())
    throw std::runtime_error(
        fmt::format("{}:1: defines no __global__ function: name the file that does, or #include it there", file));
  for (const std::string& wanted : request.kernels)
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name == wanted || last_of(name) == wanted; }))
      throw std::runtime_error(
          fmt::format("{}:1: defines no kernel {}; it has {}", file, wanted, fmt::join(names, ", ")));
  return kernels;
}

/// Replaces all but line ends and lines of the preprocessor by spaces; a pragma goes with what it is said of.
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

/// Whether a macro's value is a number, or is made of numbers and of other such macros.
bool is_a_number(const Items& found, const std::string& name, int depth = 0) {
  const auto macro = found.macros.find(name);
  if (macro == found.macros.end() || macro->second.takes_arguments || depth > 8) return false;
  const std::string& body = macro->second.bodies.front();
  if (body.empty() || body.find_first_of("\"'{};=") != std::string::npos) return false;
  const std::vector<std::string> words = words_in(body);
  const bool has_digit = std::any_of(body.begin(), body.end(), [](char c) { return c >= '0' && c <= '9'; });
  return (has_digit || !words.empty()) && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
           return is_a_number(found, word, depth + 1);
         });
}

/// Whether a type stands before the word somewhere: then it is a variable of the text's own.
bool is_declared(const Tokens& tokens, std::string_view word) {
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (tokens.is(i, word) && tokens.is_word(i - 1) && !tokens.is(i - 1, "return")) return true;
  return false;
}

/// Names that conditions of the kept text test and that nothing defines.
void add_tested(const Tokens& tokens, const Items& found, const Selection& selection,
                std::map<std::string, std::string>& macros) {
  for (std::size_t number = 0; number < found.items.size(); ++number) {
    if (!selection.is_kept(number)) continue;
    const Item& item = found.items[number];
    for (std::size_t i = item.first; i < item.last; ++i) {
      if (tokens[i].kind != TokenKind::directive) continue;
      const Directive line = tokens.directive(i);
      if (!line.name.starts_with("if") && line.name != "elif") continue;
      for (const std::string& word : words_in(line.rest))
        if (word != "defined" && !word.starts_with("__") && !found.macros.contains(word)) macros.emplace(word, "");
    }
  }
  for (const std::string_view name : names_of_kernel_tuner)
    if (const std::string word(name);
        selection.is_mentioned(word) && !found.macros.contains(word) && !is_declared(tokens, word))
      macros.emplace(word, "");
}

/// Within a declaration alignas has no place for the host compiler, where CUDA's own word has: that means the same.
void respell_alignments(std::string& text, const Tokens& tokens, const Item& item) {
  constexpr std::array<std::string_view, 7> before = {"__shared__", "__device__", "__constant__", "static",
                                                      "extern",     "const",      "constexpr"};
  constexpr std::string_view word = "alignas";
  for (std::size_t i = item.last; i-- > item.first + 1;)
    if (tokens.is(i, word) && std::find(before.begin(), before.end(), tokens.view(i - 1)) != before.end())
      text.replace(tokens[i].begin, word.size(), "__align__");
}

/// Includes of what a header that was left out would have brought, where kernels name it.
std::string implied_headers(const Selection& selection) {
  const auto is_named = [&](const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return selection.is_mentioned(word); });
  };
  std::string lines;
  if (is_named({"half", "half2", "__half", "__half2"})) lines += "#include <cuda_fp16.h>\n";
  if (is_named({"__nv_bfloat16", "__nv_bfloat162", "nv_bfloat16", "nv_bfloat162"})) lines += "#include <cuda_bf16.h>\n";
  return lines;
}

std::string marked(std::string text, const Tokens& tokens, const Items& found, const Selection& selection) {
  // From the end, so that what stands before keeps its place.
  for (std::size_t i = found.items.size(); i-- > 0;) {
    const Item& item = found.items[i];
    if (!selection.is_kept(i)) {
      blank(text, tokens, item);
      continue;
    }
    respell_alignments(text, tokens, item);
    if (item.kind == ItemKind::function && !item.is_global && !item.is_device) {
      // Device code may call a constexpr function of the host where the compiler is told so; this tells all of them.
      const std::size_t begin = item.template_last == 0 ? item.first : item.template_last + 1;
      text.insert(tokens[begin].begin, "__host__ __device__ ");
    }
  }
  return text;
}

/// What names of types stand for: of typedefs, `using` and macros.
std::map<std::string, std::string> aliases_of(const Tokens& tokens, const Items& found) {
  std::map<std::string, std::string> aliases;
  for (const Item& item : found.items)
    if (const std::string type = aliased_type(tokens, item); !type.empty() && !found.passed_by[item.first])
      aliases[item.names.front()] = type;
  for (const auto& [name, macro] : found.macros) {
    if (macro.takes_arguments || macro.bodies.size() != 1) continue;
    const std::vector<std::string> words = words_in(macro.bodies.front());
    if (!words.empty() && is_one_of(words.back(), number_words) &&
        fmt::format("{}", fmt::join(words, " ")) == macro.bodies.front())
      aliases[name] = macro.bodies.front();
  }
  return aliases;
}

std::string meant(const std::map<std::string, std::string>& aliases, std::string type) {
  for (int depth = 0; depth < 8; ++depth) {
    const auto alias = aliases.find(type);
    if (alias == aliases.end()) break;
    type = alias->second;
  }
  return type;
}

ConstantSymbol symbol_of(const Tokens& tokens, const Item& item, const std::map<std::string, std::string>& aliases) {
  ConstantSymbol symbol{.name = item.scope + item.names.front(), .type = {}};
  for (std::size_t i = item.first; i < item.last; ++i) {
    if (tokens.is(i, item.names.front())) {
      std::vector<std::string> extents;
      for (++i; tokens.is(i, "["); i = closing_bracket(tokens, i) + 1)
        extents.push_back("(" + tokens.spelling(i + 1, closing_bracket(tokens, i)) + ")");
      if (extents.size() == 1) extents.front() = extents.front().substr(1, extents.front().size() - 2);
      if (!extents.empty()) symbol.count = fmt::format("{}", fmt::join(extents, " * "));
      break;
    }
    if (!tokens.is_word(i) || is_one_of(tokens.view(i), storage_words)) continue;
    symbol.type += (symbol.type.empty() ? "" : " ") + std::string(tokens.view(i));
  }
  symbol.type = meant(aliases, symbol.type);
  return symbol;
}

}  // namespace

DeviceText device_text(const std::filesystem::path& file, const TextRequest& request) {
  FlatText flat = flat_text(file, request.folders);
  const Tokens tokens(std::move(flat.text), file.string());
  const Items found = items_of(tokens);
  Selection selection(tokens, found);
  const std::map<std::string, std::string> types = aliases_of(tokens, found);
  DeviceText made;
  for (const std::size_t kernel : wanted_kernels(found, file.string(), request)) {
    if (launches_within(tokens, found.items[kernel]))
      throw std::runtime_error(
          fmt::format("{}: {} launches kernels itself, which is not read from plain text: name the "
                      "kernels that are wanted, without it",
                      tokens.place(found.items[kernel].first), found.items[kernel].names.front()));
    selection.keep(kernel);
    GlobalFunction next = signature_of(tokens, found.items[kernel]);
    for (Parameter& parameter : next.parameters) {
      parameter.type = meant(types, parameter.type);
      if (parameter.is_pointer) parameter.use = use_of(tokens, found.items[kernel], parameter.name);
    }
    const bool is_known = std::any_of(made.kernels.begin(), made.kernels.end(),
                                      [&](const GlobalFunction& one) { return one.name == next.name; });
    if (!is_known && !found.passed_by[found.items[kernel].first]) made.kernels.push_back(next);
  }
  if (made.kernels.empty())
    throw std::runtime_error(
        fmt::format("{}:1: what defines its kernels is not compiled: see to its #if and #ifdef", file.string()));
  selection.keep_unnamed();
  if (std::any_of(made.kernels.begin(), made.kernels.end(),
                  [](const GlobalFunction& kernel) { return !kernel.template_parameters.empty(); }))
    selection.keep_named_by_host();
  made.text = std::string(first_line) + (flat.brings_halves ? implied_headers(selection) : "") +
              marked(tokens.text(), tokens, found, selection);
  for (const auto& [name, macro] : found.macros)
    if (selection.is_mentioned(name) && is_a_number(found, name)) made.macros[name] = macro.bodies.front();
  add_tested(tokens, found, selection, made.macros);
  for (std::size_t i = 0; i < found.items.size(); ++i)
    if (const Item& item = found.items[i]; selection.is_kept(i) && item.is_constant && !item.names.empty())
      made.symbols.push_back(symbol_of(tokens, item, types));
  made.launches = launches_in(tokens, found);
  made.missing = std::move(flat.missing);
  made.types = types;
  return made;
}

}  // namespace warpwright::job

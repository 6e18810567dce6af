// Extracts the device code of a plain .cu file: NVRTC compiles it for a GPU, the CPU's compiler for the simulator.
#include "kernels/job/text/device_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "kernels/job/text/constants.hpp"
#include "kernels/job/text/launches.hpp"
#include "kernels/job/text/selection.hpp"
#include "kernels/job/text/signatures.hpp"
#include "kernels/job/text/tokens.hpp"
#include "kernels/job/text/uses.hpp"

namespace warpwright::job {
namespace {

constexpr std::string_view first_line = "#include \"kernels/job/text/plain.cuh\"\n";
/// Macros that Kernel Tuner defines on the command line, in sources that are written for it.
constexpr std::array<std::string_view, 6> names_of_kernel_tuner = {"block_size_x", "block_size_y", "block_size_z",
                                                                   "grid_size_x",  "grid_size_y",  "grid_size_z"};

/// Words that may precede the type of a __constant__ variable.
constexpr std::array<std::string_view, 6> storage_words = {"__constant__", "__device__", "static",
                                                           "extern",       "const",      "volatile"};

/// Whether the declaration defines a kernel.
bool defines_kernel(const Item& item) {
  return item.is_global && item.kind == ItemKind::function && item.is_definition;
}

/// Whether the kernel of that full name is wanted.
bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](const auto& one) { return is_called(name, one); });
}

/// Whether a macro's value is a number, or consists of numbers and other such macros.
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

/// Whether the word follows a type somewhere, and so is a variable.
bool is_declared(const Tokens& tokens, std::string_view word) {
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (tokens.is(i, word) && tokens.is_word(i - 1) && !tokens.is(i - 1, "return")) return true;
  return false;
}

/// Names whose values a condition reads. Not names that it only tests for being defined, and not those of compilers.
std::vector<std::string> read_in(const Directive& line) {
  std::vector<std::string> names;
  if (line.name != "if" && line.name != "elif") return names;
  bool is_asked = false;
  for (const std::string& word : words_in(line.rest)) {
    if (!is_asked && word != "defined" && !word.starts_with('_') && word != "CUDART_VERSION" && word != "CUDA_VERSION")
      names.push_back(word);
    is_asked = word == "defined";
  }
  return names;
}

/// Adds names whose values are read by conditions in the kept text, but that nothing defines.
void add_tested(const Tokens& tokens, const Items& found, const Selection& selection,
                std::map<std::string, std::string>& macros) {
  for (std::size_t number = 0; number < found.items.size(); ++number) {
    if (!selection.is_kept(number)) continue;
    const Item& item = found.items[number];
    for (std::size_t i = item.first; i < item.last; ++i) {
      if (tokens[i].kind != TokenKind::directive) continue;
      for (const std::string& word : read_in(tokens.directive(i)))
        if (!found.macros.contains(word)) macros.emplace(word, "");
    }
  }
  for (const std::string_view name : names_of_kernel_tuner)
    if (const std::string word(name);
        selection.is_mentioned(word) && !found.macros.contains(word) && !is_declared(tokens, word))
      macros.emplace(word, "");
}

/// Includes that a header which was left out would have brought, if kernels use them.
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
  symbol.type = meant_type(aliases, symbol.type);
  return symbol;
}

std::set<std::string> texture_modes_of(const Tokens& tokens) {
  std::set<std::string> modes;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens.view(i);
    for (const std::string_view kind : {"cudaFilterMode", "cudaAddressMode", "cudaReadMode"})
      if (word.starts_with(kind)) modes.emplace(word);
    if (word == "normalizedCoords" && tokens.is(i + 1, "=") && !tokens.is(i + 2, "0") && !tokens.is(i + 2, "false"))
      modes.emplace(word);
  }
  return modes;
}

void refuse_launches(const Tokens& tokens, const Items& found, const Selection& selection) {
  for (std::size_t i = 0; i < found.items.size(); ++i)
    if (const Item& item = found.items[i];
        selection.is_kept(i) && item.kind == ItemKind::function && launches_within(tokens, item))
      throw std::runtime_error(
          fmt::format("{}: {} launches kernels itself, on the device, which is not read from plain text: make a job of "
                      "the kernels that it launches, whose order the job says",
                      tokens.place(item.first), item.names.front()));
}

}  // namespace

bool is_called(const std::string& full_name, const std::string& name) {
  return full_name == name || full_name.ends_with("::" + name);
}

std::string meant_type(const std::map<std::string, std::string>& types, std::string type) {
  constexpr int deepest = 8;  // a deeper chain means that a name refers to itself
  for (int depth = 0; depth < deepest; ++depth) {
    const auto found = types.find(type);
    if (found == types.end()) break;
    type = found->second;
  }
  return type;
}

PlainFile::PlainFile(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders)
    : file_(file.string()),
      flat_(flat_text(file, folders)),
      tokens_(std::move(flat_.text), file_),
      found_(items_of(tokens_)),
      types_(aliases_of(tokens_, found_)),
      launches_(launches_in(tokens_, found_)) {
  bool defines_any = false;
  for (const Item& item : found_.items) {
    if (!defines_kernel(item)) continue;
    defines_any = true;
    if (found_.passed_by[item.first]) continue;
    GlobalFunction next = signature_of(tokens_, item);
    for (Parameter& parameter : next.parameters) {
      parameter.type = meant_type(types_, parameter.type);
      if (parameter.is_pointer) parameter.use = use_of(tokens_, found_, item, parameter.name);
    }
    next.launches = launches_within(tokens_, item);
    const auto same = [&](const GlobalFunction& one) { return one.name == next.name; };
    if (std::none_of(kernels_.begin(), kernels_.end(), same)) kernels_.push_back(std::move(next));
  }
  if (!defines_any)
    throw std::runtime_error(
        fmt::format("{}:1: defines no __global__ function: name the file that does, or #include it there", file_));
  if (kernels_.empty())
    throw std::runtime_error(
        fmt::format("{}:1: what defines its kernels is not compiled: see to its #if and #ifdef", file_));
}

std::vector<GlobalFunction> PlainFile::host_functions() const {
  std::vector<GlobalFunction> functions;
  for (const Item& item : found_.items) {
    if (item.kind != ItemKind::function || !item.is_definition || item.is_global || item.is_device ||
        item.is_operator || !item.scope.empty() || found_.passed_by[item.first] || launches_within(tokens_, item))
      continue;
    GlobalFunction next = signature_of(tokens_, item);
    for (Parameter& parameter : next.parameters) parameter.type = meant_type(types_, parameter.type);
    functions.push_back(std::move(next));
  }
  return functions;
}

const GlobalFunction& PlainFile::kernel(const std::string& name) const {
  for (const GlobalFunction& one : kernels_)
    if (is_wanted({name}, one.name)) return one;
  for (const Item& item : found_.items)
    if (defines_kernel(item) && is_wanted({name}, item.scope + item.names.front()))
      throw std::runtime_error(
          fmt::format("{}:1: what defines {} is not compiled: see to its #if and #ifdef", file_, name));
  std::set<std::string> names;
  for (const GlobalFunction& one : kernels_) names.insert(one.name);
  throw std::runtime_error(fmt::format("{}:1: defines no kernel {}; it has {}", file_, name, fmt::join(names, ", ")));
}

std::vector<GlobalFunction> PlainFile::wanted_kernels(const std::vector<std::string>& wanted) const {
  for (const std::string& one : wanted) (void)kernel(one);
  std::vector<GlobalFunction> kernels;
  for (const GlobalFunction& kernel : kernels_)
    if (is_wanted(wanted, kernel.name) && !(wanted.empty() && kernel.launches)) kernels.push_back(kernel);
  return kernels.empty() ? kernels_ : kernels;
}

DeviceText PlainFile::text(const std::vector<std::string>& wanted) const {
  DeviceText made{.text = {}, .kernels = wanted_kernels(wanted), .macros = {}, .symbols = {}};
  Selection selection(tokens_, found_);
  for (std::size_t i = 0; i < found_.items.size(); ++i)
    if (const Item& item = found_.items[i];
        defines_kernel(item) && std::any_of(made.kernels.begin(), made.kernels.end(), [&](const auto& kernel) {
          return kernel.name == item.scope + item.names.front();
        }))
      selection.keep(i);
  refuse_launches(tokens_, found_, selection);
  selection.keep_unnamed();
  if (std::any_of(made.kernels.begin(), made.kernels.end(),
                  [](const GlobalFunction& kernel) { return !kernel.template_parameters.empty(); }))
    selection.keep_named_by_host();
  made.text = std::string(first_line);
  for (const std::string& header : flat_.absent) made.text += fmt::format("// Not found: <{}>\n", header);
  made.text += (flat_.brings_halves ? implied_headers(selection) : "") + selection.text();
  for (const auto& [name, macro] : found_.macros)
    if (is_a_number(found_, name))
      (selection.is_mentioned(name) ? made.macros : made.host_macros)[name] = macro.bodies.front();
  add_tested(tokens_, found_, selection, made.macros);
  for (std::size_t i = 0; i < found_.items.size(); ++i) {
    const Item& item = found_.items[i];
    if (!found_.passed_by[item.first])
      (selection.is_kept(i) ? made.constants : made.host_constants).merge(constants_of(tokens_, item));
    if (!selection.is_kept(i)) continue;
    if (item.is_constant && !item.names.empty()) made.symbols.push_back(symbol_of(tokens_, item, types_));
    if (const auto members = members_of(tokens_, item); !members.empty())
      for (const std::string& name : item.names) made.structs[name] = members;
  }
  made.unguarded = unguarded_macros(tokens_);
  made.launches = launches_;
  made.texture_modes = texture_modes_of(tokens_);
  made.missing = flat_.missing;
  made.types = types_;
  return made;
}

}  // namespace warpwright::job

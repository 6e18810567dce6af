// Reads calls in host code: allocations, properties of the device, and what callers pass.
#include "kernels/job/text/host_calls.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <string_view>

#include "kernels/job/text/signatures.hpp"

namespace warpwright::job {
namespace {

/// The position after the bracket of a `for`: its variables have another value in each iteration.
std::size_t behind_loop(const Tokens& tokens, std::size_t at) {
  return tokens.is(at, "for") && tokens.is(at + 1, "(") ? closing_bracket(tokens, at + 1) : at;
}

/// Whether an operator such as `+=` or `>>=` begins at a token.
bool is_compound_assignment(const Tokens& tokens, std::size_t at) {
  if (at >= tokens.size()) return false;
  const std::string_view first = tokens.view(at);
  if ((first == "<" || first == ">") && tokens.is(at + 1, first))
    ++at;
  else if (std::string_view("+-*/%&|^").find(first) == std::string_view::npos)
    return false;
  return tokens.is(at + 1, "=") && tokens[at].end == tokens[at + 1].begin;
}

/// Functions of CUDA that allocate memory: their arguments are the address of the pointer, and the size.
constexpr std::array<std::string_view, 5> allocating = {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
                                                        "cudaMallocHost", "cudaHostAlloc"};

/// The value of an argument in a call, if it consists of literals, or of variables with such values.
std::optional<std::string> literal_of(const std::string& spelling, const Items& found,
                                      const std::map<std::string, std::string>& locals, int depth = 0) {
  constexpr int deepest_call = 8;
  constexpr std::array<std::string_view, 12> known = {"true",   "false", "int",  "unsigned", "long",   "float",
                                                      "double", "half",  "char", "short",    "size_t", "__half"};
  if (depth > deepest_call || spelling.empty()) return std::nullopt;
  const Tokens tokens(spelling, "");
  std::string made;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string word(tokens.view(i));
    if (word == "::" || word == "." || word == "->" || word == "&" || tokens[i].kind == TokenKind::literal)
      return std::nullopt;
    std::string part = word;
    if (tokens.is_word(i) && !is_one_of(word, known) && !word.starts_with("__") && !found.macros.contains(word)) {
      const auto local = locals.find(word);
      const auto value = local == locals.end() ? std::nullopt : literal_of(local->second, found, locals, depth + 1);
      if (!value) return std::nullopt;
      part = tokens.size() == 1 ? *value : "(" + *value + ")";
    }
    made += (!made.empty() && is_of_a_word(made.back()) && is_of_a_word(part.front()) ? " " : "") + part;
  }
  return made;
}

/// The sizes of `std::vector<float> a(n), b(n, 0)`, under the names "a.size" and "b.size". `at`: the bracket "<".
void read_vectors(const Tokens& tokens, std::size_t at, std::size_t last, std::map<std::string, std::string>& locals) {
  for (int depth = 1; depth > 0 && ++at < last;) depth += tokens.is(at, "<") ? 1 : tokens.is(at, ">") ? -1 : 0;
  while (++at + 1 < last && tokens.is_word(at) && tokens.is(at + 1, "(")) {
    const std::size_t close = closing_bracket(tokens, at + 1);
    if (const auto given = spelt_list(tokens, at + 2, close, true); !given.empty())
      locals[std::string(tokens.view(at)) + ".size"] = given.front();
    at = close + 1;
    if (!tokens.is(at, ",")) break;
  }
}

struct Call {
  std::vector<std::string> template_arguments, arguments;
};

/// The call of the function whose name is at that token; empty if that is no call.
std::optional<Call> call_at(const Tokens& tokens, std::size_t at) {
  Call call;
  std::size_t open = at + 1;
  if (tokens.is(open, "<")) {
    std::size_t close = open + 1;
    while (close < tokens.size() && !tokens.is(close, ">") && !tokens.is(close, ";")) ++close;
    call.template_arguments = spelt_list(tokens, open + 1, close, true);
    open = close + 1;
  }
  if (!tokens.is(open, "(")) return std::nullopt;
  const std::size_t close = closing_bracket(tokens, open);
  if (close >= tokens.size()) return std::nullopt;
  call.arguments = spelt_list(tokens, open + 1, close, false);
  return call;
}

}  // namespace

std::size_t end_of_value(const Tokens& tokens, std::size_t at, std::size_t last) {
  int depth = 0;
  for (; at < last; ++at) {
    const std::string_view text = tokens.view(at);
    if (depth == 0 && (text == "," || text == ";" || closes_bracket(text))) break;
    depth += opens_bracket(text) ? 1 : closes_bracket(text) ? -1 : 0;
  }
  return at;
}

std::vector<std::string> spelt_list(const Tokens& tokens, std::size_t first, std::size_t last, bool angles) {
  std::vector<std::string> parts;
  for (const auto& [begin, end] : split_at_commas(tokens, first, last, angles))
    parts.push_back(tokens.spelling(begin, end));
  return parts;
}

std::string pointed_to(const Tokens& tokens, std::size_t first, std::size_t last) {
  while (first < last && (tokens.is(first, "(") || tokens.is(first, "&")))
    first = tokens.is(first, "(") ? closing_bracket(tokens, first) + 1 : first + 1;
  return tokens.spelling(first, std::max(first, last));
}

std::map<std::string, std::string> locals_of(const Tokens& tokens, std::size_t first, std::size_t last) {
  std::map<std::string, std::string> locals;
  for (std::size_t i = first; i + 2 < last; ++i) {
    i = behind_loop(tokens, i);
    if (!tokens.is_word(i)) continue;
    const bool assigns = tokens.is(i + 1, "=") && !tokens.is(i + 2, "=");
    // `void* arguments[] = {&x, &n};`
    if (tokens.is(i + 1, "[") && tokens.is(i + 2, "]") && tokens.is(i + 3, "=")) {
      locals[std::string(tokens.view(i))] = tokens.spelling(i + 4, end_of_value(tokens, i + 4, last));
      continue;
    }
    if (assigns) {
      std::string name(tokens.view(i));
      if (i > first && tokens.is(i - 1, "->")) continue;
      if (i > first + 1 && tokens.is(i - 1, ".")) name = std::string(tokens.view(i - 2)) + "." + name;
      locals[name] = tokens.spelling(i + 2, end_of_value(tokens, i + 2, last));
      continue;
    }
    // It is not known how often the loop around `total += count[i]` runs.
    if (is_compound_assignment(tokens, i + 1)) {
      locals[std::string(tokens.view(i))] = kUnknown;
      continue;
    }
    // `Params params{rows, 0.5f};`, if it is not the body of a function
    if (tokens.is_word(i + 1) && tokens.is(i + 2, "{") && !tokens.is(i, "dim3")) {
      const std::size_t close = closing_bracket(tokens, i + 2);
      if (tokens.is(close + 1, ";")) locals[std::string(tokens.view(i + 1))] = tokens.spelling(i + 2, close + 1);
      continue;
    }
    if (tokens.is(i, "vector") && tokens.is(i + 1, "<")) {
      read_vectors(tokens, i + 1, last, locals);
      continue;
    }
    if (!tokens.is(i, "dim3")) continue;
    // One or more declarators: dim3 grid(4), block(32, 8)
    for (std::size_t at = i + 1; tokens.is_word(at); ++at) {
      if (tokens.is(at + 1, "(") || tokens.is(at + 1, "{")) {
        const std::size_t close = closing_bracket(tokens, at + 1);
        locals[std::string(tokens.view(at))] = "dim3(" + tokens.spelling(at + 2, close) + ")";
        at = close + 1;
      } else {
        at = end_of_value(tokens, at, last);
      }
      if (!tokens.is(at, ",")) break;
    }
  }
  return locals;
}

std::map<std::string, std::string> allocations_in(const Tokens& tokens, std::size_t first, std::size_t last,
                                                  std::map<std::string, std::string>& locals) {
  std::map<std::string, std::string> bytes;
  for (std::size_t i = first; i + 1 < last; ++i) {
    if (!tokens.is_word(i) || !tokens.view(i).starts_with("cuda")) continue;
    const auto call = call_at(tokens, i);
    if (!call || call->arguments.size() < 2) continue;
    const auto address = [&](std::size_t number) {
      const Tokens argument(call->arguments[number], "");
      return pointed_to(argument, 0, argument.size());
    };
    const auto& given = call->arguments;
    if (is_one_of(tokens.view(i), allocating)) bytes[address(0)] = given[1];
    if (tokens.is(i, "cudaMallocPitch") && given.size() == 4) {
      bytes[address(0)] = "(" + given[2] + ")*(" + given[3] + ")";
      locals[address(1)] = given[2];
    }
    if (tokens.is(i, "cudaDeviceGetAttribute")) {
      const auto known = std::ranges::find(device_properties, given[1], &DeviceProperty::attribute);
      locals[address(0)] = known == device_properties.end() ? kUnknown : std::string(known->name);
    }
    if (tokens.view(i).starts_with("cudaOccupancy") || tokens.is(i, "cudaGetDeviceCount"))
      for (std::size_t number = 0; number < given.size() && given[number].starts_with("&"); ++number)
        locals[address(number)] = kUnknown;
  }
  return bytes;
}

namespace {

/// The names of a function's parameters, and the first call of it in another function of the host code.
struct CalledBy {
  std::vector<std::string> parameters;
  GlobalFunction signature;
  const Item* caller = nullptr;
  std::size_t at = 0;
  Call call = {};
};

std::optional<CalledBy> first_call(const Tokens& tokens, const Items& found, const Item& function) {
  if (function.names.empty() || !tokens.is(function.parameters, "(")) return std::nullopt;
  CalledBy made{.parameters = {}, .signature = signature_of(tokens, function)};
  for (const Parameter& parameter : made.signature.parameters) made.parameters.push_back(parameter.name);
  for (const Item& caller : found.items) {
    if (caller.kind != ItemKind::function || !caller.is_definition || caller.first == function.first ||
        caller.is_device || caller.is_global)
      continue;
    for (std::size_t i = closing_bracket(tokens, caller.parameters) + 1; i + 1 < caller.last; ++i) {
      if (found.dead[i] || !tokens.is(i, function.names.front())) continue;
      const auto call = call_at(tokens, i);
      if (!call || call->arguments.size() > made.parameters.size()) continue;
      made.caller = &caller;
      made.at = i;
      made.call = *call;
      return made;
    }
  }
  return std::nullopt;
}

constexpr int deepest_call = 3;

bool is_a_variable(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, [](char one) { return is_of_a_word(one); });
}

}  // namespace

std::map<std::string, std::string> passed_by_callers(const Tokens& tokens, const Items& found, const Item& function,
                                                     int depth) {
  std::map<std::string, std::string> passed;
  if (depth > deepest_call) return passed;
  const auto by = first_call(tokens, found, function);
  if (!by) return passed;
  auto values = locals_of(tokens, by->caller->first, by->at);
  values.merge(passed_by_callers(tokens, found, *by->caller, depth + 1));
  const auto take = [&](const std::vector<std::string>& names, const std::vector<std::string>& given) {
    for (std::size_t k = 0; k < given.size() && k < names.size(); ++k)
      if (const auto value = literal_of(given[k], found, values)) passed[names[k]] = *value;
  };
  take(by->parameters, by->call.arguments);
  take(template_names(by->signature), by->call.template_arguments);
  return passed;
}

std::map<std::string, std::string> allocated_by_callers(const Tokens& tokens, const Items& found, const Item& function,
                                                        int depth) {
  std::map<std::string, std::string> bytes;
  if (depth > deepest_call) return bytes;
  const auto by = first_call(tokens, found, function);
  if (!by) return bytes;
  auto locals = locals_of(tokens, by->caller->first, by->at);
  auto known = allocations_in(tokens, by->caller->first, by->at, locals);
  known.merge(allocated_by_callers(tokens, found, *by->caller, depth + 1));
  const auto& given = by->call.arguments;
  std::map<std::string, std::string> names;  // of the caller's variables in the function
  for (std::size_t k = 0; k < given.size(); ++k)
    if (is_a_variable(given[k])) names.emplace(given[k], by->parameters[k]);
  const std::function<std::string(const std::string&, int)> renamed = [&](const std::string& spelt, int within) {
    const Tokens words(spelt, "");
    std::string made;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string word(words.view(i));
      const auto name = names.find(word);
      const auto local = locals.find(word);
      if (name != names.end())
        word = name->second;
      else if (local != locals.end() && within < deepest_call)
        word = "(" + renamed(local->second, within + 1) + ")";
      made += (!made.empty() && is_of_a_word(made.back()) && is_of_a_word(word.front()) ? " " : "") + word;
    }
    return made;
  };
  for (std::size_t k = 0; k < given.size(); ++k)
    if (const auto size = known.find(given[k]); size != known.end())
      bytes[by->parameters[k]] = renamed(size->second, 0);
  return bytes;
}

}  // namespace warpwright::job

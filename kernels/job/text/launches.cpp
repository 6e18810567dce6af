// Finds the launches of kernels in host code.
#include "kernels/job/text/launches.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/job/text/host_calls.hpp"

namespace warpwright::job {
namespace {

bool is_triple(const Tokens& tokens, std::size_t at, std::string_view bracket) {
  return tokens.is(at, bracket) && tokens.is(at + 1, bracket) && tokens.is(at + 2, bracket) &&
         tokens[at].end == tokens[at + 1].begin && tokens[at + 1].end == tokens[at + 2].begin;
}

/// The launch whose `<<<` begins here.
HostLaunch launch_at(const Tokens& tokens, std::size_t at) {
  HostLaunch launch{.kernel = "", .line = tokens.line_of(at)};
  std::size_t name = at - 1;
  if (tokens.is(name, ">")) {
    int depth = 0;
    std::size_t open = name;
    do {
      depth += tokens.is(open, ">") ? 1 : tokens.is(open, "<") ? -1 : 0;
    } while (depth > 0 && open-- > 0);
    launch.template_arguments = spelt_list(tokens, open + 1, name, true);
    name = open - 1;
  }
  std::size_t first = name;
  while (first >= 2 && tokens.is(first - 1, "::") && tokens.is_word(first - 2)) first -= 2;
  launch.kernel = tokens.spelling(first, name + 1);
  std::size_t end = at + 3;
  int depth = 0;
  for (; end < tokens.size() && (depth > 0 || !is_triple(tokens, end, ">")); ++end)
    depth += opens_bracket(tokens.view(end)) ? 1 : closes_bracket(tokens.view(end)) ? -1 : 0;
  launch.configuration = spelt_list(tokens, at + 3, end, false);
  if (tokens.is(end + 3, "(")) launch.arguments = spelt_list(tokens, end + 4, closing_bracket(tokens, end + 3), false);
  return launch;
}

constexpr std::array<std::string_view, 2> launching = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel"};

/// A launch by cudaLaunchKernel((void*)kernel, grid, block, arguments, shared, stream), whose name begins here.
/// `locals` has the array with the addresses of its arguments.
HostLaunch called_launch(const Tokens& tokens, std::size_t at, const std::map<std::string, std::string>& locals) {
  HostLaunch launch{.kernel = "", .line = tokens.line_of(at)};
  launch.cooperative = tokens.is(at, launching[1]);
  const std::size_t close = closing_bracket(tokens, at + 1);
  auto parts = split_at_commas(tokens, at + 2, close, true);
  if (parts.size() < 4) parts = split_at_commas(tokens, at + 2, close, false);  // "1 << 10" contains no opening bracket
  if (parts.size() < 4) return launch;
  const Tokens kernel(pointed_to(tokens, parts[0].first, parts[0].second), "");
  std::size_t name_end = 0;
  while (name_end < kernel.size() && !kernel.is(name_end, "<")) ++name_end;
  launch.kernel = kernel.spelling(0, name_end);
  if (name_end + 1 < kernel.size())
    launch.template_arguments = spelt_list(kernel, name_end + 1, kernel.size() - 1, true);
  for (const std::size_t part : {1, 2, 4})
    if (part < parts.size()) launch.configuration.push_back(tokens.spelling(parts[part].first, parts[part].second));
  if (const auto given = locals.find(tokens.spelling(parts[3].first, parts[3].second)); given != locals.end()) {
    const Tokens list(given->second, "");
    if (list.is(0, "{"))
      for (const auto& [first, last] : split_at_commas(list, 1, closing_bracket(list, 0), false))
        launch.arguments.push_back(pointed_to(list, first, last));
  }
  return launch;
}

/// Type parameters of the surrounding template have the types that its caller gives, or else none.
void set_types_of(const Tokens& tokens, const Item& item, HostLaunch& launch) {
  for (const auto& [first, last] : split_at_commas(tokens, item.template_first, item.template_last, true))
    if (tokens.is(first, "typename") || tokens.is(first, "class")) {
      const std::string type(tokens.view(first + 1));
      const auto passed = launch.passed.find(type);
      std::ranges::replace(launch.template_arguments, type, passed == launch.passed.end() ? "" : passed->second);
      launch.open_types.insert(type);
    }
}

/// Finds the declarations of the arguments before the launch at that token: `float *x, *y;`.
void set_pointees(const Tokens& tokens, std::size_t first, std::size_t at, HostLaunch& launch) {
  std::string type;  // of the declaration
  for (std::size_t i = first; i + 2 < at; ++i) {
    if (tokens.is(i, ";")) type.clear();
    if (!tokens.is(i + 1, "*") || !tokens.is_word(i + 2)) continue;
    if (tokens.is_word(i)) type = std::string(tokens.view(i));
    const std::string name(tokens.view(i + 2));
    if (!type.empty() && std::ranges::find(launch.arguments, name) != launch.arguments.end()) {
      const auto passed = launch.passed.find(type);
      launch.pointees[name] = passed == launch.passed.end() ? type : passed->second;
    }
  }
}

/// Reads the bracket after `for`. Sets nothing if the loop does not count from 0 in steps of 1.
void read_loop(const Tokens& tokens, std::size_t open, HostLaunch& launch) {
  launch.loop_variable.clear();
  const std::size_t close = closing_bracket(tokens, open);
  const auto end_of_part = [&](std::size_t at) {
    while (at < close && !tokens.is(at, ";")) ++at;
    return at;
  };
  const std::size_t condition = end_of_part(open + 1) + 1, step = end_of_part(condition) + 1;
  if (step >= close || condition < open + 5) return;
  const std::string name(tokens.view(condition));
  const bool begins = tokens.is(condition - 4, name) && tokens.is(condition - 3, "=") && tokens.is(condition - 2, "0");
  const bool ends = tokens.is(condition + 1, "<") && !tokens.is(condition + 2, "=");
  const std::string by = tokens.spelling(step, close);
  if (!begins || !ends || (by != "++" + name && by != name + "++")) return;
  launch.loop_variable = name;
  launch.loop_rounds = tokens.spelling(condition + 2, step - 1);
}

/// The innermost loop around the launch at that token.
void set_loop(const Tokens& tokens, std::size_t first, std::size_t at, HostLaunch& launch) {
  for (std::size_t i = first; i < at; ++i) {
    if (!tokens.is(i, "for") || !tokens.is(i + 1, "(")) continue;
    const std::size_t body = closing_bracket(tokens, i + 1) + 1;
    std::size_t end = tokens.is(body, "{") ? closing_bracket(tokens, body) : body;
    while (end < tokens.size() && !tokens.is(body, "{") && !tokens.is(end, ";")) ++end;
    if (body >= at || at >= end) continue;
    if (tokens.is(i + 4, "=")) launch.changed.emplace(tokens.view(i + 3));  // for (int k = 0;
    read_loop(tokens, i + 1, launch);
  }
  const auto is_passed = [&](const std::string& argument) {
    return std::ranges::any_of(words_in(argument), [&](const auto& word) { return word == launch.loop_variable; });
  };
  if (std::ranges::none_of(launch.arguments, is_passed)) launch.loop_variable.clear();
  launch.changed.erase(launch.loop_variable);
}

}  // namespace

std::vector<HostLaunch> launches_in(const Tokens& tokens, const Items& found) {
  std::vector<HostLaunch> launches;
  std::map<std::string, std::string> constants;  // of the whole file
  for (const Item& item : found.items)
    if (item.kind == ItemKind::variable && item.is_const && !found.passed_by[item.first])
      constants.merge(locals_of(tokens, item.first, item.last));
  for (const Item& item : found.items) {
    for (std::size_t i = item.first; i + 2 < item.last; ++i) {
      if (i == 0 || found.dead[i]) continue;
      const bool is_called = is_one_of(tokens.view(i), launching) && tokens.is(i + 1, "(");
      if (!is_called && !is_triple(tokens, i, "<")) continue;
      auto locals = locals_of(tokens, item.first, i);
      HostLaunch launch = is_called ? called_launch(tokens, i, locals) : launch_at(tokens, i);
      launch.allocations = allocations_in(tokens, item.first, i, locals);
      if (item.kind == ItemKind::function) {
        launch.passed = passed_by_callers(tokens, found, item);
        launch.allocations.merge(allocated_by_callers(tokens, found, item));
      }
      set_types_of(tokens, item, launch);
      set_pointees(tokens, item.first, i, launch);
      set_loop(tokens, item.first, i, launch);
      launch.locals = std::move(locals);
      launch.locals.insert(constants.begin(), constants.end());
      launches.push_back(std::move(launch));
    }
  }
  return launches;
}

bool launches_within(const Tokens& tokens, const Item& item) {
  for (std::size_t i = item.first; i + 2 < item.last; ++i)
    if (is_triple(tokens, i, "<")) return true;
  return false;
}

}  // namespace warpwright::job

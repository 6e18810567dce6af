// How the host code that is left out launches kernels.
#include "kernels/job/text/launches.hpp"

#include <string_view>

namespace warpwright::job {
namespace {

bool is_triple(const Tokens& tokens, std::size_t at, std::string_view bracket) {
  return tokens.is(at, bracket) && tokens.is(at + 1, bracket) && tokens.is(at + 2, bracket) &&
         tokens[at].end == tokens[at + 1].begin && tokens[at + 1].end == tokens[at + 2].begin;
}

std::vector<std::string> spelt(const Tokens& tokens, std::size_t first, std::size_t last, bool angles) {
  std::vector<std::string> parts;
  for (const auto& [begin, end] : split_at_commas(tokens, first, last, angles))
    parts.push_back(tokens.spelling(begin, end));
  return parts;
}

/// The launch whose `<<<` begins there.
HostLaunch launch_at(const Tokens& tokens, std::size_t at) {
  HostLaunch launch{.kernel = "", .line = tokens.line_of(at)};
  std::size_t name = at - 1;
  if (tokens.is(name, ">")) {
    int depth = 0;
    std::size_t open = name;
    do {
      depth += tokens.is(open, ">") ? 1 : tokens.is(open, "<") ? -1 : 0;
    } while (depth > 0 && open-- > 0);
    launch.template_arguments = spelt(tokens, open + 1, name, true);
    name = open - 1;
  }
  std::size_t first = name;
  while (first >= 2 && tokens.is(first - 1, "::") && tokens.is_word(first - 2)) first -= 2;
  launch.kernel = tokens.spelling(first, name + 1);
  std::size_t end = at + 3;
  int depth = 0;
  for (; end < tokens.size() && (depth > 0 || !is_triple(tokens, end, ">")); ++end)
    depth += opens_bracket(tokens.view(end)) ? 1 : closes_bracket(tokens.view(end)) ? -1 : 0;
  launch.configuration = spelt(tokens, at + 3, end, false);
  if (tokens.is(end + 3, "(")) launch.arguments = spelt(tokens, end + 4, closing_bracket(tokens, end + 3), false);
  return launch;
}

/// Behind the bracket of a `for`: what is declared there has another value in each turn.
std::size_t behind_loop(const Tokens& tokens, std::size_t at) {
  return tokens.is(at, "for") && tokens.is(at + 1, "(") ? closing_bracket(tokens, at + 1) : at;
}

/// The end of an initialiser: its comma, semicolon, or the bracket around it.
std::size_t end_of_value(const Tokens& tokens, std::size_t at, std::size_t last) {
  int depth = 0;
  for (; at < last; ++at) {
    const std::string_view text = tokens.view(at);
    if (depth == 0 && (text == "," || text == ";" || closes_bracket(text))) break;
    depth += opens_bracket(text) ? 1 : closes_bracket(text) ? -1 : 0;
  }
  return at;
}

/// Variables that the tokens [first, last) of a function give a value, the last one each: `int blocks = n / 256`,
/// `dim3 block(32, 8)` as "dim3(32,8)", `Params p{n}` as "{n}", `grid.x = 4` by the name "grid.x".
std::map<std::string, std::string> locals_of(const Tokens& tokens, std::size_t first, std::size_t last) {
  std::map<std::string, std::string> locals;
  for (std::size_t i = first; i + 2 < last; ++i) {
    i = behind_loop(tokens, i);
    if (!tokens.is_word(i)) continue;
    const bool assigns = tokens.is(i + 1, "=") && !tokens.is(i + 2, "=");
    if (assigns) {
      std::string name(tokens.view(i));
      if (i > first && tokens.is(i - 1, "->")) continue;
      if (i > first + 1 && tokens.is(i - 1, ".")) name = std::string(tokens.view(i - 2)) + "." + name;
      locals[name] = tokens.spelling(i + 2, end_of_value(tokens, i + 2, last));
      continue;
    }
    // `Params params{rows, 0.5f};`, where it is no function's body
    if (tokens.is_word(i + 1) && tokens.is(i + 2, "{") && !tokens.is(i, "dim3")) {
      const std::size_t close = closing_bracket(tokens, i + 2);
      if (tokens.is(close + 1, ";")) locals[std::string(tokens.view(i + 1))] = tokens.spelling(i + 2, close + 1);
      continue;
    }
    if (!tokens.is(i, "dim3")) continue;
    // One or several: dim3 grid(4), block(32, 8)
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

}  // namespace

std::vector<HostLaunch> launches_in(const Tokens& tokens, const Items& found) {
  std::vector<HostLaunch> launches;
  std::map<std::string, std::string> constants;  // of the file
  for (const Item& item : found.items)
    if (item.kind == ItemKind::variable && item.is_const) constants.merge(locals_of(tokens, item.first, item.last));
  for (const Item& item : found.items) {
    for (std::size_t i = item.first; i + 2 < item.last; ++i) {
      if (i == 0 || found.dead[i] || !is_triple(tokens, i, "<")) continue;
      HostLaunch launch = launch_at(tokens, i);
      launch.locals = locals_of(tokens, item.first, i);
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

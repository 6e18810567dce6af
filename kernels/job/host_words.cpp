// Translates numbers in host code (a grid, a block, an argument) to expressions of a job.
#include "kernels/job/host_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/core/text.hpp"
#include "kernels/job/draft_words.hpp"
#include "kernels/job/expression.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/text/host_calls.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {
namespace {

constexpr int kDeepest = 16;

bool is_of_device(std::string_view word, std::string_view DeviceProperty::*how) {
  return std::ranges::find(device_properties, word, how) != device_properties.end();
}

/// The value as an integer, if it is one and not too large for a job.
std::optional<std::int64_t> whole_of(Value value) {
  constexpr Value kMost = 9e15L;
  return is_whole(value) && std::abs(value) <= kMost ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

/// Whether these words in brackets are a type, so that the brackets are a cast.
bool is_type(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 3> kParts{"unsigned", "signed", "const"};
  return !words.empty() && std::ranges::all_of(words, [&](const std::string& word) {
    return is_one_of(word, kParts) || type_word(word).has_value();
  });
}

/// Names of functions that divide and round up: ceil_div, cdiv, div_up, iDivUp, CEIL_DIV, divide_round_up, ...
bool rounds_up(std::string name) {
  name = lower_case(name);
  std::erase(name, '_');
  for (const char* part : {"ceildiv", "cdiv", "divup", "divideup", "divroundup", "divideroundup", "updiv", "divceil"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

/// The arguments in "dim3(a, b)"; empty for another text.
std::optional<std::vector<std::string>> parts_of_dim3(const std::string& spelt) {
  const Tokens tokens(spelt, "");
  if (!tokens.is(0, "dim3") || closing_bracket(tokens, 1) + 1 != tokens.size()) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto& [first, last] : split_at_commas(tokens, 2, tokens.size() - 1, false))
    parts.push_back(tokens.spelling(first, last));
  return parts;
}

/// A number in a job's syntax: decimal, without the suffixes of C++.
std::string number_of(const std::string& word) {
  if (const auto number = whole_number(word); number && word.find_first_of("xXbB'") != std::string::npos)
    return std::to_string(*number);
  return word.substr(0, word.find_last_not_of(is_hexadecimal(word) ? "uUlL" : "uUlLfF") + 1);
}

/// Whether the token is the second character of an operator such as "<<", "==" or "&&".
bool continues_sign(const Tokens& tokens, std::size_t at) {
  constexpr std::string_view kSigns = "<>=&|!";
  const auto is_part = [&](std::size_t i) { return kSigns.find(tokens.view(i)) != std::string_view::npos; };
  return at > 0 && is_part(at) && is_part(at - 1) && tokens[at - 1].end == tokens[at].begin;
}

/// Translates the tokens of one expression. `fails` becomes true if a job cannot express it.
class Translation {
 public:
  Translation(const DeviceText& text, const HostLaunch& launch, const std::map<std::string, std::string>& names,
              int depth)
      : text_(text), launch_(launch), names_(names), depth_(depth) {}

  std::optional<std::string> of(const std::string& spelt) const {
    if (depth_ > kDeepest || spelt.empty()) return std::nullopt;
    try {
      const Tokens tokens(spelt, "");
      // An initialiser of a variable: int threads{256};
      const bool is_braced = tokens.is(0, "{") && closing_bracket(tokens, 0) + 1 == tokens.size();
      return is_braced ? range(tokens, 1, tokens.size() - 1) : range(tokens, 0, tokens.size());
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

 private:
  std::optional<std::string> range(const Tokens& tokens, std::size_t first, std::size_t last) const {
    std::string made;
    std::size_t product = 0;  // where the product that is read begins
    for (std::size_t i = first, begin = i; i < last; begin = i) {
      // C truncates, and a job's "/" rounds down: another quotient if what is divided may be negative.
      if (tokens.is(i, "/") && may_be_negative(made.substr(product))) {
        const auto divisor = one(tokens, ++i, last);
        if (!divisor || divisor->empty()) return std::nullopt;
        product = std::min(made.find_first_not_of(' ', product), made.size());
        made = fmt::format("{}trunc_div({}, {})", made.substr(0, product), made.substr(product), *divisor);
        continue;
      }
      const auto part = one(tokens, i, last);
      if (!part) return std::nullopt;
      const bool is_joined = part->empty() || made.empty() || made.back() == '(' || *part == ")" || *part == "," ||
                             continues_sign(tokens, begin);
      made += (is_joined ? "" : " ") + *part;
      constexpr std::string_view kFactors = "*/%";
      if (tokens[begin].kind == TokenKind::punctuation && part->size() == 1 &&
          kFactors.find(*part) == std::string::npos)
        product = made.size();
    }
    return made;
  }

  /// Whether the whole number may be negative, that is, whether it is if all sizes are 1.
  bool may_be_negative(const std::string& made) const {
    if (made.find('-') == std::string::npos || made.find('.') != std::string::npos) return false;
    try {
      const Expression expression = Expression::parse(made);
      Names least;
      for (const std::string& name : expression.names()) {
        const auto macro = text_.macros.find(name);
        const auto number = macro == text_.macros.end() ? std::nullopt : whole_number(macro->second);
        least[name] = static_cast<Value>(number.value_or(1));
      }
      return expression.value(least) < 0;
    } catch (const ExpressionError&) {
      return false;
    }
  }

  /// Translates the operand that begins at `at`, and moves `at` behind it.
  std::optional<std::string> one(const Tokens& tokens, std::size_t& at, std::size_t last) const {
    const std::size_t i = at;
    const std::string word(tokens.view(i));
    if (word == "(") {
      const std::size_t close = closing_bracket(tokens, i);
      if (close >= last) return std::nullopt;
      at = close + 1;
      if (is_type(words_in(tokens.spelling(i + 1, close))) && at < last) return "";
      const auto inner = range(tokens, i + 1, close);
      return inner ? std::optional("(" + *inner + ")") : std::nullopt;
    }
    ++at;
    if (tokens[i].kind == TokenKind::number) return number_of(word);
    if (!tokens.is_word(i))
      return tokens[i].kind == TokenKind::literal || word == "->" ? std::nullopt : std::optional(word);
    if (tokens.is(at, "::")) {
      ++at;
      const std::string next(at < last ? tokens.view(at) : "");
      const bool is_known = word == "std" || text_.constants.contains(next) || text_.host_constants.contains(next);
      return is_known ? std::optional<std::string>("") : std::nullopt;
    }
    if (tokens.is(at, "<") && word.ends_with("_cast")) {
      while (at < last && !tokens.is(at, ">")) ++at;
      ++at;
      return "";
    }
    if (tokens.is(at, "(")) {
      const std::size_t close = closing_bracket(tokens, at);
      const std::size_t open = at;
      at = close + 1;
      return call(tokens, word, open, close);
    }
    if ((tokens.is(at, ".") || tokens.is(at, "->")) && tokens.is_word(at + 1)) {
      const std::string member(tokens.view(at + 1));
      at += 2;
      if (member == "size" && tokens.is(at, "(") && tokens.is(at + 1, ")")) at += 2;
      if (const auto property = std::ranges::find(device_properties, member, &DeviceProperty::member);
          property != device_properties.end())
        return std::string(property->name);
      const auto local = launch_.locals.find(word + "." + member);
      return local == launch_.locals.end() ? of_dim3(word, member) : nested(local->second);
    }
    return name(word);
  }

  /// A member of a variable `dim3 block(32, 8)`.
  std::optional<std::string> of_dim3(const std::string& variable, const std::string& member) const {
    const auto local = launch_.locals.find(variable);
    const std::size_t number = member == "x" ? 0 : member == "y" ? 1 : 2;
    const auto parts = local == launch_.locals.end() ? std::nullopt : parts_of_dim3(local->second);
    if (!parts) return std::nullopt;
    return number < parts->size() ? nested(parts->at(number)) : "1";
  }

  std::optional<std::string> name(const std::string& word) const {
    if (const auto known = names_.find(word); known != names_.end()) return known->second;
    if (const auto local = launch_.locals.find(word); local != launch_.locals.end()) {
      if (local->second == kUnknown) return std::nullopt;
      // n = (n + 63) / 64 * 64: in its own initialiser, a variable means its earlier value.
      if (std::ranges::find(within_, word) != within_.end()) return word;
      if (auto value = nested(local->second, word)) return value;
    }
    // A macro that is defined by others, or is used only in host code, is replaced by its value.
    if (const auto macro = text_.macros.find(word);
        macro != text_.macros.end() && !macro->second.empty() && !whole_number(macro->second))
      return nested(macro->second);
    if (const auto macro = text_.host_macros.find(word); macro != text_.host_macros.end()) return nested(macro->second);
    // The size of a warp is the same on every device, wherever the host code has it from.
    std::string letters = lower_case(word);
    std::erase(letters, '_');
    return letters == "warpsize" ? "32" : word;
  }

  /// `variable`: the one whose value this is, if there is one.
  std::optional<std::string> nested(const std::string& spelt, const std::string& variable = "") const {
    Translation inner(text_, launch_, names_, depth_ + 1);
    inner.within_ = within_;
    if (!variable.empty()) inner.within_.push_back(variable);
    auto value = inner.of(spelt);
    if (value && value->find(' ') != std::string::npos && !value->starts_with("ceil_div(")) value = "(" + *value + ")";
    return value;
  }

  std::optional<std::string> call(const Tokens& tokens, const std::string& word, std::size_t open,
                                  std::size_t close) const {
    if (word == "sizeof") {
      std::string type = tokens.spelling(open + 1, close);
      if (const auto passed = launch_.passed.find(type); passed != launch_.passed.end()) type = passed->second;
      const auto known = type_word(launch_.open_types.contains(type) ? kOpenType : meant_type(text_.types, type));
      return known ? std::optional(std::to_string(size_of(known->element) * static_cast<std::size_t>(known->lanes)))
                   : std::nullopt;
    }
    const auto parts = split_at_commas(tokens, open + 1, close, false);
    std::vector<std::string> made;
    for (const auto& [first, last] : parts) {
      auto part = range(tokens, first, last);
      if (!part) return std::nullopt;
      made.push_back(std::move(*part));
    }
    if (made.size() == 2 && rounds_up(word)) return fmt::format("ceil_div({}, {})", made[0], made[1]);
    if (made.size() == 1 && (word == "ceil" || word == "ceilf")) return rounded_up(tokens, open + 1, close);
    if (made.size() == 2 && (word == "min" || word == "max")) return fmt::format("{}({}, {})", word, made[0], made[1]);
    const bool converts = is_type({word}) || (word.starts_with("__") && word.find('2') != std::string::npos);
    if (made.size() == 1 && converts) return "(" + made[0] + ")";  // half(x), __float2half(x)
    return std::nullopt;
  }

  /// ceil(a / b), where b is everything after the last '/'.
  std::optional<std::string> rounded_up(const Tokens& tokens, std::size_t first, std::size_t last) const {
    std::size_t sign = last;
    int depth = 0;
    for (std::size_t i = first; i < last; ++i) {
      depth += opens_bracket(tokens.view(i)) ? 1 : closes_bracket(tokens.view(i)) ? -1 : 0;
      if (depth > 0) continue;
      if (tokens.is(i, "/")) sign = i;
      if (tokens.is(i, "+") || tokens.is(i, "-")) return std::nullopt;
    }
    const auto above = sign == last ? range(tokens, first, last) : range(tokens, first, sign);
    if (sign == last || !above) return above;
    const auto below = range(tokens, sign + 1, last);
    return below ? std::optional(fmt::format("ceil_div({}, {})", *above, *below)) : std::nullopt;
  }

  const DeviceText& text_;
  const HostLaunch& launch_;
  const std::map<std::string, std::string>& names_;
  int depth_;
  std::vector<std::string> within_ = {};  ///< variables whose values are being translated
};

}  // namespace

std::optional<std::string> HostWords::expression(const std::string& spelt) const {
  auto made = Translation(text_, launch_, names_, 0).of(spelt);
  if (!made) return made;
  try {
    (void)Expression::parse(*made);
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
  return made;
}

std::optional<std::vector<std::string>> HostWords::parts_of_extent(const std::string& spelt) const {
  std::string text = spelt;
  std::vector<std::string> parts;
  if (const auto local = launch_.locals.find(text); local != launch_.locals.end() && !names_.contains(text))
    text = local->second;
  parts = parts_of_dim3(text).value_or(std::vector<std::string>{text});
  constexpr std::array<const char*, 3> kMembers{".x", ".y", ".z"};
  for (std::size_t i = 0; i < kMembers.size(); ++i)
    if (const auto member = launch_.locals.find(spelt + kMembers[i]); member != launch_.locals.end()) {
      if (parts.size() <= i) parts.resize(i + 1, "1");
      parts[i] = member->second;
    }
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  return parts;
}

std::optional<std::vector<std::string>> HostWords::extent(const std::string& spelt) const {
  auto found = parts_of_extent(spelt);
  if (!found) return std::nullopt;
  std::vector<std::string>& parts = *found;
  for (std::string& part : parts) {
    const auto made = expression(part);
    if (!made) return std::nullopt;
    part = *made;
  }
  while (parts.size() > 1 && parts.back() == "1") parts.pop_back();
  return parts;
}

std::optional<Value> HostWords::value(const std::string& spelt) const {
  HostLaunch called = launch_;
  called.locals.insert(launch_.passed.begin(), launch_.passed.end());
  const auto made = Translation(text_, called, {}, 0).of(spelt);
  if (!made || made->empty()) return std::nullopt;
  try {
    return value_of(Expression::parse(*made), {});
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

std::optional<std::int64_t> HostWords::number(const std::string& spelt) const {
  const auto found = value(spelt);
  return found ? whole_of(*found) : std::nullopt;
}

std::optional<Value> HostWords::value_of(const Expression& expression, Names known,
                                         std::optional<Value> otherwise) const {
  for (const std::string& name : expression.names()) {
    if (known.contains(name)) continue;
    std::optional<Value> value = otherwise;
    for (const auto* all : {&text_.constants, &text_.macros})
      if (const auto found = all->find(name); found != all->end())
        if (const auto number = whole_number(found->second)) value = static_cast<Value>(*number);
    if (!value) return std::nullopt;
    known[name] = *value;
  }
  return expression.value(known);
}

bool HostWords::is_of_machine(const std::string& spelt, int depth) const {
  if (spelt == kUnknown) return true;
  return depth < kDeepest && std::ranges::any_of(words_in(spelt), [&](const std::string& word) {
           const auto local = launch_.locals.find(word);
           return is_of_device(word, &DeviceProperty::name) || is_of_device(word, &DeviceProperty::member) ||
                  (local != launch_.locals.end() && is_of_machine(local->second, depth + 1));
         });
}

std::set<std::string> HostWords::unknown(const std::string& expression) const {
  std::set<std::string> unknown;
  const Expression parsed = Expression::parse(expression);
  for (const std::string& name : parsed.names())
    if (!text_.macros.contains(name) && !is_of_device(name, &DeviceProperty::name)) unknown.insert(name);
  return unknown;
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  try {
    const Expression expression = Expression::parse(text);
    return expression.names().empty() ? whole_of(expression.value({})) : std::nullopt;
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

}  // namespace warpwright::job

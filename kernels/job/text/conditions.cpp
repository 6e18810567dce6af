// Evaluates conditions of the preprocessor, as far as possible before anything is compiled.
#include "kernels/job/text/conditions.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace warpwright::job {
namespace {

/// A deeper nesting means that a macro uses itself.
constexpr int deepest = 16;

/// Binary operators, lowest precedence first.
constexpr std::array<std::array<std::string_view, 4>, 9> levels = {
    {{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};

/// Whether the macro is one of the compilers or of CUDA's headers.
bool is_brought(const std::string& name) {
  return name.starts_with("__") || name.starts_with("CUDA") || name.starts_with("CUDART");
}

class Condition {
 public:
  Condition(const std::string& text, const std::map<std::string, std::string>& macros, int depth)
      : tokens_(text, ""), macros_(macros), depth_(depth) {}

  std::optional<long long> value() {
    const auto found = level(0);
    return at_ == tokens_.size() ? found : std::nullopt;
  }

 private:
  std::optional<long long> level(std::size_t number) {
    if (number == levels.size()) return operand();
    auto left = level(number + 1);
    for (std::string_view sign = operator_of(number); !sign.empty(); sign = operator_of(number)) {
      at_ += sign.size();
      const auto right = level(number + 1);
      left = applied(sign, left, right);
    }
    return left;
  }

  /// The operator of that level at this token. Each character of an operator is a token.
  std::string_view operator_of(std::size_t number) const {
    for (const std::string_view sign : levels[number]) {
      if (sign.empty() || !stands(sign)) continue;
      const bool is_part = sign.size() == 1 && (sign == "|" || sign == "&") && tokens_.is(at_ + 1, sign);
      if (!is_part) return sign;
    }
    return {};
  }

  bool stands(std::string_view sign) const {
    for (std::size_t i = 0; i < sign.size(); ++i)
      if (!tokens_.is(at_ + i, sign.substr(i, 1))) return false;
    return true;
  }

  static std::optional<long long> applied(std::string_view sign, std::optional<long long> a,
                                          std::optional<long long> b) {
    // One operand can be enough to know the result.
    if (sign == "&&" && ((a && *a == 0) || (b && *b == 0))) return 0;
    if (sign == "||" && ((a && *a != 0) || (b && *b != 0))) return 1;
    if (!a || !b) return std::nullopt;
    if (sign == "&&") return *a != 0 && *b != 0;
    if (sign == "||") return *a != 0 || *b != 0;
    if (sign == "|") return *a | *b;
    if (sign == "^") return *a ^ *b;
    if (sign == "&") return *a & *b;
    if (sign == "==") return *a == *b;
    if (sign == "!=") return *a != *b;
    if (sign == "<=") return *a <= *b;
    if (sign == ">=") return *a >= *b;
    if (sign == "<") return *a < *b;
    if (sign == ">") return *a > *b;
    if (sign == "+") return *a + *b;
    if (sign == "-") return *a - *b;
    if (sign == "*") return *a * *b;
    if (*b == 0) return std::nullopt;
    return sign == "/" ? *a / *b : *a % *b;
  }

  std::optional<long long> operand() {
    if (tokens_.is(at_, "!")) {
      ++at_;
      const auto turned = operand();
      return turned ? std::optional<long long>(*turned == 0) : std::nullopt;
    }
    if (tokens_.is(at_, "-")) {
      ++at_;
      const auto turned = operand();
      return turned ? std::optional(-*turned) : std::nullopt;
    }
    if (tokens_.is(at_, "(")) {
      ++at_;
      const auto inner = level(0);
      if (!tokens_.is(at_++, ")")) return std::nullopt;
      return inner;
    }
    if (at_ >= tokens_.size()) return std::nullopt;
    const std::string word(tokens_.view(at_++));
    if (word == "defined") return defined();
    if (tokens_[at_ - 1].kind == TokenKind::number) return std::strtoll(word.c_str(), nullptr, 0);
    if (const auto macro = macros_.find(word); macro != macros_.end())
      return depth_ > deepest ? std::nullopt : Condition(macro->second, macros_, depth_ + 1).value();
    if (tokens_[at_ - 1].kind != TokenKind::word || is_brought(word)) return std::nullopt;
    return 0;
  }

  std::optional<long long> defined() {
    const bool in_brackets = tokens_.is(at_, "(");
    if (in_brackets) ++at_;
    const std::string name(tokens_.view(at_++));
    if (in_brackets && !tokens_.is(at_++, ")")) return std::nullopt;
    if (macros_.contains(name)) return 1;
    return is_brought(name) ? std::nullopt : std::optional<long long>(0);
  }

  Tokens tokens_;
  const std::map<std::string, std::string>& macros_;
  int depth_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<long long> condition_value(const std::string& text, const std::map<std::string, std::string>& macros) {
  return Condition(text, macros, 0).value();
}

Definition definition_of(const Directive& line) {
  std::size_t end = 0;
  while (end < line.rest.size() && is_of_a_word(line.rest[end])) ++end;
  Definition made{.name = line.rest.substr(0, end), .body = line.rest.substr(end)};
  made.takes_arguments = made.body.starts_with("(");
  if (!made.takes_arguments) made.body.erase(0, std::min(made.body.find_first_not_of(" \t"), made.body.size()));
  return made;
}

void Branches::read(const Directive& line) {
  const auto value = [&]() -> std::optional<long long> {
    if (line.name == "ifdef") return condition_value("defined(" + line.rest + ")", defined_);
    if (line.name == "ifndef") return condition_value("!defined(" + line.rest + ")", defined_);
    return line.name == "else" ? 1 : condition_value(line.rest, defined_);
  };
  if (line.name.starts_with("if")) {
    branches_.push_back({.is_dead = line.name == "if" && line.rest == "0"});
    enter(value());
  } else if (line.name.starts_with("el") && !branches_.empty()) {
    branches_.back().is_dead = line.name == "elif" && line.rest == "0";
    enter(value());
  } else if (line.name == "endif" && !branches_.empty()) {
    branches_.pop_back();
  } else if (line.name == "define" && !is_passed_by()) {
    if (const Definition made = definition_of(line); !made.takes_arguments) defined_[made.name] = made.body;
  } else if (line.name == "undef" && !is_passed_by()) {
    defined_.erase(line.rest);
  }
}

/// The innermost condition has a branch with that value.
void Branches::enter(std::optional<long long> value) {
  Branch& branch = branches_.back();
  branch.is_passed_by = branch.is_taken || (value && *value == 0);
  branch.is_taken = branch.is_taken || (value && *value != 0);
}

bool Branches::is_dead() const {
  return std::ranges::any_of(branches_, &Branch::is_dead);
}

bool Branches::is_passed_by() const {
  return std::ranges::any_of(branches_, &Branch::is_passed_by);
}

}  // namespace warpwright::job

// Parses and evaluates the expressions of job files.
#include "kernels/job/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "kernels/job/functions.hpp"
#include "kernels/job/words.hpp"

namespace warpwright::job {
namespace {

using Node = Expression::Node;

bool holds(Value value) {
  return !std::isnan(value) && value != 0;
}

Value remainder_of(Value a, Value b) {
  return b == 0 ? kNone : a - b * std::floor(a / b);
}

Value on_bits(Value a, Value b, const std::function<std::int64_t(std::int64_t, std::int64_t)>& operation) {
  constexpr Value kMost = 9223372036854775807.0L;
  if (!is_whole(a) || !is_whole(b) || std::abs(a) > kMost || std::abs(b) > kMost) return kNone;
  return static_cast<Value>(operation(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
}

class Parser {
 public:
  Parser(std::string_view text, Division division) : words_(words_of(text)), division_(division) {}

  Node whole() {
    Node node = choice();
    if (now().kind != Word::Kind::end) fail("what stands here belongs to nothing");
    return node;
  }

  /// Parses the values of a list.
  std::vector<Value> list() {
    std::vector<Value> values;
    do {
      for (const Value value : list_term()) values.push_back(value);
    } while (take("+"));
    if (now().kind != Word::Kind::end) fail("what stands here belongs to no list");
    return values;
  }

  std::set<std::string, std::less<>> used;

 private:
  using Binary = std::function<Value(Value, Value)>;

  const Word& now() const { return words_[at_]; }
  bool is(std::string_view text) const { return now().kind != Word::Kind::number && now().text == text; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void require(std::string_view text) {
    if (!take(text)) fail(fmt::format("'{}' is missing", text));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw ExpressionError(
        now().offset, now().kind == Word::Kind::end ? what + " at the end" : fmt::format("{} at '{}'", what, word()));
  }
  std::string word() const {
    return now().kind == Word::Kind::number ? fmt::format("{}", static_cast<double>(now().number)) : now().text;
  }

  static Node binary(Node a, Node b, Binary operation) {
    return [a = std::move(a), b = std::move(b), operation = std::move(operation)](const Names& names) {
      return operation(a(names), b(names));
    };
  }

  static Node chosen(Node condition, Node yes, Node no) {
    return [=](const Names& names) { return holds(condition(names)) ? yes(names) : no(names); };
  }

  Node choice() {
    Node node = any_of();
    if (take("?")) {
      Node yes = choice();
      const bool is_real = is_real_;
      require(":");
      Node no = choice();
      is_real_ = is_real_ || is_real;
      return chosen(node, yes, no);
    }
    if (take("if")) {
      const bool is_real = is_real_;
      Node condition = any_of();
      require("else");
      Node no = choice();
      is_real_ = is_real_ || is_real;
      return chosen(condition, node, no);
    }
    return node;
  }

  Node any_of() {
    Node node = all_of();
    while (take("or") || take("||"))
      node = [a = node, b = all_of()](const Names& names) -> Value {
        return holds(a(names)) || holds(b(names)) ? 1 : 0;
      };
    return node;
  }

  Node all_of() {
    Node node = negation();
    while (take("and") || take("&&"))
      node = [a = node, b = negation()](const Names& names) -> Value {
        return holds(a(names)) && holds(b(names)) ? 1 : 0;
      };
    return node;
  }

  Node negation() {
    if (take("not")) return [a = negation()](const Names& names) -> Value { return holds(a(names)) ? 0 : 1; };
    return comparison();
  }

  std::optional<Binary> comparison_sign() {
    if (take("==")) return [](Value a, Value b) -> Value { return a == b ? 1 : 0; };
    if (take("!=")) return [](Value a, Value b) -> Value { return a != b ? 1 : 0; };
    if (take("<=")) return [](Value a, Value b) -> Value { return a <= b ? 1 : 0; };
    if (take(">=")) return [](Value a, Value b) -> Value { return a >= b ? 1 : 0; };
    if (take("<")) return [](Value a, Value b) -> Value { return a < b ? 1 : 0; };
    if (take(">")) return [](Value a, Value b) -> Value { return a > b ? 1 : 0; };
    return std::nullopt;
  }

  Node comparison() {
    Node left = bits(0);
    std::optional<Node> all;
    while (true) {
      Node one;
      if (is("in") || (is("not") && words_[at_ + 1].text == "in")) {
        const bool wanted = !take("not");
        ++at_;
        one = membership(left, wanted);
      } else {
        const auto sign = comparison_sign();
        if (!sign) return all.value_or(left);
        Node right = bits(0);
        one = binary(left, right, *sign);
        left = right;
      }
      all = all ? binary(*all, one, [](Value a, Value b) -> Value { return holds(a) && holds(b) ? 1 : 0; }) : one;
    }
  }

  Node membership(const Node& value, bool wanted) {
    const bool round = is("(");
    if (!round && !is("[")) fail("a list is missing behind 'in'");
    ++at_;
    const std::vector<Node> members = items(round ? ")" : "]");
    return [=](const Names& names) -> Value {
      bool found = false;
      for (const Node& member : members) found = found || member(names) == value(names);
      return found == wanted ? 1 : 0;
    };
  }

  std::vector<Node> items(std::string_view close) {
    std::vector<Node> found;
    bool any_is_real = false;
    while (!take(close)) {
      found.push_back(choice());
      any_is_real = any_is_real || is_real_;
      if (!take(",") && !is(close)) fail(fmt::format("',' or '{}' is missing", close));
    }
    is_real_ = any_is_real;
    return found;
  }

  /// Parses | ^ & and shifts, by precedence.
  Node bits(int level) {
    using Bits = std::int64_t;
    static const std::array<std::vector<std::pair<std::string_view, std::function<Bits(Bits, Bits)>>>, 4> kLevels{{
        {{"|", [](Bits a, Bits b) { return a | b; }}},
        {{"^", [](Bits a, Bits b) { return a ^ b; }}},
        {{"&", [](Bits a, Bits b) { return a & b; }}},
        {{"<<", [](Bits a, Bits b) { return b < 0 || b > 62 ? 0 : a << b; }},
         {">>", [](Bits a, Bits b) { return b < 0 || b > 62 ? 0 : a >> b; }}},
    }};
    if (level == static_cast<int>(kLevels.size())) return sum();
    Node node = bits(level + 1);
    while (true) {
      bool taken = false;
      for (const auto& [sign, operation] : kLevels[static_cast<std::size_t>(level)])
        if (!taken && take(sign)) {
          taken = true;
          node = binary(node, bits(level + 1),
                        [operation = operation](Value a, Value b) { return on_bits(a, b, operation); });
        }
      if (!taken) return node;
    }
  }

  Node sum() {
    Node node = product();
    while (is("+") || is("-")) {
      const bool adds = take("+") || !take("-");
      const bool is_real = is_real_;
      node = binary(node, product(), [adds](Value a, Value b) { return adds ? a + b : a - b; });
      is_real_ = is_real_ || is_real;
    }
    return node;
  }

  Node product() {
    Node node = unary();
    while (true) {
      const bool is_real = is_real_;
      if (take("*")) {
        node = binary(node, unary(), [](Value a, Value b) { return a * b; });
      } else if (take("//")) {
        node = binary(node, unary(), floored_quotient);
      } else if (take("%")) {
        node = binary(node, unary(), remainder_of);
      } else if (take("/")) {
        Node below = unary();
        const bool is_exact = division_ == Division::is_exact || is_real || is_real_;
        node = binary(node, below, [is_exact](Value a, Value b) {
          if (b == 0) return kNone;
          return !is_exact && is_whole(a) && is_whole(b) ? floored_quotient(a, b) : a / b;
        });
      } else {
        return node;
      }
      is_real_ = is_real_ || is_real;
    }
  }

  Node unary() {
    if (take("-")) return [a = unary()](const Names& names) { return -a(names); };
    if (take("+")) return unary();
    if (take("!")) return [a = unary()](const Names& names) -> Value { return holds(a(names)) ? 0 : 1; };
    if (take("~")) return [a = unary()](const Names& names) { return is_whole(a(names)) ? -a(names) - 1 : kNone; };
    Node node = atom();
    if (const bool is_real = is_real_; take("**")) {
      node = binary(node, unary(), [](Value a, Value b) { return std::pow(a, b); });
      is_real_ = is_real_ || is_real;
    }
    return node;
  }

  Node atom() {
    if (now().kind == Word::Kind::number) {
      const Value value = now().number;
      is_real_ = now().is_real;
      ++at_;
      return [value](const Names&) { return value; };
    }
    if (take("(")) {
      Node node = choice();
      require(")");
      return node;
    }
    if (now().kind != Word::Kind::name) fail("a value is missing");
    const Word name = now();
    is_real_ = false;
    ++at_;
    if (name.text == "True" || name.text == "true") return [](const Names&) -> Value { return 1; };
    if (name.text == "False" || name.text == "false") return [](const Names&) -> Value { return 0; };
    if (take("(")) return call(name);
    used.insert(name.text);
    return [text = name.text](const Names& known) {
      const auto found = known.find(text);
      if (found == known.end()) throw std::out_of_range("no value for " + text);
      return found->second;
    };
  }

  Node call(const Word& name) {
    const auto function = function_named(name.text);
    if (!function)
      throw ExpressionError(name.offset, fmt::format("no function '{}'; there are min, max, abs, int, floor, ceil, "
                                                     "ceil_div, trunc_div, log2, sqrt",
                                                     name.text));
    const std::vector<Node> arguments = items(")");
    const std::string_view plain = without_module(name.text);
    const bool divides = plain == "ceil_div" || plain == "divide_up" || plain == "trunc_div";
    if (plain == "int" || divides) is_real_ = false;
    if (plain == "float" || plain == "log2" || plain == "sqrt") is_real_ = true;
    const std::size_t least = divides ? 2 : 1;
    const bool any = plain == "min" || plain == "max";
    if (arguments.size() < least || (!any && arguments.size() > least))
      throw ExpressionError(name.offset, fmt::format("{} takes {}, not {}", name.text,
                                                     least == 1 ? "one value" : "two values", arguments.size()));
    return [function = *function, arguments](const Names& known) {
      std::vector<Value> values;
      for (const Node& argument : arguments) values.push_back(argument(known));
      return function(values);
    };
  }

  std::vector<Value> list_term() {
    if (take("list")) {
      require("(");
      std::vector<Value> values = range();
      require(")");
      return values;
    }
    if (is("range")) return range();
    require("[");
    if (take("]")) return {};
    std::vector<Node> members{choice()};
    if (take("for")) {
      const std::string name = now().text;
      ++at_;
      require("in");
      std::vector<Value> values;
      for (const Value value : is("range") ? range() : list_term()) values.push_back(members.front()({{name, value}}));
      require("]");
      return values;
    }
    if (!take("]")) {
      require(",");
      for (Node& more : items("]")) members.push_back(std::move(more));
    }
    std::vector<Value> values;
    for (const Node& member : members) values.push_back(member({}));
    return values;
  }

  std::vector<Value> range() {
    require("range");
    require("(");
    std::vector<Value> bounds;
    for (const Node& bound : items(")")) bounds.push_back(bound({}));
    if (bounds.empty() || bounds.size() > 3) fail("range takes one to three numbers");
    const Value first = bounds.size() == 1 ? 0 : bounds[0];
    const Value last = bounds.size() == 1 ? bounds[0] : bounds[1];
    const Value step = bounds.size() == 3 ? bounds[2] : 1;
    constexpr Value kMost = 1 << 20;
    if (!(step != 0) || !(std::abs((last - first) / step) <= kMost)) fail("a range without an end");
    std::vector<Value> values;
    for (Value value = first; step > 0 ? value < last : value > last; value += step) values.push_back(value);
    return values;
  }

  std::vector<Word> words_;
  std::size_t at_ = 0;
  Division division_;
  bool is_real_ = false;  ///< what was parsed last is not an integer in C, even if its value is one
};

}  // namespace

Expression::Expression() : text_("0"), node_(std::make_shared<const Node>([](const Names&) -> Value { return 0; })) {}

Expression Expression::number(Value value) {
  Expression made;
  made.text_ = fmt::format("{}", static_cast<double>(value));
  made.node_ = std::make_shared<const Node>([value](const Names&) { return value; });
  return made;
}

Expression Expression::parse(std::string_view text, Division division) {
  Parser parser(text, division);
  Expression made;
  made.node_ = std::make_shared<const Node>(parser.whole());
  made.names_ = parser.used;
  made.text_ = text;
  return made;
}

Value Expression::value(const Names& names) const {
  return (*node_)(names);
}

bool Expression::is_true(const Names& names) const {
  return holds(value(names));
}

bool is_whole(Value value) {
  return std::isfinite(value) && std::floor(value) == value;
}

std::vector<Value> list_of(std::string_view text) {
  Parser parser(text, Division::is_exact);
  try {
    return parser.list();
  } catch (const std::out_of_range& unknown) {
    throw ExpressionError(0, unknown.what());
  }
}

}  // namespace warpwright::job

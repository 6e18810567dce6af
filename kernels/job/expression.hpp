// Expressions of job files: arithmetic with names, in the syntax of C and Python.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::job {

/// Can hold every 64-bit integer and every double.
using Value = long double;

/// The values of names in an expression.
using Names = std::map<std::string, Value, std::less<>>;

/// The meaning of "/" for two integers: rounded down, or a fraction as in Python. As in C, a division is exact if an
/// operand has a point or an exponent: 1.0 / 4 is 0.25 in both.
enum class Division { rounds_down, is_exact };

/// A syntax error in an expression, with its position.
class ExpressionError : public std::invalid_argument {
 public:
  ExpressionError(std::size_t where, const std::string& what) : std::invalid_argument(what), offset(where) {}
  std::size_t offset;  ///< in characters
};

/// A parsed expression. Operators from lowest to highest precedence: `a if c else b` and `c ? a : b`; `or ||`; `and
/// &&`; `not`; comparisons, which may be chained, and `in [a, b]`; `| ^ & << >>`; `+ -`; `* / // %`; unary `- + ~ !`;
/// `**`. `%` and `//` round down as in Python. Numbers are those of both languages: 0x1f, 1'000, 1e-5f. Functions: min,
/// max, abs, int, floor, ceil, ceil_div (also divide_up), log2, sqrt; the last ones also as math.NAME. True is 1, and
/// false is 0. A division by zero gives NaN, which is false and unequal to everything.
class Expression {
 public:
  /// The expression "0".
  Expression();
  /// Throws ExpressionError.
  static Expression parse(std::string_view text, Division division = Division::rounds_down);
  static Expression number(Value value);

  /// Throws std::out_of_range if a name has no value: see `names`.
  Value value(const Names& names) const;
  bool is_true(const Names& names) const;
  /// The names in the expression.
  const std::set<std::string, std::less<>>& names() const { return names_; }
  const std::string& text() const { return text_; }

  /// A node of the parsed expression.
  using Node = std::function<Value(const Names&)>;

 private:
  std::string text_;
  std::shared_ptr<const Node> node_;
  std::set<std::string, std::less<>> names_;
};

/// Whether it is an integer.
bool is_whole(Value value);

/// The values of a list in Python's syntax: "[1, 2, 4]", "[32 * i for i in range(1, 32)]", "range(1, 9)", or sums of
/// these. Throws ExpressionError.
std::vector<Value> list_of(std::string_view text);

}  // namespace warpwright::job

// Expressions of job files: numbers over names, as C and Python spell them.
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

/// Holds every 64-bit integer and every double.
using Value = long double;

/// What the names of an expression stand for.
using Names = std::map<std::string, Value, std::less<>>;

/// How "/" of two integers is read: rounded down as in C, or as Python's, which gives a fraction. What a literal with a
/// point or an exponent is part of is no integer, as in C: 1.0 / 4 is 0.25 in both.
enum class Division { rounds_down, is_exact };

/// What is wrong with the text of an expression, and where.
class ExpressionError : public std::invalid_argument {
 public:
  ExpressionError(std::size_t where, const std::string& what) : std::invalid_argument(what), offset(where) {}
  std::size_t offset;  ///< in characters
};

/// A parsed expression. From what binds least: `a if c else b` and `c ? a : b`; `or ||`; `and &&`; `not`; comparisons,
/// which may be chained, and `in [a, b]`; `| ^ & << >>`; `+ -`; `* / // %`; unary `- + ~ !`; `**`. `%` and `//` round
/// down as Python's. Numbers are those of both languages: 0x1f, 1'000, 1e-5f. Functions: min, max, abs, int, floor,
/// ceil, ceil_div (also divide_up), log2, sqrt, the last ones also as math.NAME. Truth is 1 or 0. What divides by zero
/// is NaN, which is not true and compares with nothing.
class Expression {
 public:
  /// 0.
  Expression();
  /// Throws ExpressionError.
  static Expression parse(std::string_view text, Division division = Division::rounds_down);
  static Expression number(Value value);

  /// Throws std::out_of_range for a name that is not among them: see `names`.
  Value value(const Names& names) const;
  bool is_true(const Names& names) const;
  /// Those that it uses.
  const std::set<std::string, std::less<>>& names() const { return names_; }
  const std::string& text() const { return text_; }

  /// A part of the parsed text.
  using Node = std::function<Value(const Names&)>;

 private:
  std::string text_;
  std::shared_ptr<const Node> node_;
  std::set<std::string, std::less<>> names_;
};

/// Whether it is a number without a fraction.
bool is_whole(Value value);

/// The values of a list as Python spells it: "[1, 2, 4]", "[32 * i for i in range(1, 32)]", "range(1, 9)", sums of
/// these. Throws ExpressionError.
std::vector<Value> list_of(std::string_view text);

}  // namespace warpwright::job

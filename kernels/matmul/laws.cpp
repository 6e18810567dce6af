// The laws of matrix products: distributivity, identity and transposition.
#include "kernels/matmul/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "kernels/matmul/plans.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::matmul {
namespace {

/// A matrix stored row by row, with rows `pitch` elements apart.
template <class T>
struct Matrix {
  std::int64_t rows, columns, pitch;
  std::vector<T> values;

  Matrix(std::int64_t r, std::int64_t c, std::int64_t p, std::vector<T> v)
      : rows(r), columns(c), pitch(p), values(std::move(v)) {}
  Matrix(std::int64_t r, std::int64_t c, std::int64_t p)
      : Matrix(r, c, p, std::vector<T>(static_cast<std::size_t>(r * p))) {}

  T& at(std::int64_t row, std::int64_t column) { return values.at(static_cast<std::size_t>(row * pitch + column)); }
  T at(std::int64_t row, std::int64_t column) const {
    return values.at(static_cast<std::size_t>(row * pitch + column));
  }
};

/// The transposed matrix, with rows this many elements apart.
template <class T>
Matrix<T> turned(const Matrix<T>& of, std::int64_t pitch) {
  Matrix<T> made(of.columns, of.rows, pitch);
  for (std::int64_t row = 0; row < of.rows; ++row)
    for (std::int64_t column = 0; column < of.columns; ++column) made.at(column, row) = of.at(row, column);
  return made;
}

/// The operands of a problem, b as it is stored. The rows of all products follow each other.
template <class T>
struct Operands {
  Matrix<T> a, b;
  Matrix<sum_of<T>> c;

  Operands(const Problem& problem, const extents& e, const std::vector<Bytes>& inputs)
      : a(products_of(problem) * e.m, e.k, e.lda, elements_of<T>(inputs.at(0))),
        b(products_of(problem) * rows_of_b(problem), is_transposed(problem) ? e.k : e.n, e.ldb,
          elements_of<T>(inputs.at(1))),
        c(products_of(problem) * e.m, e.n, e.ldc, elements_of<sum_of<T>>(inputs.at(2))) {}
};

/// Calls law(problem, operands, multiply) with the inputs as numbers; multiply(problem, a, b, c) gives C.
template <class Law>
auto on_numbers(Law law) {
  return [law](const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
    return with_type_of<float, double, float16, bfloat16, tfloat32, float8_e4m3, signed char>(
        problem.type(), [&]<class T>(T) -> std::string {
          using Sum = sum_of<T>;
          const auto multiply = [&](const Problem& one, const Matrix<T>& a, const Matrix<T>& b, const Matrix<Sum>& c) {
            const auto outputs = run(one, {bytes_of(a.values), bytes_of(b.values), bytes_of(c.values)});
            return Matrix<Sum>(c.rows, c.columns, c.pitch, elements_of<Sum>(outputs.at(0)));
          };
          return law(problem, Operands<T>(problem, extents_of(problem), inputs), multiply);
        });
  };
}

/// Empty, or the first difference.
template <class T>
std::string differs(const Matrix<T>& got, const std::function<T(std::int64_t, std::int64_t)>& wanted) {
  for (std::int64_t row = 0; row < got.rows; ++row)
    for (std::int64_t column = 0; column < got.columns; ++column)
      if (const T expected = wanted(row, column); !(got.at(row, column) == expected))
        return fmt::format("c[{}][{}] is {} where {} was expected", row, column, got.at(row, column), expected);
  return {};
}

/// alpha A (B + B') + beta C = alpha A B' + (alpha A B + beta C), where B' is B reversed.
constexpr auto distributivity = []<class T>(const Problem& problem, const Operands<T>& of, auto multiply) {
  using Sum = sum_of<T>;
  Matrix<T> other = of.b;
  std::ranges::reverse(other.values);
  Matrix<T> both = of.b;
  std::ranges::transform(of.b.values, other.values, both.values.begin(), [](T left, T right) {
    return static_cast<T>(static_cast<Sum>(left) + static_cast<Sum>(right));
  });
  Problem onto = problem;
  onto.numbers["beta"] = 1;
  const Matrix<Sum> together = multiply(problem, of.a, both, of.c);
  const Matrix<Sum> in_turn = multiply(onto, of.a, other, multiply(problem, of.a, of.b, of.c));
  return differs<Sum>(together, [&](std::int64_t row, std::int64_t column) { return in_turn.at(row, column); });
};

/// With the identity matrix as B, the result has the columns of A, followed by zeros.
constexpr auto identity = []<class T>(const Problem& problem, const Operands<T>& of, auto multiply) {
  Problem alone = problem;
  alone.numbers["alpha"] = 1;
  alone.numbers["beta"] = 0;
  Matrix<T> one(of.b.rows, of.b.columns, of.b.pitch);
  const std::int64_t rows = rows_of_b(problem);
  for (std::int64_t product = 0; product < products_of(problem); ++product)
    for (std::int64_t i = 0; i < std::min(rows, one.columns); ++i) one.at(product * rows + i, i) = T(1);
  return differs<sum_of<T>>(multiply(alone, of.a, one, of.c), [&](std::int64_t row, std::int64_t column) {
    return static_cast<sum_of<T>>(column < of.a.columns ? of.a.at(row, column) : T(0));
  });
};

/// The transposed C is the product of the transposed operands in reverse order. Only for single products.
constexpr auto transposition = []<class T>(const Problem& problem, const Operands<T>& of, auto multiply) {
  if (products_of(problem) > 1) return std::string();
  Problem other = problem;
  std::swap(other.shape[0], other.shape[1]);
  const extents e = extents_of(other);
  const bool is_turned = is_transposed(problem);
  const Matrix<T> first = is_turned ? Matrix<T>(turned(turned(of.b, of.b.rows), e.lda)) : turned(of.b, e.lda);
  const Matrix<T> second = is_turned ? Matrix<T>(turned(turned(of.a, of.a.rows), e.ldb)) : turned(of.a, e.ldb);
  const Matrix<sum_of<T>> whole = multiply(problem, of.a, of.b, of.c);
  const Matrix<sum_of<T>> across = multiply(other, first, second, turned(of.c, e.ldc));
  return differs<sum_of<T>>(across, [&](std::int64_t row, std::int64_t column) { return whole.at(column, row); });
};

}  // namespace

std::vector<Law> laws() {
  return {{.name = "distributivity", .broken = on_numbers(distributivity)},
          {.name = "the identity keeps A", .broken = on_numbers(identity)},
          {.name = "the transposed product", .broken = on_numbers(transposition)}};
}

}  // namespace warpwright::matmul

// The pattern matmul: C = alpha A B + beta C for matrices of any size, with B as it is or transposed.
#include "kernels/model/pattern.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/matmul/laws.hpp"
#include "kernels/matmul/plans.hpp"
#include "kernels/model/compensated.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::matmul {
namespace {

/// Adds alpha * left * right without rounding the product: it is split into the rounded double and its remainder, and
/// alpha has so few bits that neither is rounded in long double.
template <class T>
void add_term(CompensatedSum& sum, double alpha, T left, T right) {
  const double product = static_cast<double>(left) * static_cast<double>(right);
  sum.add(static_cast<long double>(alpha) * static_cast<long double>(product));
  if (std::is_same_v<T, double> && std::isfinite(product))
    sum.add(static_cast<long double>(alpha) *
            static_cast<long double>(std::fma(static_cast<double>(left), static_cast<double>(right), -product)));
}

/// Memory after the rows of C must be unchanged; it has magnitude 0.
template <class T, class Sum>
Expectation multiplied(const Problem& problem, const std::vector<T>& a, const std::vector<T>& b,
                       const std::vector<Sum>& c) {
  const extents e = extents_of(problem);
  const double alpha = factor_of(problem, "alpha");
  const double beta = factor_of(problem, "beta");
  std::vector<double> values(c.begin(), c.end());
  std::vector<double> magnitude(c.size());
  for (std::int64_t row = 0; row < products_of(problem) * e.m; ++row)
    for (std::int64_t column = 0; column < e.n; ++column) {
      const auto at = static_cast<std::size_t>(row * e.ldc + column);
      CompensatedSum sum;
      for (std::int64_t k = 0; alpha != 0 && k < e.k; ++k)
        add_term(sum, alpha, a[static_cast<std::size_t>(row * e.lda + k)],
                 b[static_cast<std::size_t>(place_in_b(problem, e, row, column, k))]);
      if (beta != 0) sum.add(static_cast<long double>(beta) * static_cast<long double>(c[at]));
      values[at] = sum.value();
      magnitude[at] = sum.magnitude();
    }
  return {{.buffer = "c", .values = bytes_of(values), .magnitude = std::move(magnitude)}};
}

/// Sums of integers keep their lower 32 bits.
template <>
Expectation multiplied(const Problem& problem, const std::vector<signed char>& a, const std::vector<signed char>& b,
                       const std::vector<int>& c) {
  const extents e = extents_of(problem);
  const auto alpha = static_cast<std::uint32_t>(static_cast<int>(factor_of(problem, "alpha")));
  const auto beta = static_cast<std::uint32_t>(static_cast<int>(factor_of(problem, "beta")));
  std::vector<double> values(c.begin(), c.end());
  for (std::int64_t row = 0; row < products_of(problem) * e.m; ++row)
    for (std::int64_t column = 0; column < e.n; ++column) {
      const auto at = static_cast<std::size_t>(row * e.ldc + column);
      std::uint32_t sum = 0;
      for (std::int64_t k = 0; k < e.k; ++k)
        sum += static_cast<std::uint32_t>(a[static_cast<std::size_t>(row * e.lda + k)] *
                                          b[static_cast<std::size_t>(place_in_b(problem, e, row, column, k))]);
      values[at] = static_cast<int>(alpha * sum + beta * static_cast<std::uint32_t>(c[at]));
    }
  return {{.buffer = "c", .values = bytes_of(values), .magnitude = std::vector<double>(c.size())}};
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return with_type_of<float, double, float16, bfloat16, tfloat32, float8_e4m3, signed char>(
      problem.type(), [&]<class T>(T) {
        return multiplied(problem, elements_of<T>(inputs.at(0)), elements_of<T>(inputs.at(1)),
                          elements_of<sum_of<T>>(inputs.at(2)));
      });
}

Reference reference(const Problem& problem, const Device& device) {
  constexpr int kBlocksPerSm = 8;
  constexpr std::uint32_t kBlock = 256;
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.buffers[2].role = Role::in;
  const std::int64_t count = plan.buffers[2].count;
  for (const char* name : {"c.expected", "c.magnitude"})
    plan.buffers.push_back({.name = name, .role = Role::out, .type = ElementType::f64, .count = count});
  if (count > 0)
    plan.steps.push_back(
        {.what = Launch{
             .entry = "warpwright::matmul::reference<" + element_name(problem) + ", " + form_name(problem) + ">",
             .grid = {.x = static_cast<std::uint32_t>(device.sm_count * kBlocksPerSm)},
             .block = {.x = kBlock},
             .arguments = {
                 pointer_to("a"), pointer_to("b"), pointer_to("c"), pointer_to("c.expected"), pointer_to("c.magnitude"),
                 value_of("warpwright::matmul::extents", extents_of(problem)), value(products_of(problem)),
                 scale_argument(ElementType::f64, factor_of(problem, "alpha"), factor_of(problem, "beta"))}}});
  return {.source = "kernels/matmul/reference.cuh",
          .plan = std::move(plan),
          .depth = chain_depth(static_cast<double>(problem.shape[2]))};
}

/// A term with `depth` roundings on its way into the sum has an error of at most gamma(depth) times its size. Source:
/// N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, sections 3.1 and 3.5. A rounding below the smallest
/// normal number has an error less than that number, whether or not it is flushed; those within the product are then
/// scaled by alpha. Products of shorter floats are exact as floats, but for underflow, so nothing is rounded before the
/// sum. Integers wrap, exactly.
Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  if (input.exact || !is_floating(sum_type(problem.types)))
    return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = "exact"};
  const ElementType sum = sum_type(problem.types);
  const double roundings = depth * unit_roundoff(sum);
  return {.comparison = Comparison::bounded,
          .relative = roundings / (1 - roundings),
          .absolute = depth * std::max(1.0, std::fabs(problem.number("alpha"))) * smallest_normal(sum),
          .formula = "gamma(depth) * (|alpha| |A| |B| + |beta C|) + depth * max(1, |alpha|) * smallest normal"};
}

/// The least time of a product of such elements on tensor cores, in that of a product of 16-bit numbers. Floats: three,
/// if each is split into two parts and the product of the lower parts is left out (the kernels here take six). Doubles:
/// 0, since they are not split.
double half_products_of(const Problem& problem) {
  const ElementType type = problem.type();
  if (type == ElementType::f32) return 3;
  if (type == ElementType::f64) return 0;
  return static_cast<double>(size_of(type)) / 2;
}

/// A, B and C count only if their factor is not 0.
Work work(const Problem& problem) {
  const auto size = static_cast<double>(size_of(problem.type()));
  const ElementType sum = sum_type(problem.types);
  const auto size_of_c = static_cast<double>(size_of(sum));
  const auto m = static_cast<double>(problem.shape[0]);
  const auto n = static_cast<double>(problem.shape[1]);
  const auto k = static_cast<double>(terms_of(problem));
  const auto products = static_cast<double>(products_of(problem));
  const double of_c = products * m * n;
  return {.bytes_read = (of_c == 0 ? 0 : products * (m * k + k * n)) * size +
                        (factor_of(problem, "beta") == 0 ? 0 : of_c) * size_of_c,
          .bytes_written = of_c * size_of_c,
          .operations = 2 * of_c * k,
          .arithmetic = sum,
          .half_products = half_products_of(problem),
          .steps = of_c * (static_cast<double>(problem.shape[2]) + 1)};
}

}  // namespace

Pattern matmul_pattern() {
  const auto factor = [](const std::string& name, double preferred) {
    return Number{
        .name = name, .low = -8, .high = 8, .step = 0.25, .preferred = preferred, .edges = {1, 0, -1, 2, 0.25}};
  };
  const auto padding = [](const std::string& name) {
    return Number{.name = name, .low = 0, .high = 64, .preferred = 0, .edges = {0, 1, 3, 4}};
  };
  return {
      .name = "matmul",
      .summary =
          "C = alpha A B + beta C, row-major: A is m x k, B is k x n, or n x k with b=transposed. C, alpha, beta and "
          "the "
          "sums have the type of A and B; for shorter floats float, for 8-bit integers int, which drops fractions of "
          "alpha and beta. pad_a, pad_b and pad_c are elements behind each row. If beta is 0, C is not read; if alpha "
          "is "
          "0, A and B are not. products=P computes P products, whose matrices follow each other",
      .extents = {"m", "n", "k"},
      .variants = {{"b", {"plain", "transposed"}}},
      .numbers = {factor("alpha", 1),
                  factor("beta", 0),
                  padding("pad_a"),
                  padding("pad_b"),
                  padding("pad_c"),
                  // Blocks of a grid in y.
                  {.name = "products", .low = 1, .high = 65535, .preferred = 1, .edges = {2, 3}, .is_implied = true}},
      // The type of A and B; a second one, for C, alpha, beta and the sums, follows if it is different.
      .types = {{ElementType::f32},
                {ElementType::f64},
                {ElementType::f16, ElementType::f32},
                {ElementType::bf16, ElementType::f32},
                {ElementType::tf32, ElementType::f32},
                {ElementType::e4m3, ElementType::f32},
                {ElementType::i8, ElementType::i32}},
      // Values do not change the code path. But if fewer bits of the multipliers switch, they take less power, and the
      // clock may be higher.
      .data = {{.name = "uniform"}, {.name = "all_equal"}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{4096, 4096, 4096}},
      .trace_shape = {128, 256, 64},
      .buffers = buffers,
      .inputs = [](const Problem&) { return generic_inputs(); },
      .fills = [](const Problem& problem, const std::string& kind) { return generic_fills(buffers(problem), kind); },
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount =
          [](const Problem& problem) {
            return Amount{work(problem).operations, "FLOP"};
          },
      .laws = laws(),
  };
}

}  // namespace warpwright::matmul

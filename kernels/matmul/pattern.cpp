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
  const double alpha = problem.number("alpha");
  const double beta = problem.number("beta");
  std::vector<double> values(c.begin(), c.end());
  std::vector<double> magnitude(c.size());
  for (std::int64_t row = 0; row < e.m; ++row)
    for (std::int64_t column = 0; column < e.n; ++column) {
      const auto at = static_cast<std::size_t>(row * e.ldc + column);
      CompensatedSum sum;
      for (std::int64_t k = 0; alpha != 0 && k < e.k; ++k) {
        const std::int64_t of_b = is_transposed(problem) ? column * e.ldb + k : k * e.ldb + column;
        add_term(sum, alpha, a[static_cast<std::size_t>(row * e.lda + k)], b[static_cast<std::size_t>(of_b)]);
      }
      if (beta != 0) sum.add(static_cast<long double>(beta) * static_cast<long double>(c[at]));
      values[at] = sum.value();
      magnitude[at] = sum.magnitude();
    }
  return {{.buffer = "c", .values = bytes_of(values), .magnitude = std::move(magnitude)}};
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return with_type_of<float, double, float16, bfloat16>(problem.type(), [&]<class T>(T) {
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
             .entry = "warpwright::matmul::reference<" + std::string(name_of(problem.type())) + ", " +
                      form_name(problem) + ">",
             .grid = {.x = static_cast<std::uint32_t>(device.sm_count * kBlocksPerSm)},
             .block = {.x = kBlock},
             .arguments = {pointer_to("a"), pointer_to("b"), pointer_to("c"), pointer_to("c.expected"),
                           pointer_to("c.magnitude"), value_of("warpwright::matmul::extents", extents_of(problem)),
                           scale_argument(ElementType::f64, problem.number("alpha"), problem.number("beta"))}}});
  return {.source = "kernels/matmul/reference.cuh",
          .plan = std::move(plan),
          .depth = chain_depth(static_cast<double>(problem.shape[2]))};
}

/// A term with `depth` roundings on its way into the sum has an error of at most gamma(depth) times its size. Source:
/// N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, sections 3.1 and 3.5. A rounding below the smallest
/// normal number has an error less than that number, whether or not it is flushed; those within the product are then
/// scaled by alpha. 16-bit elements are exact as floats, so nothing is rounded before the sum.
Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  if (input.exact) return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = "exact"};
  const ElementType sum = sum_type(problem.types);
  const double roundings = depth * unit_roundoff(sum);
  return {.comparison = Comparison::bounded,
          .relative = roundings / (1 - roundings),
          .absolute = depth * std::max(1.0, std::fabs(problem.number("alpha"))) * smallest_normal(sum),
          .formula = "gamma(depth) * (|alpha| |A| |B| + |beta C|) + depth * max(1, |alpha|) * smallest normal"};
}

/// A, B and C count only if their factor is not 0.
/// The fewest products of 16-bit numbers that a product of floats takes on tensor cores, if each float is split into
/// two.
constexpr int kHalfProductsOfFloats = 3;

Work work(const Problem& problem) {
  const auto size = static_cast<double>(size_of(problem.type()));
  const ElementType sum = sum_type(problem.types);
  const auto size_of_c = static_cast<double>(size_of(sum));
  const auto m = static_cast<double>(problem.shape[0]);
  const auto n = static_cast<double>(problem.shape[1]);
  const auto k = problem.number("alpha") == 0 ? 0.0 : static_cast<double>(problem.shape[2]);
  const double of_c = m * n;
  return {.bytes_read = (of_c == 0 ? 0 : m * k + k * n) * size + (problem.number("beta") == 0 ? 0 : of_c) * size_of_c,
          .bytes_written = of_c * size_of_c,
          .operations = 2 * of_c * k,
          .arithmetic = sum,
          .half_products = has_halves(problem)       ? 1
                           : sum == ElementType::f32 ? kHalfProductsOfFloats
                                                     : 0,
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
          "C = alpha A B + beta C in the arithmetic of C's type, which is that of A and B, or for halves float; "
          "row-major "
          "matrices, A m x k, B k x n or (b=transposed) n x k in memory, with pad_a, pad_b and pad_c elements behind "
          "each "
          "row; C is not read for beta = 0, A and B are not for alpha = 0",
      .extents = {"m", "n", "k"},
      .variants = {{"b", {"plain", "transposed"}}},
      .numbers = {factor("alpha", 1), factor("beta", 0), padding("pad_a"), padding("pad_b"), padding("pad_c")},
      // The type of A and B; a second one, for C, alpha, beta and the sums, follows if it is different.
      .types = {{ElementType::f32},
                {ElementType::f64},
                {ElementType::f16, ElementType::f32},
                {ElementType::bf16, ElementType::f32}},
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

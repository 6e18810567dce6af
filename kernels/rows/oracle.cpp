// The oracle of rows: all results in double, and their magnitudes.
#include "kernels/rows/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/model/compensated.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/rows/expected.cuh"
#include "kernels/rows/problems.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::rows {
namespace {

template <operation Op>
double center_of_row(const double* row, std::size_t columns) {
  if constexpr (Op == operation::rmsnorm) return 0;
  if constexpr (Op == operation::softmax) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < columns; ++c) largest = std::max(largest, row[c]);
    return largest;
  }
  CompensatedSum sum;
  for (std::size_t c = 0; c < columns; ++c) sum.add(row[c]);
  return sum.value() / static_cast<double>(columns);
}

template <operation Op>
Expectation of_rows(const Problem& problem, const std::vector<double>& in, const std::vector<double>& weight,
                    const std::vector<double>& bias) {
  const auto columns = static_cast<std::size_t>(problem.shape[1]);
  const matrix of{.rows = problem.shape[0],
                  .columns = static_cast<int>(columns),
                  .epsilon = static_cast<float>(problem.number("epsilon"))};
  std::vector<double> values(in.size());
  std::vector<double> magnitude(in.size());
  for (std::size_t begin = 0; begin < in.size(); begin += columns) {
    const double center = center_of_row<Op>(&in[begin], columns);
    CompensatedSum sum;
    CompensatedSum size;
    for (std::size_t c = 0; c < columns; ++c) {
      const row_terms terms = terms_of<Op>(in[begin + c], center);
      sum.add(terms.sum);
      size.add(terms.size);
    }
    const row_moments row = moments_of<Op>(center, {sum.value(), size.value()}, of);
    for (std::size_t c = 0; c < columns; ++c) {
      const expected_result result =
          expected_of<Op>(in[begin + c], row, weight.empty() ? 1 : weight[c], bias.empty() ? 0 : bias[c]);
      values[begin + c] = result.value;
      magnitude[begin + c] = result.magnitude;
    }
  }
  return {{.buffer = "out", .values = bytes_of(values), .magnitude = std::move(magnitude)}};
}

}  // namespace

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  std::vector<std::vector<double>> operands(3);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    operands[i] = with_type_of<float, float16, bfloat16>(problem.type(), [&]<class T>(T) {
      const std::vector<T> elements = elements_of<T>(inputs[i]);
      return std::vector<double>(elements.begin(), elements.end());
    });
  const auto made = [&]<operation Op>() { return of_rows<Op>(problem, operands[0], operands[1], operands[2]); };
  if (operation_of(problem) == operation::softmax) return made.operator()<operation::softmax>();
  if (operation_of(problem) == operation::layernorm) return made.operator()<operation::layernorm>();
  return made.operator()<operation::rmsnorm>();
}

}  // namespace warpwright::rows

// Laws of eigenvalues: the trace, and similar, shifted and negated matrices.
#include "kernels/eigen/laws.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/eigen/oracle.hpp"
#include "kernels/eigen/problems.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::eigen {
namespace {

/// A batch of matrices for the laws, with the error allowed for the eigenvalues of each matrix.
template <class T>
struct Batch {
  const Problem& problem;
  std::vector<T> numbers;
  const Runner& run;
  std::size_t order = static_cast<std::size_t>(order_of(problem));
  std::size_t parts = static_cast<std::size_t>(parts_of(problem));

  std::vector<T> values(const std::vector<T>& of) const { return elements_of<T>(run(problem, {bytes_of(of)}).at(0)); }
  std::size_t matrices() const { return static_cast<std::size_t>(problem.shape[0]); }
  std::size_t place(std::size_t matrix, std::size_t row, std::size_t column) const {
    return ((matrix * order + column) * order + row) * parts;
  }

  /// The allowed error for a matrix to whose diagonal `more` is added.
  double allowed(std::size_t matrix, double more = 0) const {
    const Bound most = bound(problem, "ascending", {}, 2 * depth());
    double squares = 0;
    for (std::size_t at = 0; at < order * order * parts; ++at)
      squares += std::pow(static_cast<double>(numbers[place(matrix, 0, 0) + at]), 2);
    return most.relative * (std::sqrt(squares) + more * std::sqrt(static_cast<double>(order))) + most.absolute;
  }
  /// The depth of the kernel that sweeps along rows, which is the greatest.
  double depth() const { return turning_depth(kLawSweeps, cyclic_stages(problem) + 2); }

  /// Empty, or the first value that differs from wanted(matrix, k).
  template <class Wanted>
  std::string differs(const std::vector<T>& got, double more, Wanted wanted) const {
    for (std::size_t at = 0; at < matrices() * order; ++at) {
      const auto expected = static_cast<double>(wanted(at / order, at % order));
      if (!(std::fabs(static_cast<double>(got.at(at)) - expected) <= allowed(at / order, more)))
        return fmt::format("eigenvalue {} of matrix {} is {} where {} was expected", at % order, at / order, got.at(at),
                           expected);
    }
    return {};
  }

  static constexpr double kLawSweeps = 20;
};

template <class Law>
auto on_batches(Law law) {
  return [law](const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
    return with_type_of<float, double>(problem.type(), [&]<class T>(T) -> std::string {
      return law(Batch<T>{problem, elements_of<T>(inputs.at(0)), run});
    });
  };
}

/// The eigenvalues sum to the same value as the diagonal.
constexpr auto trace = [](const auto& batch) -> std::string {
  const auto values = batch.values(batch.numbers);
  for (std::size_t matrix = 0; matrix < batch.matrices(); ++matrix) {
    double diagonal = 0;
    double sum = 0;
    for (std::size_t k = 0; k < batch.order; ++k) {
      diagonal += static_cast<double>(batch.numbers.at(batch.place(matrix, k, k)));
      sum += static_cast<double>(values.at(matrix * batch.order + k));
    }
    if (!(std::fabs(sum - diagonal) <= static_cast<double>(batch.order) * batch.allowed(matrix)))
      return fmt::format("eigenvalues of matrix {} add up to {}, its diagonal to {}", matrix, sum, diagonal);
  }
  return {};
};

/// Reversing the order of rows and columns does not change the eigenvalues.
constexpr auto similarity = [](const auto& batch) -> std::string {
  auto turned = batch.numbers;
  const std::size_t last = batch.order - 1;
  for (std::size_t matrix = 0; matrix < batch.matrices(); ++matrix)
    for (std::size_t row = 0; row < batch.order; ++row)
      for (std::size_t column = 0; column < batch.order; ++column)
        for (std::size_t part = 0; part < batch.parts; ++part)
          turned.at(batch.place(matrix, last - row, last - column) + part) =
              batch.numbers[batch.place(matrix, row, column) + part];
  const auto values = batch.values(batch.numbers);
  return batch.differs(batch.values(turned), 0,
                       [&](std::size_t matrix, std::size_t k) { return values.at(matrix * batch.order + k); });
};

/// Adding 3 to the diagonal adds 3 to every eigenvalue.
constexpr auto shift = [](const auto& batch) -> std::string {
  auto more = batch.numbers;
  for (std::size_t matrix = 0; matrix < batch.matrices(); ++matrix)
    for (std::size_t k = 0; k < batch.order; ++k) more.at(batch.place(matrix, k, k)) += 3;
  const auto values = batch.values(batch.numbers);
  return batch.differs(batch.values(more), 3, [&](std::size_t matrix, std::size_t k) {
    return static_cast<double>(values.at(matrix * batch.order + k)) + 3;
  });
};

/// The negated matrix has the negated eigenvalues, in reverse order.
constexpr auto negation = [](const auto& batch) -> std::string {
  auto negative = batch.numbers;
  for (auto& number : negative) number = -number;
  const auto values = batch.values(batch.numbers);
  return batch.differs(batch.values(negative), 0, [&](std::size_t matrix, std::size_t k) {
    return -values.at(matrix * batch.order + batch.order - 1 - k);
  });
};

}  // namespace

std::vector<Law> laws() {
  return {
      {.name = "eigenvalues add up to the trace", .broken = on_batches(trace), .input = "random"},
      {.name = "similar matrices have the same eigenvalues", .broken = on_batches(similarity), .input = "random"},
      {.name = "a multiple of the identity shifts all eigenvalues", .broken = on_batches(shift), .input = "spectrum"},
      {.name = "the negative matrix has the negative eigenvalues", .broken = on_batches(negation), .input = "random"}};
}

}  // namespace warpwright::eigen

// The CPU oracle of scans: one loop, with compensated sums if elements are rounded.
#include "kernels/scan/oracle.hpp"

#include <limits>

#include "kernels/model/compensated.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::scan {
namespace {

template <class Running, class T>
ExpectedOutput rounded(const std::vector<T>& elements, bool is_inclusive) {
  Running running;
  std::vector<double> values;
  ExpectedOutput expected{.buffer = "out"};
  for (const T element : elements) {
    if (is_inclusive) running.add(element);
    values.push_back(running.value());
    expected.magnitude.push_back(running.magnitude());
    if (!is_inclusive) running.add(element);
  }
  expected.values = bytes_of(values);
  return expected;
}

template <class T>
T combine(const std::string& op, T a, T b) {
  if (op == "min") return b < a ? b : a;
  if (op == "max") return a < b ? b : a;
  if constexpr (std::is_integral_v<T>) {
    using Word = std::make_unsigned_t<T>;
    const auto x = static_cast<Word>(a);
    const auto y = static_cast<Word>(b);
    return static_cast<T>(op == "sum" ? x + y : x * y);
  } else {
    return op == "sum" ? a + b : a * b;
  }
}

template <class T>
T identity(const std::string& op) {
  using Limits = std::numeric_limits<T>;
  if (op == "min") return Limits::has_infinity ? Limits::infinity() : Limits::max();
  if (op == "max") return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  return op == "sum" ? T(0) : T(1);
}

/// If the second operand is NaN, min and max return the first.
template <class T>
std::vector<T> plainly_scanned(const std::string& op, const std::vector<T>& elements, bool is_inclusive) {
  T running = identity<T>(op);
  std::vector<T> values;
  for (const T element : elements) {
    const T before = running;
    running = combine(op, running, element);
    values.push_back(is_inclusive ? running : before);
  }
  return values;
}

}  // namespace

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return with_type_of<int, std::int64_t, float, double>(problem.type(), [&]<class T>(T) {
    const std::vector<T> elements = elements_of<T>(inputs[0]);
    const std::string& op = problem.option("op");
    const bool is_inclusive = problem.option("kind") == "inclusive";
    if constexpr (std::is_floating_point_v<T>) {
      if (op == "sum") return Expectation{rounded<CompensatedSum>(elements, is_inclusive)};
      if (op == "product") return Expectation{rounded<CompensatedProduct>(elements, is_inclusive)};
    }
    return Expectation{{.buffer = "out", .values = bytes_of(plainly_scanned(op, elements, is_inclusive))}};
  });
}

Bytes plain_scan(const Problem& problem, const Bytes& input) {
  return with_type_of<int, std::int64_t, float, double>(problem.type(), [&]<class T>(T) {
    return bytes_of(plainly_scanned(problem.option("op"), elements_of<T>(input), true));
  });
}

}  // namespace warpwright::scan

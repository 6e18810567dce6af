// The laws of maps, each for certain operations.
#include "kernels/map/laws.hpp"

#include <cmath>

#include "kernels/map/plans.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::map {
namespace {

/// x + y, element by element.
Bytes sum_of(ElementType type, const Bytes& x, const Bytes& y) {
  return with_type_of<float, double>(type, [&]<class T>(T) {
    std::vector<T> sum = elements_of<T>(x);
    const std::vector<T> other = elements_of<T>(y);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
    return bytes_of(sum);
  });
}

/// alpha (x + y) + y = alpha x + (alpha y + y), if nothing is rounded.
std::string linearity(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!is_axpy(problem)) return {};
  const Bytes& x = inputs[0];
  const Bytes& y = inputs[1];
  const auto together = run(problem, {sum_of(problem.type(), x, y), y});
  const auto in_turn = run(problem, {x, run(problem, {y, y})[0]});
  return together == in_turn ? "" : "the map of a sum is not the sum of the maps";
}

/// The kernel rounds a multiplication and addition once, like the C library's fma.
std::string one_rounding(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!is_axpy(problem)) return {};
  const Bytes result = run(problem, inputs)[0];
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) -> std::string {
    const std::vector<T> x = elements_of<T>(inputs[0]);
    const std::vector<T> y = elements_of<T>(inputs[1]);
    const std::vector<T> z = elements_of<T>(result);
    const T alpha = static_cast<T>(problem.number("alpha"));
    for (std::size_t i = 0; i < z.size(); ++i)
      if (z[i] != std::fma(alpha, x[i], y[i])) return "element " + std::to_string(i) + " was not rounded once";
    return {};
  });
}

/// Splitting the array in two, at a multiple of the number of ways, gives the same results.
std::string concatenation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::int64_t ways = problem.integer("ways");
  const std::int64_t cut = problem.elements() / 3 / ways * ways;
  const auto bytes = static_cast<std::ptrdiff_t>(size_of(problem.type()));
  const auto part = [&](std::int64_t from, std::int64_t count) {
    Problem smaller = problem;
    smaller.shape = {count};
    std::vector<Bytes> parts;
    for (const Bytes& input : inputs)
      parts.emplace_back(input.begin() + from * bytes, input.begin() + (from + count) * bytes);
    return run(smaller, parts)[0];
  };
  Bytes both = part(0, cut);
  const Bytes second = part(cut, problem.elements() - cut);
  both.insert(both.end(), second.begin(), second.end());
  return both == run(problem, inputs)[0] ? "" : "the map of two parts is not the map of the whole";
}

/// Elements that reached the limit are not counted further.
std::string idempotence(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (!is_sqrt_loop(problem)) return {};
  const auto once = run(problem, inputs);
  return run(problem, once) == once ? "" : "what was counted up was counted further";
}

}  // namespace

std::vector<Law> laws() {
  return {{.name = "linearity", .broken = linearity},
          {.name = "one rounding", .broken = one_rounding, .input = "uniform"},
          {.name = "concatenation", .broken = concatenation, .input = "uniform"},
          {.name = "idempotence", .broken = idempotence}};
}

}  // namespace warpwright::map

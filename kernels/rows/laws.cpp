// The laws of rows: rows do not depend on each other, and results do not change with what an operation takes out.
#include "kernels/rows/laws.hpp"

#include <algorithm>

#include "kernels/model/elements.hpp"
#include "kernels/rows/problems.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::rows {
namespace {

/// The rows of a matrix in reverse order.
Bytes turned(const Problem& problem, const Bytes& matrix) {
  const auto bytes = static_cast<std::size_t>(problem.shape[1]) * size_of(problem.type());
  Bytes made;
  for (std::size_t end = matrix.size(); end > 0; end -= bytes)
    made.insert(made.end(), matrix.begin() + static_cast<std::ptrdiff_t>(end - bytes),
                matrix.begin() + static_cast<std::ptrdiff_t>(end));
  return made;
}

std::string independent(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  std::vector<Bytes> other = inputs;
  other[0] = turned(problem, inputs[0]);
  return turned(problem, run(problem, inputs)[0]) == run(problem, other)[0]
             ? ""
             : "the same rows in another order have other results";
}

/// Softmax and layernorm: a number is added to all elements. Rmsnorm: they are halved; the squares of exact inputs
/// absorb epsilon.
std::string invariant(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const bool halves = operation_of(problem) == operation::rmsnorm;
  std::vector<Bytes> other = inputs;
  other[0] = with_type_of<float, float16, bfloat16>(problem.type(), [&]<class T>(T) {
    std::vector<T> elements = elements_of<T>(inputs[0]);
    for (T& element : elements) {
      const auto before = static_cast<float>(element);
      element = static_cast<T>(halves ? before / 2 : before + 1);
    }
    return bytes_of(elements);
  });
  if (run(problem, inputs)[0] == run(problem, other)[0]) return {};
  return halves ? "rows of half the size have other results" : "rows that are larger by 1 have other results";
}

}  // namespace

std::vector<Law> laws() {
  return {{.name = "rows do not depend on each other", .broken = independent},
          {.name = "a constant changes nothing", .broken = invariant}};
}

}  // namespace warpwright::rows

// Inputs and error bounds shared by the patterns over associative operators.
#include "kernels/block/associative.hpp"

#include <cmath>

#include "kernels/runtime/input.hpp"

namespace warpwright {

std::vector<InputKind> associative_inputs(const Problem& problem) {
  const bool nothing_is_rounded = !is_floating(problem.type());
  if (problem.option("op") != "product") return generic_inputs(nothing_is_rounded);
  return {{.name = "exact", .exact = true},
          {.name = "uniform", .exact = nothing_is_rounded},
          {.name = "special", .exact = nothing_is_rounded}};
}

Fill associative_fill(const Problem& problem, const std::string& kind) {
  if (problem.option("op") != "product") return generic_fill(problem.type(), kind);
  return generic_fill(problem.type(), kind == "exact"     ? "exact_factor"
                                      : kind == "special" ? "special_factor"
                                                          : "factor");
}

Bound associative_bound(const Problem& problem, const InputKind& input, double depth, const std::string& terms) {
  const std::string& op = problem.option("op");
  if (op == "min" || op == "max" || !is_floating(problem.type()))
    return {.comparison = Comparison::equal, .formula = "the same values"};
  if (input.exact) return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = "exact"};
  if (op == "product")
    return {.comparison = Comparison::bounded,
            .relative = std::expm1(static_cast<double>(problem.elements()) * std::log1p(unit_roundoff(problem.type()))),
            .absolute = 0,
            .formula = "((1 + u)^elements - 1) * |product|"};
  return {.comparison = Comparison::bounded,
          .relative = depth * unit_roundoff(problem.type()),
          .absolute = depth * smallest_normal(problem.type()),
          .formula = "depth * u * sum |" + terms + "| + depth * smallest normal"};
}

}  // namespace warpwright

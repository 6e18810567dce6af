// The functions of expressions: minima, roundings, logarithms.
#include "kernels/job/functions.hpp"

#include <cmath>

namespace warpwright::job {

Value floored_quotient(Value a, Value b) {
  return b == 0 ? kNone : std::floor(a / b);
}

std::string_view without_module(std::string_view name) {
  return name.starts_with("math.") ? name.substr(5) : name;
}

std::optional<std::function<Value(const std::vector<Value>&)>> function_named(std::string_view name) {
  using Values = std::vector<Value>;
  name = without_module(name);
  if (name == "min" || name == "max")
    return [least = name == "min"](const Values& values) {
      Value best = values.front();
      for (const Value value : values)
        if (least ? value < best : value > best) best = value;
      return best;
    };
  if (name == "abs") return [](const Values& values) { return std::abs(values.at(0)); };
  if (name == "int") return [](const Values& values) { return std::trunc(values.at(0)); };
  if (name == "float") return [](const Values& values) { return values.at(0); };
  if (name == "floor") return [](const Values& values) { return std::floor(values.at(0)); };
  if (name == "ceil") return [](const Values& values) { return std::ceil(values.at(0)); };
  if (name == "log2") return [](const Values& values) { return std::log2(values.at(0)); };
  if (name == "sqrt") return [](const Values& values) { return std::sqrt(values.at(0)); };
  if (name == "ceil_div" || name == "divide_up")
    return [](const Values& values) { return -floored_quotient(-values.at(0), values.at(1)); };
  if (name == "trunc_div")
    return [](const Values& values) { return values.at(1) == 0 ? kNone : std::trunc(values.at(0) / values.at(1)); };
  return std::nullopt;
}

}  // namespace warpwright::job

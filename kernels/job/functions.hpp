// The functions that expressions can call.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/job/expression.hpp"

namespace warpwright::job {

inline constexpr Value kNone = std::numeric_limits<Value>::quiet_NaN();

/// The quotient rounded down; NaN for a divisor of 0.
Value floored_quotient(Value a, Value b);

/// "sqrt" for "math.sqrt".
std::string_view without_module(std::string_view name);

/// The function of that name; empty if there is none.
std::optional<std::function<Value(const std::vector<Value>&)>> function_named(std::string_view name);

}  // namespace warpwright::job

// The functions that expressions may call.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/job/expression.hpp"

namespace warpwright::job {

inline constexpr Value kNone = std::numeric_limits<Value>::quiet_NaN();

/// Rounded down; NaN for a divisor of 0.
Value floored_quotient(Value a, Value b);

/// "sqrt" for "math.sqrt".
std::string_view without_module(std::string_view name);

/// A function by its name; nothing for an unknown one.
std::optional<std::function<Value(const std::vector<Value>&)>> function_named(std::string_view name);

}  // namespace warpwright::job

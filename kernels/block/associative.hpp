// Shared by the patterns over sum, product, minimum and maximum: inputs, their contents, and error bounds. Such a
// problem has the variant "op", with one of these words.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright {

/// Kinds of input. Products have three kinds of their own, because products of the usual values would overflow or
/// underflow, at a point that depends on the order.
std::vector<InputKind> associative_inputs(const Problem& problem);

/// The contents of the input buffer for one of these kinds.
Fill associative_fill(const Problem& problem, const std::string& kind);

/// The bound of a result over `terms`, which is a name for messages. A product has all its roundings as factors of the
/// result in any order, so depth does not matter; it neither overflows nor underflows (see generate::detail::factor).
Bound associative_bound(const Problem& problem, const InputKind& input, double depth, const std::string& terms);

}  // namespace warpwright

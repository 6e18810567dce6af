// What the patterns over sum, product, minimum and maximum have in common: inputs, their contents, and bounds. Such a
// problem has the variant "op", one of these words.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright {

/// Kinds of input: generic ones; for products three, since values that are made to be added would overflow or vanish,
/// and where depends on the order.
std::vector<InputKind> associative_inputs(const Problem& problem);

/// The contents of the in buffer for one of these kinds.
Fill associative_fill(const Problem& problem, const std::string& kind);

/// Of a result over `terms`, in words. A product has all its roundings as factors of the result, whatever the order:
/// depth plays no part, and it neither overflows nor underflows (see generate::detail::factor).
Bound associative_bound(const Problem& problem, const InputKind& input, double depth, const std::string& terms);

}  // namespace warpwright

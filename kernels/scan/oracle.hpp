// What a scan gives: the CPU oracle, and the same loop in the elements' own type.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::scan {

/// Every result of the problem: sums and products of floats with compensation and their magnitudes, else exactly.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// The inclusive scan by one loop in the elements' own type: right where nothing is rounded.
Bytes plain_scan(const Problem& problem, const Bytes& input);

}  // namespace warpwright::scan

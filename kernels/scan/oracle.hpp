// The CPU oracle of scans, and the same loop in the elements' own type.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::scan {

/// Every result of the problem: compensated sums and products of floats with their magnitudes, else exact results.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// The inclusive scan by one loop in the elements' own type: correct if nothing is rounded.
Bytes plain_scan(const Problem& problem, const Bytes& input);

}  // namespace warpwright::scan

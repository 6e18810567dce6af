// The oracle of rows: all results in double, and their magnitudes.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::rows {

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

}  // namespace warpwright::rows

// Compares outputs with the oracle's, element by element; errors are measured in multiples of the bound.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/verdict.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::conformance {

struct ComparisonResult {
  Verdict verdict = Verdict::passed;  ///< passed, failed or mistrusted
  std::string detail;                 ///< the first wrong element, its value and the expected value
  double error_ratio = 0;             ///< the greatest error / bound
  bool equals_poison = false;         ///< a correct element still has the poison as its value
  std::string poisoned;               ///< the first wrong element, if it still has the poison as its value: "out[3]"
  std::string wanted;                 ///< the value expected of the first wrong element
  bool wants_nan = false;             ///< that value is NaN
};

/// Compares the observed `outputs`; `buffers` and `bounds` describe them, `poison` is the byte that they were filled
/// with before the run. The result is "mistrusted" if all outputs are zero, as expected, but an input is not.
ComparisonResult compare_outputs(const std::vector<Buffer>& buffers, const Expectation& expected,
                                 const std::vector<Bytes>& outputs, const std::vector<Bound>& bounds,
                                 std::uint8_t poison);

/// Describes the first element whose bits differ; empty if all are the same.
std::string difference(const Buffer& buffer, const Bytes& one, const Bytes& other);

}  // namespace warpwright::conformance

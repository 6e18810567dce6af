// Compares outputs with what the oracle expects, element by element, in units of the bound.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/verdict.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::conformance {

struct ComparisonResult {
  Verdict verdict = Verdict::passed;  ///< passed, failed or mistrusted
  std::string detail;                 ///< the first wrong element, what it is and what was expected
  double error_ratio = 0;             ///< the worst error / bound
  bool equals_poison = false;         ///< some element that passed still holds the poison
  std::string poisoned;               ///< the first wrong element, where it still holds the poison: "out[3]"
  std::string wanted;                 ///< what was expected of the first wrong element
  bool wants_nan = false;             ///< that was no number
};

/// `outputs` are what was observed, `buffers` and `bounds` go with them, `poison` is the byte that outputs were filled
/// with before. Outputs that are all zero, and expected to be, although an input is not, are mistrusted.
ComparisonResult compare_outputs(const std::vector<Buffer>& buffers, const Expectation& expected,
                                 const std::vector<Bytes>& outputs, const std::vector<Bound>& bounds,
                                 std::uint8_t poison);

/// Words about the first element whose bits differ; empty where all are the same.
std::string difference(const Buffer& buffer, const Bytes& one, const Bytes& other);

}  // namespace warpwright::conformance

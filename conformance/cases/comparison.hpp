// Compares outputs with the oracle's, element by element; errors are measured in multiples of the bound.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/core/verdict.hpp"
#include "kernels/model/accuracy.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::conformance {

/// The byte that outputs are filled with before a run.
inline constexpr std::uint8_t kPoison = 0xFF;

/// The name of an element in messages: "out[3]".
using ElementName = std::function<std::string(const std::string& buffer, std::int64_t index)>;

/// "out[3]"
std::string flat_name(const std::string& buffer, std::int64_t index);

struct ComparisonResult {
  Verdict verdict = Verdict::passed;  ///< passed, failed or mistrusted
  std::string detail;                 ///< the first wrong element, its value and the expected value
  double error_ratio = 0;             ///< the greatest error / bound
  Accuracy accuracy = {};             ///< likewise
  bool equals_poison = false;         ///< a correct element still has the poison as its value
  std::string buffer = {};            ///< of the first wrong element
  std::int64_t index = 0;             ///< likewise
  std::int64_t elements = 0;          ///< of that buffer
  std::string element = {};           ///< likewise, its name
  std::string got = {}, wanted = {};  ///< likewise, its values
  bool is_poison = false;             ///< likewise, it still has the poison as its value
  bool wants_poison = false;          ///< likewise, the value expected of it may be the poison of the oracle's memory

  bool failed() const { return verdict == Verdict::failed; }
};

/// Compares the observed `outputs`; `buffers` and `bounds` describe them, `poison` is the byte that they were filled
/// with before the run. The result is "mistrusted" if all outputs are zero, as expected, but an input is not.
ComparisonResult compare_outputs(const std::vector<Buffer>& buffers, const Expectation& expected,
                                 const std::vector<Bytes>& outputs, const std::vector<Bound>& bounds,
                                 std::uint8_t poison, const ElementName& name = flat_name);

/// The inputs of a wrong element: those that have few elements, and the elements of the same index in inputs with as
/// many elements as its buffer. "in[1, 63] of 3 x 65 is 7, scale is {2}"; empty if there are none.
std::string inputs_of(const std::vector<Buffer>& buffers, const std::vector<Bytes>& inputs, const std::string& output,
                      std::int64_t index, const ElementName& name = flat_name);

/// Describes the first element whose bits differ; empty if all are the same.
std::string difference(const Buffer& buffer, const Bytes& one, const Bytes& other, const ElementName& name = flat_name);

}  // namespace warpwright::conformance

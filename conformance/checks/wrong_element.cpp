// Describes a wrong output: the element, its values, and the inputs from which it was computed.
#include "conformance/checks/wrong_element.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::conformance {

ElementName element_names(const Pattern& pattern, const Problem& problem) {
  if (!pattern.element_name) return flat_name;
  return [&](const std::string& buffer, std::int64_t index) { return pattern.element_name(problem, buffer, index); };
}

std::string describe_wrong(const Pattern& pattern, const Case& test, const OracleAnswer& answer,
                           const ComparisonResult& wrong, bool is_unwritten, worker::Process& process,
                           worker::Compiler& compiler) {
  // An element that the oracle does not write depends on the fill of its memory.
  const auto of_oracle = [&](const OracleAnswer& one) {
    const Bytes& values = std::ranges::find(one.expected, wrong.buffer, &ExpectedOutput::buffer)->values;
    const std::size_t size = values.size() / static_cast<std::size_t>(wrong.elements);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(size) * wrong.index;
    return Bytes(at, at + static_cast<std::ptrdiff_t>(size));
  };
  const bool oracle_wrote =
      pattern.oracle || !wrong.wants_poison ||
      of_oracle(answer) == of_oracle(oracle_answer(pattern, test.problem, test.input, process, compiler, kOtherPoison));
  constexpr const char* leave_out = "leave it out with \"compare\", or give the buffer fewer elements";
  const std::string words =
      is_unwritten
          ? (oracle_wrote ? fmt::format("{} was never written: {} was expected", wrong.element, wrong.wanted)
                          : fmt::format("neither the kernel nor the oracle wrote {}: {}", wrong.element, leave_out))
      : oracle_wrote ? wrong.detail
                     : fmt::format("{} is {}, but the oracle never wrote it: {}", wrong.element, wrong.got, leave_out);
  const std::string inputs = inputs_of(pattern.buffers(test.problem), answer.inputs, wrong.buffer, wrong.index,
                                       element_names(pattern, test.problem));
  return words + (inputs.empty() ? "" : "; note: " + inputs);
}

}  // namespace warpwright::conformance

// Describes a wrong output: the element, its values, and the inputs from which it was computed.
#pragma once

#include <cstdint>
#include <string>

#include "conformance/cases/case.hpp"
#include "conformance/cases/comparison.hpp"
#include "conformance/checks/oracle_answer.hpp"

namespace warpwright::conformance {

/// Fills outputs before a second run, if the first one leaves elements equal to kPoison.
inline constexpr std::uint8_t kOtherPoison = 0x5A;

/// How messages name elements of the problem's outputs. Refers to both arguments.
ElementName element_names(const Pattern& pattern, const Problem& problem);

/// Describes the first wrong element. `is_unwritten`: the kernel never wrote it. If perhaps the oracle did not write it
/// either, that worker runs its reference again.
std::string describe_wrong(const Pattern& pattern, const Case& test, const OracleAnswer& answer,
                           const ComparisonResult& wrong, bool is_unwritten, worker::Process& process,
                           worker::Compiler& compiler);

}  // namespace warpwright::conformance

// Remarks on a property's result: tolerated findings, skipped cases, shrinking.
#pragma once

#include <string>
#include <vector>

#include "conformance/properties/property.hpp"

namespace warpwright::conformance {

/// What weakens the check, then the hints, one per line, for people.
std::vector<std::string> remarks_on(const PropertyReport& report);

/// How the case was shrunk, which findings were tolerated, what was skipped.
std::vector<std::string> hints_on(const PropertyReport& report);

/// The reason for tolerating a finding: the kernel's own, or the command line's.
std::string reason_for(const Kernel& kernel, StrictRule rule);

/// "tolerated (early_exit): ...; reason: ..."
std::string describe(const Kernel& kernel, const Tolerated& finding);

}  // namespace warpwright::conformance

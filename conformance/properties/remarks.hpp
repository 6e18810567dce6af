// What is said of a kernel's property beside its verdict: what was tolerated, left out, and how it was shrunk.
#pragma once

#include <string>
#include <vector>

#include "conformance/properties/property.hpp"

namespace warpwright::conformance {

/// What weakens the check, then the hints; one line each, for people.
std::vector<std::string> remarks_on(const PropertyReport& report);

/// How the case was shrunk, what was tolerated, what was left out.
std::vector<std::string> hints_on(const PropertyReport& report);

/// Why that is tolerated: the kernel's own reason, or the command line's.
std::string reason_for(const Kernel& kernel, StrictRule rule);

/// "tolerated (early exit): ...; reason: ..."
std::string words_of(const Kernel& kernel, const Note& note);

}  // namespace warpwright::conformance

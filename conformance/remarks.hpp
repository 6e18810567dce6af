// What is said of a kernel's property beside its verdict: what was let pass, left out, and how it was shrunk.
#pragma once

#include <string>
#include <vector>

#include "conformance/property.hpp"

namespace warpwright::conformance {

/// One line each, for people.
std::vector<std::string> remarks_on(const PropertyReport& report);

/// Why that is let pass: the kernel's own reason, or the command line's.
std::string reason_for(const Kernel& kernel, StrictRule rule);

/// "note (early exit): ...; let pass: ..."
std::string words_of(const Kernel& kernel, const Note& note);

}  // namespace warpwright::conformance

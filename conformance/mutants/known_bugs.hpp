// Known bugs of CUDA programs, each as a small kernel beside its correct form. They are not in the catalogue.
#pragma once

#include <vector>

#include "conformance/mutants/mutants.hpp"

namespace warpwright::conformance {

/// The rule name that their mutants are stored under.
extern const char* const kKnownBug;

/// The kernels and their patterns: "kogge_stone/right", "kogge_stone/without_temporary", ...
const Catalogue& known_bugs();

/// Every form as a mutant of `known_bugs()`. A wrong form must be killed; a correct one is declared equivalent.
std::vector<Mutant> all_known_bugs();

}  // namespace warpwright::conformance

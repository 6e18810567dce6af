// Famous mistakes of CUDA programs, each as a small kernel beside its correct form. None is in the catalogue.
#pragma once

#include <vector>

#include "conformance/mutants/mutants.hpp"

namespace warpwright::conformance {

/// The rule that their mutants are stored under.
extern const char* const kFamousMistake;

/// The kernels and their patterns: "kogge_stone/right", "kogge_stone/without_temporary", ...
const Catalogue& mistakes();

/// Every form as a mutant of `mistakes()`: a wrong one must be killed, a right one is declared equivalent.
std::vector<Mutant> famous_mistakes();

}  // namespace warpwright::conformance

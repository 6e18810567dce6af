// When a mutation behaves as before by construction, and why.
#pragma once

#include <string>
#include <vector>

#include "conformance/mutants/mutation.hpp"

namespace warpwright::conformance {

/// Why it makes no difference whether the relation at `token` holds where both sides are equal; empty where it may.
std::string same_at_equality(const Site& site, std::size_t token);

/// Why a `<` or `<=` that holds less often leaves the work to other code that does the same; empty where it may not.
std::string has_slow_path(const Site& site, std::size_t token);

/// What is declared beside the device files of a kernel and holds for it. Throws std::invalid_argument, with file and
/// line, for a declaration of a rule that there is not.
std::vector<Equivalence> declared_equivalences(const Catalogue& catalogue, const Kernel& kernel);

/// A line for every declaration of the catalogue that is of no mutant of its kernels: of code that has changed since,
/// of a mutant that its rule finds to be equivalent by itself, or misspelt.
std::vector<std::string> obsolete_equivalences(const Catalogue& catalogue);

}  // namespace warpwright::conformance

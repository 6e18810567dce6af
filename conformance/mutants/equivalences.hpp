// Decides when a mutation cannot change behaviour, and explains why.
#pragma once

#include <string>
#include <vector>

#include "conformance/mutants/mutation.hpp"

namespace warpwright::conformance {

/// The reason why the result of the relation at `token` does not matter if both sides are equal; empty if it may
/// matter.
std::string same_at_equality(const Site& site, std::size_t token);

/// The reason why it does not matter if a `<` or `<=` is false more often: other, slower code then does the same work.
/// Empty if it may matter.
std::string has_slow_path(const Site& site, std::size_t token);

/// The equivalences declared in .mutants files beside a kernel's device files. Throws std::invalid_argument, with file
/// and line, if a declaration names an unknown rule.
std::vector<Equivalence> declared_equivalences(const Catalogue& catalogue, const Kernel& kernel);

/// One line for each declared equivalence in the catalogue that matches no mutant: the code has changed, the rule finds
/// the equivalence by itself, or the declaration is misspelt.
std::vector<std::string> obsolete_equivalences(const Catalogue& catalogue);

}  // namespace warpwright::conformance

// When a mutation behaves as before by construction, and why.
#pragma once

#include <string>

#include "conformance/mutation.hpp"

namespace warpwright::conformance {

/// Why it makes no difference whether the relation at `token` holds where both sides are equal; empty where it may.
std::string same_at_equality(const Site& site, std::size_t token);

/// Why a `<` or `<=` that holds less often leaves the work to other code that does the same; empty where it may not.
std::string has_slow_path(const Site& site, std::size_t token);

/// A mutation of one place that is equivalent for a reason that only people see.
struct DeclaredEquivalence {
  std::string file, rule, change;
  int occurrence;  ///< counts the places of the file that read alike, from 1
  std::string reason;
};
const std::vector<DeclaredEquivalence>& declared_equivalences();

}  // namespace warpwright::conformance

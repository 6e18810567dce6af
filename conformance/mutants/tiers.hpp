// Which mutants are run when: few with every commit, the others in turns, night after night.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/mutants.hpp"
#include "db/store/records.hpp"

namespace warpwright::conformance {

enum class MutantTier {
  all,
  commit,  ///< of every kernel one of each of a few families of rules
  nightly  ///< a share of all, so that some nights see every one
};

/// "all", "commit", "nightly"
const std::vector<std::string>& mutant_tier_names();
/// The tier of that name; throws std::invalid_argument with the known ones.
MutantTier mutant_tier_named(std::string_view name);

/// So many families of rules of each kernel are in the commit tier; the nights run all.
inline constexpr std::size_t kFamiliesOfKernel = 2;

/// Of each kernel kFamiliesOfKernel families at most, drawn by their names, and of each the mutants that the commit
/// tier may take, without those that are equivalent: it runs the first that compiles. Those of the kernel's own file
/// come first. What a mutant changes decides its place, so that a change elsewhere, or of its line, leaves the choice.
std::vector<std::vector<Mutant>> mutant_families(const std::vector<Mutant>& mutants);

struct Night {
  std::vector<Mutant> mutants;  ///< in the order in which they are to run, as a night may end before all of them did
  std::size_t seen = 0;         ///< of all mutants, those that a night before has run
  std::vector<bool> is_new;     ///< of those of this night, whether no night before has run them
};

/// What survived when it was run last, and the share of one of `nights` (1 or more) of all: those first that were never
/// run as they are, then those whose last run is longest ago. `known` is what the nights before have stored of the tool
/// `tool`. As many nights as that, one after another, see every mutant.
Night mutants_of_night(const std::vector<Mutant>& mutants, const std::vector<db::Mutant>& known,
                       const std::string& tool, std::size_t nights);

/// At most `limit` of them, the same every time, spread over kernels and rules; without those that are equivalent.
std::vector<Mutant> sample_mutants(const std::vector<Mutant>& mutants, std::size_t limit);

}  // namespace warpwright::conformance

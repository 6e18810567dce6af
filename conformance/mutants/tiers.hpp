// Which mutants run when: a few with every commit, the others in turn over several nightly runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/mutants.hpp"
#include "db/store/records.hpp"

namespace warpwright::conformance {

enum class MutantTier {
  all,
  commit,  ///< one mutant of each of a few rule families of each kernel
  nightly  ///< a share of all mutants, so that a number of nights covers all
};

/// "all", "commit", "nightly"
const std::vector<std::string>& mutant_tier_names();
/// The tier with that name; throws std::invalid_argument, which lists the known names.
MutantTier mutant_tier_named(std::string_view name);

/// How many rule families of each kernel are in the commit tier; nightly runs have all.
inline constexpr std::size_t kFamiliesOfKernel = 2;

/// For the commit tier: at most kFamiliesOfKernel families of each kernel, drawn by their names. Each is a list of its
/// mutants that are not equivalent, beginning with those in the kernel's own file. The first mutant that compiles is
/// run. The order depends only on what a mutant changes, so changes elsewhere, or of its line number, do not affect the
/// selection.
std::vector<std::vector<Mutant>> mutant_families(const std::vector<Mutant>& mutants);

struct Night {
  std::vector<Mutant> mutants;  ///< in the order in which they run, because a nightly run may end early
  std::size_t seen = 0;         ///< number of all mutants that an earlier night has run
  std::vector<bool> is_new;     ///< for each mutant in `mutants`, whether no earlier night has run it
};

/// All mutants that survived their last run, and 1/`nights` of all mutants: first those that never ran in their present
/// form, then those whose last run is oldest. `known` are the results of the tool `tool` from earlier nights. After
/// `nights` nights every mutant has run.
Night mutants_of_night(const std::vector<Mutant>& mutants, const std::vector<db::Mutant>& known,
                       const std::string& tool, std::size_t nights);

/// At most `limit` of the mutants, always the same ones, spread over kernels and rules, without equivalent ones.
std::vector<Mutant> sample_mutants(const std::vector<Mutant>& mutants, std::size_t limit);

}  // namespace warpwright::conformance

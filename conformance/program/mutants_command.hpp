// `conform --mutants`: runs the mutants of kernels on the host, prints and stores how each died.
#pragma once

#include <string>
#include <vector>

#include "conformance/mutants/tiers.hpp"
#include "db/store/store.hpp"

namespace warpwright::conformance {

struct MutantsCommand {
  std::vector<std::string> globs;
  std::string target = host_target();
  MutantTier tier = MutantTier::all;
  std::size_t nights = 7;  ///< of the nightly tier: so many see every mutant
  std::size_t limit = 0;   ///< a sample of so many instead of a tier; 0: none
  bool thorough = false;
  unsigned jobs = 0;
  db::Store* store = nullptr;  ///< results go here, and it knows whose turn it is at night; may be null
  Stop stop = {};
  std::string junit = {};  ///< a report for CI systems goes to this file; empty: none
  std::string sarif = {};  ///< likewise, the survivors, for code scanning
  bool verbose = false;    ///< prints each mutant's line and change
};

/// How many mutants survived, and how many were not run because the run was ended; a run is clean when all are 0.
struct MutantsSummary {
  int survived = 0;
  int not_run = 0;
  int unmutated = 0;  ///< kernels in which no rule finds anything to break, so that nothing is shown
};

/// With no kernel named the tiers `all` and `nightly` run the famous known_bugs too. Prints a line per mutant, a table
/// of rules by how their mutants died, every survivor as a finding is, and at night which fraction of all mutants has
/// been seen.
MutantsSummary run_mutants_mode(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                const MutantsCommand& mode);

/// The row of a result. `tool` is the host target, or what else ran it.
db::Mutant row_of(const Mutant& mutant, const MutantResult& result, const std::string& tool);

/// Rules down, causes of death across, with counts and the mean time of a kill.
std::string mutant_table(const std::vector<Mutant>& mutants, const std::vector<MutantResult>& results);

/// Where a mutant is declared equivalent that compiles to the same program in every kernel of these which has it.
std::vector<std::string> unneeded_declarations(const std::vector<Mutant>& mutants,
                                               const std::vector<MutantResult>& results);

}  // namespace warpwright::conformance

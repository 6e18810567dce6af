// `conform --mutants`: runs mutants on the simulator, and prints and stores what killed each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/mutants/tiers.hpp"
#include "conformance/suite/diagnostics.hpp"
#include "db/store/store.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

struct MutantsCommand {
  std::vector<std::string> globs;
  std::string target = host_target();
  MutantTier tier = MutantTier::all;
  std::size_t nights = 7;  ///< nightly tier: number of nights that together run every mutant
  std::size_t limit = 0;   ///< run a sample of this size instead of a tier; 0: no sample
  bool thorough = false;
  std::uint64_t seed = 1;
  unsigned jobs = 0;
  db::Store* store = nullptr;  ///< stores results, and knows which mutants are due tonight; may be null
  Stop stop = {};
  std::string junit = {};  ///< file for a JUnit report; empty: none
  std::string sarif = {};  ///< file for a SARIF report of the survivors; empty: none
  bool verbose = false;    ///< print each mutant's line and change
  Form form = Form::text;  ///< csv, json: one row for each mutant, and nothing else
};

/// A run is clean if all counts are 0. `not_run` are mutants that were left when the run was ended.
struct MutantsSummary {
  int survived = 0;
  int not_run = 0;
  int unmutated = 0;  ///< kernels without any mutation, whose checks are therefore not verified
};

/// If no kernel is named, the tiers `all` and `nightly` also run the known bugs. Prints a line per mutant, a table of
/// rules and what killed their mutants, and a diagnostic for every survivor. For nightly runs it also prints the
/// fraction of all mutants that has run so far. With CSV or JSON it prints only the mutants.
MutantsSummary run_mutants_command(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                   const MutantsCommand& mode);

/// A result as a row. `tool` is the simulator target, or the name of another tool.
db::Mutant row_of(const Mutant& mutant, const MutantResult& result, const std::string& tool);

/// A table with rules as rows, causes of death as columns, counts, and the mean time of a kill.
std::string mutant_table(const std::vector<Mutant>& mutants, const std::vector<MutantResult>& results);

/// A row for each mutant, and one for each kernel without any.
Table table_of(const std::vector<Mutant>& mutants, const std::vector<MutantResult>& results,
               const std::vector<Diagnostic>& unmutated);

/// Declared equivalences that are not needed, because the mutant compiles to the same code in every kernel that has
/// it.
std::vector<std::string> unneeded_declarations(const std::vector<Mutant>& mutants,
                                               const std::vector<MutantResult>& results);

}  // namespace warpwright::conformance

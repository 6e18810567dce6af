// `conform --mutants`: runs the mutants of kernels on the host, prints and stores how each died.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "conformance/mutants.hpp"
#include "db/store.hpp"

namespace warpwright::conformance {

struct MutantsMode {
  std::vector<std::string> globs;
  std::size_t limit = 0;  ///< 0: all of them
  bool thorough = false;
  unsigned jobs = 0;
  db::Store* store = nullptr;  ///< results go here; may be null
  const std::atomic<bool>* stop = nullptr;
};

/// With no kernel named and no limit the famous mistakes are run too. Prints a line per mutant, a table of rules by how
/// their mutants died, and every survivor. Gives the number of mutants that survived.
int run_mutants_mode(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache, const MutantsMode& mode);

/// The row of a result. `tool` is "host" or what else ran it.
db::Mutant row_of(const Mutant& mutant, const MutantResult& result, const std::string& tool);

/// Rules down, causes of death across, with counts and the mean time of a kill.
std::string mutant_table(const std::vector<Mutant>& mutants, const std::vector<MutantResult>& results);

}  // namespace warpwright::conformance

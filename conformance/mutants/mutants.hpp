// Mutants: kernels with one deliberate mistake, run under their property on the host until one of its cases fails.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "conformance/mutants/mutation.hpp"
#include "kernels/runtime/build/disk_cache.hpp"
#include "kernels/system/stop.hpp"
#include "kernels/runtime/client/pool.hpp"

namespace warpwright::conformance {

struct Mutant {
  const Kernel* kernel = nullptr;  ///< as it is in the catalogue
  Mutation mutation;
};

/// The kernel and the sources of a mutant. The kernel's plan is the mutant's too.
struct MutantProgram {
  Kernel kernel;
  SourceTree sources;
};

MutantProgram program_of(const Catalogue& catalogue, const Mutant& mutant);

/// How a mutant is equivalent that compiles to what its kernel compiles to.
inline constexpr std::string_view kSameProgram = "same program";

struct MutantResult {
  std::string outcome = {};  ///< killed, survived, equivalent, not compiled, not judged; empty: not run
  std::string how = {};      ///< what killed it: bounds, race, barrier, wrong value, hang, ...; or kSameProgram
  std::string detail = {};   ///< the finding, why it is equivalent, or the compiler's words
  std::string repro = {};    ///< of the case that killed it
  int cases = 0;
  double seconds = 0;  ///< compiling included
};

/// What killed a mutant, in a word, from its failing case.
std::string_view how_it_died(const CaseResult& failure);

/// All mutants of the kernels on a host target. Throws Stopped when the stop comes first.
std::vector<Mutant> mutants_of(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels,
                               const std::string& target = host_target(), const Stop& stop = {});

struct MutantOptions {
  std::string target = host_target();
  unsigned jobs = 0;      ///< side by side; 0: one per core
  bool thorough = false;  ///< draws ten times as many cases before one counts as a survivor
  Stop stop = {};         ///< what it ends is not run
};

/// Runs the mutants in their order; calls `progress` (from several threads, one at a time) with each result and its
/// index. A mutant that is declared equivalent is run as well: when it is killed, the declaration is wrong, and it has
/// survived. One that compiles to the kernel's own program in all instances that its cases would be of is equivalent
/// without a case.
std::vector<MutantResult> run_mutants(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                      const std::vector<Mutant>& mutants, const MutantOptions& options,
                                      const std::function<void(std::size_t, const MutantResult&)>& progress);

}  // namespace warpwright::conformance

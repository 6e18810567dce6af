// Mutants: kernels with one injected fault, run under their property on the simulator until a case fails.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/checks/case_result.hpp"
#include "conformance/mutants/mutation.hpp"
#include "kernels/runtime/build/disk_cache.hpp"
#include "kernels/runtime/client/pool.hpp"
#include "kernels/system/stop.hpp"

namespace warpwright::conformance {

struct Mutant {
  const Kernel* kernel = nullptr;  ///< the original in the catalogue
  Mutation mutation;
};

/// The kernel and the sources of a mutant. The mutant has its kernel's plan.
struct MutantProgram {
  Kernel kernel;
  SourceTree sources;
};

MutantProgram program_of(const Catalogue& catalogue, const Mutant& mutant);

/// The `how` of a mutant that the compiler makes the same code from as from its kernel.
inline constexpr std::string_view kCompilerEquivalence = "compiler equivalence";

struct MutantResult {
  std::string outcome = {};  ///< killed, survived, equivalent, not compiled, not modelled; empty: not run
  std::string how = {};      ///< what killed it: a kind of finding, wrong value, ...; or kCompilerEquivalence
  std::string detail = {};   ///< the finding, the reason for the equivalence, or the compiler's message
  std::string repro = {};    ///< repro line of the case that killed it
  int cases = 0;
  double seconds = 0;  ///< including compiling
};

/// What killed a mutant: the kind of the finding, "wrong value", or the verdict of its failing case.
std::string_view how_it_died(const CaseResult& failure);

/// All mutants of the kernels for a simulator target. Throws Stopped if `stop` is set first.
std::vector<Mutant> mutants_of(const Catalogue& catalogue, const std::vector<const Kernel*>& kernels,
                               const std::string& target = host_target(), const Stop& stop = {});

struct MutantOptions {
  std::string target = host_target();
  std::uint64_t seed = 1;  ///< of the cases that are drawn, and of the configurations
  unsigned jobs = 0;       ///< number running at the same time; 0: one per core
  bool thorough = false;   ///< draws ten times as many cases before a mutant counts as survived
  Stop stop = {};          ///< mutants that it interrupts count as not run
};

/// Runs the mutants in their order. Calls `progress` with each result and its index, from several threads but one at a
/// time. A mutant that is declared equivalent also runs; if it is killed, the declaration is wrong and the result is
/// "survived". A mutant is equivalent, without running a case, if all instances that its cases need compile to the
/// kernel's own programs.
std::vector<MutantResult> run_mutants(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                      const std::vector<Mutant>& mutants, const MutantOptions& options,
                                      const std::function<void(std::size_t, const MutantResult&)>& progress);

}  // namespace warpwright::conformance

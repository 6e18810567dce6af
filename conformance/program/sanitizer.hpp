// Compares NVIDIA's compute-sanitizer with the simulator on the same mutants and correct kernels.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "conformance/checks/case_runner.hpp"
#include "conformance/mutants/mutants.hpp"
#include "db/store/store.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

struct SanitizerCommand {
  std::vector<std::string> globs;
  std::size_t limit = 0;  ///< number of mutants; 0: all
  unsigned jobs = 0;      ///< parallel runs; 0: one per core, at most 8
  int cases = 6;          ///< per mutant, beginning with the case that killed it on the simulator
  std::chrono::seconds time_limit{40};
  db::Store* store = nullptr;
  Stop stop = {};
  bool verbose = false;    ///< print each mutant's change, and the time of every tool
  Form form = Form::text;  ///< csv, json: one row for each kernel and mutant, and nothing else
};

/// How many mutants only compute-sanitizer found, and how many kernels and mutants did not run because the run was
/// ended.
struct SanitizerSummary {
  int missed = 0;
  int not_run = 0;
};

/// Runs the mutants, the known bugs (if no kernel is named) and the correct kernels under both; prints both results,
/// and what only one side found. With a deadline the simulator has the first half of the time. Throws
/// std::runtime_error if compute-sanitizer cannot run here.
SanitizerSummary run_sanitizer_command(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                       const GpuTarget& gpu, const SanitizerCommand& mode);

}  // namespace warpwright::conformance

// NVIDIA's compute-sanitizer beside the simulator: the same mutants and correct kernels under both.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "conformance/checks/checker.hpp"
#include "conformance/mutants/mutants.hpp"
#include "db/store/store.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {

/// memcheck, racecheck, initcheck, synccheck
const std::vector<std::string>& sanitizer_tools();

/// What one run of a tool says.
struct SanitizerReport {
  bool finished = false;  ///< the tool came to its summary, or was ended by its time limit
  bool timed_out = false;
  int errors = 0;
  std::string how;    ///< bounds, misaligned, race, uninitialised, barrier, hang, other; empty where nothing was found
  std::string first;  ///< the first finding with its place, on one line
};

/// Reads what compute-sanitizer printed.
SanitizerReport read_sanitizer_output(const std::string& output, bool timed_out);

/// The command that runs the worker over a file of requests under a tool.
std::vector<std::string> sanitizer_command(const std::string& sanitizer, const std::string& tool,
                                           const std::string& worker, const std::string& requests);

/// The program: on the PATH, or in $CUDA_HOME/bin or /usr/local/cuda/bin. Throws std::runtime_error that says what to
/// do, and Stopped when the stop comes first.
std::string find_sanitizer(const Stop& stop = {});

struct SanitizerCommand {
  std::vector<std::string> globs;
  std::size_t limit = 0;  ///< mutants; 0: all
  unsigned jobs = 0;      ///< runs side by side; 0: one per core, at most 8
  int cases = 6;          ///< per mutant; the one that killed it on the host comes first
  std::chrono::seconds time_limit{40};
  db::Store* store = nullptr;
  Stop stop = {};
  bool verbose = false;  ///< prints each subject's change, and what every tool took
};

/// How many mutants only compute-sanitizer found, and how many subjects it has not seen because the run was ended.
struct SanitizerSummary {
  int missed = 0;
  int not_run = 0;
};

/// The mutants, the famous known_bugs (when no kernel is named) and the correct kernels under both; prints both
/// verdicts side by side and what only one of them found. With a deadline the host has the first half of the time.
/// Throws std::runtime_error when it cannot run here.
SanitizerSummary run_sanitizer_mode(const Catalogue& catalogue, worker::Pool& pool, const DiskCache& cache,
                                    const Checker::GpuTarget& gpu, const SanitizerCommand& mode);

}  // namespace warpwright::conformance

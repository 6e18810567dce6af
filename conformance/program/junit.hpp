// Writes a conformance run as a JUnit report for CI systems.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/mutants/mutants.hpp"
#include "conformance/properties/property.hpp"
#include "conformance/suite/counterexamples.hpp"
#include "conformance/suite/diagnostics.hpp"

namespace warpwright::conformance {

/// The results of a run, with the diagnostics of each part.
struct SuiteResults {
  struct Stored {
    Replay replay;
    std::vector<Diagnostic> diagnostics;
  };
  struct OfKernel {
    PropertyReport report;
    std::vector<Diagnostic> diagnostics;
  };
  struct Refused {
    std::string file;
    Diagnostic diagnostic;
  };
  std::string target;
  std::uint64_t seed = 0;
  double seconds = 0;
  bool complete = true;  ///< false if the run was interrupted
  std::vector<Stored> stored = {};
  std::vector<OfKernel> kernels = {};
  std::vector<Refused> refused = {};  ///< job files
};

/// Writes one test case per stored counterexample, per kernel and per refused job file. It fails if one of its
/// diagnostics is an error; it is skipped if it did not run or is not modelled. Throws std::runtime_error if the file
/// cannot be written.
void write_junit(const std::string& path, const SuiteResults& results);

/// Writes one test case per mutant, which fails if the mutant survives.
void write_junit(const std::string& path, const std::string& target, const std::vector<Mutant>& mutants,
                 const std::vector<MutantResult>& results);

}  // namespace warpwright::conformance

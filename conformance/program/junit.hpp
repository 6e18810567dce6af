// A conformance run as a JUnit report, for CI systems.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/suite/counterexamples.hpp"
#include "conformance/suite/diagnostics.hpp"
#include "conformance/mutants/mutants.hpp"
#include "conformance/properties/property.hpp"

namespace warpwright::conformance {

/// What came of a run, with what is to be said of each part.
struct SuiteResults {
  struct Stored {
    Replay replay;
    std::vector<Diagnostic> diagnostics;
  };
  struct OfKernel {
    PropertyReport report;
    std::vector<Diagnostic> diagnostics;
  };
  std::string target;
  std::uint64_t seed = 0;
  double seconds = 0;
  bool complete = true;  ///< it was not interrupted
  std::vector<Stored> stored = {};
  std::vector<OfKernel> kernels = {};
};

/// One test case per stored counterexample and per kernel, which fails where one of its diagnostics is an error; what
/// did not run, or was not modelled, is skipped. Throws std::runtime_error when the file cannot be written.
void write_junit(const std::string& path, const SuiteResults& results);

/// One test case per mutant, which fails when it survives.
void write_junit(const std::string& path, const std::string& target, const std::vector<Mutant>& mutants,
                 const std::vector<MutantResult>& results);

}  // namespace warpwright::conformance

// A conformance run as a JUnit report, for CI systems.
#pragma once

#include <string>
#include <vector>

#include "conformance/counterexamples.hpp"
#include "conformance/mutation/mutants.hpp"
#include "conformance/property.hpp"

namespace warpwright::conformance {

/// One test case per stored counterexample and per kernel; what did not run is skipped. Throws std::runtime_error when
/// the file cannot be written.
void write_junit(const std::string& path, const std::string& target, const std::vector<Replay>& replays,
                 const std::vector<PropertyReport>& properties);

/// One test case per mutant, which fails when it survives.
void write_junit(const std::string& path, const std::string& target, const std::vector<Mutant>& mutants,
                 const std::vector<MutantResult>& results);

}  // namespace warpwright::conformance

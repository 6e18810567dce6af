// A conformance run as a JUnit report, for CI systems.
#pragma once

#include <string>
#include <vector>

#include "conformance/counterexamples.hpp"
#include "conformance/property.hpp"

namespace warpwright::conformance {

/// One test case per stored counterexample and per kernel. Throws std::runtime_error when the file cannot be written.
void write_junit(const std::string& path, const std::string& target, const std::vector<Replay>& replays,
                 const std::vector<PropertyReport>& properties);

}  // namespace warpwright::conformance

// A conformance run as a JUnit report, for CI systems.
#pragma once

#include <string>
#include <vector>

#include "conformance/property.hpp"

namespace warpwright::conformance {

/// One test case per kernel. Throws std::runtime_error when the file cannot be written.
void write_junit(const std::string& path, const std::string& target, const std::vector<PropertyReport>& properties);

}  // namespace warpwright::conformance

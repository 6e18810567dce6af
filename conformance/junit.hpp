// A conformance run as a JUnit report, for CI systems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/property.hpp"
#include "db/records.hpp"

namespace warpwright::conformance {

/// A stored counterexample that was run again; without a result where it is no case of this program any more.
struct Replay {
  db::Counterexample stored;
  std::optional<CaseResult> result;
  std::string obsolete;  ///< why it is no case any more
};

/// One test case per stored counterexample and per kernel. Throws std::runtime_error when the file cannot be written.
void write_junit(const std::string& path, const std::string& target, const std::vector<Replay>& replays,
                 const std::vector<PropertyReport>& properties);

}  // namespace warpwright::conformance

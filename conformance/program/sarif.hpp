// Writes diagnostics as SARIF 2.1.0, which code scanning in CI systems shows beside the source lines.
#pragma once

#include <string>
#include <vector>

#include "conformance/suite/diagnostics.hpp"

namespace warpwright::conformance {

struct SarifRun {
  std::string target;
  bool complete = true;  ///< false if the run was interrupted
  std::vector<Diagnostic> diagnostics = {};
};

/// The text of the log. Paths inside the current folder are relative. A result's fingerprint depends on its kind,
/// kernel, file, buffer and the text of its source lines. It does not depend on line numbers. Source text comes from
/// the disk, or else from `catalogue`.
std::string sarif_text(const SarifRun& run, const Catalogue& catalogue);

/// Throws std::runtime_error if the file cannot be written.
void write_sarif(const std::string& path, const SarifRun& run, const Catalogue& catalogue);

}  // namespace warpwright::conformance

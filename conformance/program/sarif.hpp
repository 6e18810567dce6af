// What is wrong with kernels as SARIF 2.1.0, which code scanning of CI systems shows beside the lines.
#pragma once

#include <string>
#include <vector>

#include "conformance/suite/diagnostics.hpp"

namespace warpwright::conformance {

struct SarifRun {
  std::string target;
  bool complete = true;  ///< it was not interrupted
  std::vector<Diagnostic> diagnostics = {};
};

/// The text of the log. Files below the current folder are named from there. A result's fingerprint is made of its
/// kind, kernel, file and buffer and of what its source lines say, so that it stays the same when lines above them
/// change; texts that are not on the disk are those of `catalogue`.
std::string sarif_text(const SarifRun& run, const Catalogue& catalogue);

/// Throws std::runtime_error when the file cannot be written.
void write_sarif(const std::string& path, const SarifRun& run, const Catalogue& catalogue);

}  // namespace warpwright::conformance
